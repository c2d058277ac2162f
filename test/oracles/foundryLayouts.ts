import type { Random } from "../unit/random.ts";

/** A Foundry project with nothing built, in files by their paths below the open folder. */
export interface FoundryLayout {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** The project's folder below the open folder; the open folder itself unless said. */
  readonly root?: string;
  /** The release of solc that builds it. */
  readonly solc?: string;
  readonly profile?: string;
}

/** A contract that imports these, with a value that the optimizer and the EVM version change the code of. */
export function contractNamed(name: string, ...imports: readonly string[]): string {
  const imported = imports.map((path) => `import "${path}";\n`).join("");
  return `// SPDX-License-Identifier: MIT\npragma solidity >=0.7.0;\n${imported}contract ${name} {
  uint public total;
  function add(uint amount) external returns (uint) { total += amount * 3; return total; }
}\n`;
}

const LIBRARY = (name: string) =>
  `pragma solidity >=0.7.0;\nlibrary ${name} { function twice(uint a) external pure returns (uint) { return a * 2; } }\n`;

/** `foundry.toml` for a project that is built by the program at `solc`. */
function settings(...lines: readonly string[]): string {
  return ["[profile.default]", 'solc = "$SOLC"', ...lines, ""].join("\n");
}

/** Projects as people have them, each for one thing that changes what forge compiles. */
export const FOUNDRY_LAYOUTS: readonly FoundryLayout[] = [
  {
    name: "remappings of the project, of a library and of the library's library",
    files: {
      "foundry.toml": settings(
        'remappings = ["lib/old:tokens/=lib/old/lib/tokens/src/", "@alias/=lib/tokens/src/"]',
      ),
      "remappings.txt": "@txt/=lib/tokens/src/\n",
      "src/Vault.sol": contractNamed(
        "Vault",
        "tokens/Token.sol",
        "old/Old.sol",
        "@alias/Other.sol",
        "@txt/Third.sol",
      ),
      "lib/tokens/src/Token.sol": contractNamed("Token"),
      "lib/tokens/src/Other.sol": contractNamed("Other"),
      "lib/tokens/src/Third.sol": contractNamed("Third"),
      "lib/old/src/Old.sol": contractNamed("Old", "tokens/OldToken.sol", "inner/Inner.sol"),
      "lib/old/foundry.toml":
        '[profile.default]\nremappings = ["src:own/=lib/own/", "inner/=lib/deep/code/"]\n',
      "lib/old/lib/tokens/src/OldToken.sol": contractNamed("OldToken"),
      "lib/old/lib/deep/code/Inner.sol": contractNamed("Inner", "./Sibling.sol"),
      "lib/old/lib/deep/code/Sibling.sol": contractNamed("Sibling"),
    },
  },
  {
    name: "line endings of Windows",
    files: {
      "foundry.toml": settings().replaceAll("\n", "\r\n"),
      "remappings.txt": "@lib/=lib/it/src/\r\n",
      "src/Vault.sol": contractNamed("Vault", "./math/Rounding.sol", "@lib/It.sol").replaceAll("\n", "\r\n"),
      "src/math/Rounding.sol": contractNamed("Rounding").replaceAll("\n", "\r\n") + "// mixed\n",
      "lib/it/src/It.sol": contractNamed("It"),
    },
  },
  {
    name: "libraries in a monorepo's root, above the project",
    root: "packages/core",
    files: {
      "packages/core/foundry.toml": settings(
        'libs = ["../../lib", "lib"]',
        'remappings = ["@acme/=../../node_modules/@acme/"]',
        'allow_paths = ["../.."]',
      ),
      "packages/core/src/Vault.sol": contractNamed("Vault", "shared/Shared.sol", "@acme/base/Owned.sol"),
      "lib/shared/src/Shared.sol": contractNamed("Shared", "./Part.sol"),
      "lib/shared/src/Part.sol": contractNamed("Part"),
      "node_modules/@acme/base/Owned.sol": contractNamed("Owned", "./Base.sol"),
      "node_modules/@acme/base/Base.sol": contractNamed("Base"),
    },
  },
  {
    name: "packages that pnpm links, and a sibling of the workspace among them",
    root: "packages/core",
    files: {
      "packages/core/foundry.toml": settings(
        'libs = ["node_modules"]',
        'remappings = ["@me/shared/=node_modules/@me/shared/", "@acme/=node_modules/@acme/"]',
        'allow_paths = ["../.."]',
      ),
      "packages/core/src/Vault.sol": contractNamed(
        "Vault",
        "@acme/base/Owned.sol",
        "@me/shared/src/Shared.sol",
      ),
      "packages/core/node_modules/@acme/base":
        "->../../../../node_modules/.pnpm/@acme+base@1.0.0/node_modules/@acme/base",
      "packages/core/node_modules/@me/shared": "->../../../shared",
      "packages/shared/src/Shared.sol": contractNamed("Shared", "./Part.sol"),
      "packages/shared/src/Part.sol": contractNamed("Part"),
      "node_modules/.pnpm/@acme+base@1.0.0/node_modules/@acme/base/Owned.sol": contractNamed(
        "Owned",
        "./Base.sol",
      ),
      "node_modules/.pnpm/@acme+base@1.0.0/node_modules/@acme/base/Base.sol": contractNamed("Base"),
    },
  },
  {
    name: "a workspace whose packages are hoisted and whose siblings are linked, built elsewhere",
    root: "packages/app",
    profile: "release",
    files: {
      "packages/app/foundry.toml": settings(
        'libs = ["../../node_modules", "lib"]',
        'allow_paths = ["../.."]',
        'build_info_path = "records"',
        "[profile.release]",
        'out = "out-release/contracts"',
        'cache_path = "cached/release"',
        "optimizer = true",
      ),
      "packages/app/src/Vault.sol": contractNamed("Vault", "@acme/base/Owned.sol", "shared/Shared.sol"),
      "packages/app/test/Vault.t.sol": contractNamed("VaultTest", "../src/Vault.sol"),
      "packages/app/lib/shared": "->../../shared",
      "packages/shared/src/Shared.sol": contractNamed("Shared", "./Part.sol"),
      "packages/shared/src/Part.sol": contractNamed("Part"),
      "node_modules/@acme/base/Owned.sol": contractNamed("Owned", "./Base.sol"),
      "node_modules/@acme/base/Base.sol": contractNamed("Base"),
    },
  },
  {
    name: "the old form of profiles, and libraries by the profile that is built",
    profile: "ci",
    files: {
      "foundry.toml": settings(
        "gas_limit = 9223372036854775807",
        "[ci]",
        "optimizer_runs = 4",
        "via-ir = true",
      )
        // Below the profile of the new form, which has no runs.
        .concat("[profile.ci]\noptimizer = true\n"),
      "src/Vault.sol": contractNamed("Vault", "x/X.sol"),
      "lib/dep/foundry.toml":
        '[profile.default]\nremappings = ["x/=wrong/"]\n[profile.ci]\nremappings = ["x/=code/"]\n',
      "lib/dep/code/X.sol": contractNamed("X"),
      "lib/dep/wrong/X.sol": contractNamed("Y"),
    },
  },
  {
    name: "a folder of libraries that is itself a link",
    root: "app",
    files: {
      "app/foundry.toml": settings('allow_paths = [".."]'),
      "app/src/Vault.sol": contractNamed("Vault", "tokens/Token.sol"),
      "app/lib": "->../vendored",
      "vendored/tokens/src/Token.sol": contractNamed("Token", "./Part.sol"),
      "vendored/tokens/src/Part.sol": contractNamed("Part"),
    },
  },
  {
    name: "a profile on top of the default one",
    profile: "release",
    files: {
      "foundry.toml": settings(
        "optimizer = true",
        "optimizer_runs = 7",
        "[profile.release]",
        "optimizer_runs = 900",
        "via_ir = true",
        'evm_version = "paris"',
        'out = "out-release"',
      ),
      "src/Vault.sol": contractNamed("Vault"),
    },
  },
  {
    name: "a profile that extends a file of the company",
    profile: "release",
    files: {
      "foundry.toml": settings(
        'remappings = ["own/=lib/own/"]',
        "[profile.release]",
        'extends = "company/base.toml"',
        "optimizer = true",
      ),
      "company/base.toml":
        '[profile.default]\nsrc = "contracts"\noptimizer_runs = 3\n[profile.release]\nvia_ir = true\nbytecode_hash = "none"\n',
      "contracts/Vault.sol": contractNamed("Vault", "own/Own.sol"),
      "lib/own/Own.sol": contractNamed("Own"),
    },
  },
  {
    name: "compiler profiles and restrictions",
    files: {
      "foundry.toml": settings(
        'evm_version = "cancun"',
        'additional_compiler_profiles = [{ name = "zz", optimizer_runs = 5 }, { name = "aa", optimizer_runs = 7 },',
        '  { name = "ir", via_ir = true }, { name = "old", evm_version = "paris" },',
        '  { name = "bare", bytecode_hash = "None", optimizer = true }]',
        'compilation_restrictions = [{ paths = "src/few/*.sol", min_optimizer_runs = 3, max_optimizer_runs = 10 },',
        '  { paths = "./src/[I-J]*.sol", via_ir = true }, { paths = "**/{Old,Older}.sol", max_evm_version = "shanghai" },',
        '  { paths = "src/Bare.sol", bytecode_hash = "None" }, { paths = "src/Plain.sol", via_ir = false }]',
      ),
      "src/Vault.sol": contractNamed("Vault"),
      "src/few/Few.sol": contractNamed("Few"),
      "src/few/deeper/Fewer.sol": contractNamed("Fewer"),
      "src/UsesFew.sol": contractNamed("UsesFew", "./few/Few.sol"),
      "src/Ir.sol": contractNamed("Ir"),
      "src/Old.sol": contractNamed("Old"),
      "src/deep/Older.sol": contractNamed("Older"),
      "src/Bare.sol": contractNamed("Bare"),
      "src/Plain.sol": contractNamed("Plain"),
    },
  },
  {
    name: "Soldeer's dependencies",
    files: {
      "foundry.toml": settings(
        'libs = ["dependencies"]',
        "[dependencies]",
        '"@acme-base" = "5.0.0"',
        'solids = { version = "0.1.0", url = "https://example.org/solids.zip" }',
      ),
      "remappings.txt": "@acme-base-5.0.0/=dependencies/@acme-base-5.0.0/\n",
      "src/Vault.sol": contractNamed("Vault", "@acme-base-5.0.0/Base.sol", "solids-0.1.0/Solid.sol"),
      "dependencies/@acme-base-5.0.0/Base.sol": contractNamed("Base"),
      "dependencies/solids-0.1.0/src/Solid.sol": contractNamed("Solid"),
    },
  },
  {
    name: "Soldeer's dependencies that no setting names as libraries",
    files: {
      "foundry.toml": settings("[dependencies]", 'solids = "0.1.0"'),
      "src/Vault.sol": contractNamed("Vault"),
      "dependencies/solids-0.1.0/src/Solid.sol": contractNamed("Solid"),
    },
  },
  {
    name: "no remappings but its own",
    files: {
      "foundry.toml": settings("auto_detect_remappings = false", 'remappings = ["tokens/=lib/tokens/src/"]'),
      "src/Vault.sol": contractNamed("Vault", "tokens/Token.sol"),
      "lib/tokens/src/Token.sol": contractNamed("Token"),
      "lib/tokens/foundry.toml": '[profile.default]\nremappings = ["more/=src/"]\n',
    },
  },
  {
    name: "linked libraries, no metadata at all, and literal sources",
    files: {
      "foundry.toml": settings(
        'libraries = ["src/Double.sol:Double:0x5fbdb2315678afecb367f032d93f642f64180aa3", "./src/Triple.sol:Triple:0x5FbDB2315678afecb367f032d93F642f64180aa3"]',
        'bytecode_hash = "none"',
        "cbor_metadata = false",
        'revert_strings = "strip"',
        "use_literal_content = true",
      ),
      "src/Vault.sol": `pragma solidity >=0.8.0;\nimport "./Double.sol";\ncontract Vault { function f(uint a) external pure returns (uint) { return Double.twice(a); } }\n`,
      "src/Double.sol": LIBRARY("Double"),
      "src/Triple.sol": LIBRARY("Triple"),
    },
  },
  {
    name: "libraries that are linked by the names that a remapping gives them",
    files: {
      "foundry.toml": settings(
        'remappings = ["@maths/=lib/maths/src/"]',
        'libraries = ["@maths/Double.sol:Double:0x5fbdb2315678afecb367f032d93f642f64180aa3"]',
      ),
      "src/Vault.sol": `pragma solidity >=0.8.0;\nimport "@maths/Double.sol";\ncontract Vault { function f(uint a) external pure returns (uint) { return Double.twice(a); } }\n`,
      "lib/maths/src/Double.sol": LIBRARY("Double"),
    },
  },
  {
    name: "an old compiler that knows few of the settings",
    solc: "0.7.6",
    files: {
      "foundry.toml": settings('revert_strings = "debug"', "optimizer = true", "cbor_metadata = true"),
      "src/Vault.sol": contractNamed("Vault"),
    },
  },
  {
    name: "the details of the optimizer",
    files: {
      "foundry.toml": settings(
        "optimizer = true",
        "[profile.default.optimizer_details]",
        "yul = true",
        "constantOptimizer = false",
        "[profile.default.optimizer_details.yulDetails]",
        "stackAllocation = false",
        'optimizerSteps = "u"',
      ),
      "src/Vault.sol": contractNamed("Vault"),
    },
  },
  {
    name: "the details of the optimizer by names that forge passes over",
    files: {
      "foundry.toml": settings(
        "optimizer = true",
        "[profile.default.optimizer_details]",
        "yul = true",
        "constant_optimizer = false",
        "simpleCounterForLoopUncheckedIncrement = false",
        "note = true",
        "[profile.default.optimizer_details.yul_details]",
        "stackAllocation = false",
      ),
      "src/Vault.sol": contractNamed("Vault"),
    },
  },
  {
    name: "a number of runs that does not turn the optimizer on",
    files: { "foundry.toml": settings("optimizer_runs = 0"), "src/Vault.sol": contractNamed("Vault") },
  },
  {
    name: "imports from the project's root, and its sources in contracts",
    solc: "0.8.24",
    files: {
      "foundry.toml": settings(),
      "contracts/Vault.sol": contractNamed(
        "Vault",
        "contracts/math/Rounding.sol",
        "lib/tokens/src/Token.sol",
      ),
      "contracts/math/Rounding.sol": contractNamed("Rounding", "../Base.sol"),
      "contracts/Base.sol": contractNamed("Base"),
      "lib/tokens/src/Token.sol": contractNamed("Token", "./Part.sol"),
      "lib/tokens/src/Part.sol": contractNamed("Part"),
    },
  },
];

const LIBS = [
  ["lib"],
  ["lib"],
  ["lib", "node_modules"],
  ["node_modules"],
  ["lib", "vendor/deps"],
  ["../shared"],
  ["./lib/"],
  ["lib", "../node_modules"],
  ["packages"],
] as const;
const LIBRARY_NAMES = [
  "dep",
  "a",
  "b",
  "@scope",
  "ds-test",
  "solmate",
  "test",
  "src",
  "code",
  "openzeppelin-contracts",
] as const;
const SEGMENTS = [
  "src",
  "contracts",
  "lib",
  "dep",
  "a",
  "@scope",
  "interfaces",
  "node_modules",
  "test",
  ".git",
] as const;
const TARGETS = [
  "src/",
  "lib/dep/src/",
  "contracts/",
  "lib/q/",
  "./lib/a/",
  "lib/b",
  "../shared/b/src/",
] as const;
const CONTEXTS = ["", "", "", "", "lib/a:", "src/:", "lib/dep/:", "./src:", "../shared/:", ":"] as const;
const PREFIXES = [
  "x/",
  "dep/",
  "a/b/",
  "solmate",
  "@scope/a/",
  "y/A.sol",
  "dep",
  "test/",
  "src",
  "ds-test/",
  "code/",
] as const;

/** A layout whose configuration, folders and links are drawn at random; nothing in it compiles. */
export function randomFoundryLayout(dice: Random): FoundryLayout {
  const libs = dice.pick(LIBS);
  const files: Record<string, string> = {
    ...libraries(dice, libs),
    "app/foundry.toml": [
      ...(dice.below(8) ? [] : ["[default]", ...values(dice)]),
      "[profile.default]",
      ...extension(dice),
      ...values(dice, libs),
      "[profile.ci]",
      ...(dice.below(4) ? [] : extension(dice)),
      ...values(dice, dice.below(6) ? undefined : libs),
      ...(dice.below(8) ? [] : ["[ci]", ...values(dice)]),
      ...(dice.below(8) ? [] : ["[profile.ci.optimizer_details]", "yul = true"]),
    ].join(dice.pick(["\n", "\n", "\r\n"])),
    "app/base.toml": ["[profile.default]", ...values(dice, libs), "[profile.ci]", ...values(dice, libs)].join(
      "\n",
    ),
  };
  if (dice.below(3) === 0)
    files["app/remappings.txt"] = some(dice, 3, () => remapping(dice)).join(
      dice.pick(["\n", "\r\n", "\n\n", " \n  "]),
    );
  const profile = dice.pick(["default", "default", "ci", "ci", "none"]);
  const environment = dice.below(3) === 0;
  if (environment) files["app/.env"] = variables(dice).join(dice.pick(["\n", "\r\n"]));
  return {
    name: "random",
    // `../shared` lies beside the project.
    files: Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path.replace("app/../", ""), text]),
    ),
    root: "app",
    // Without one, the variables say which it is.
    ...((!environment || dice.below(3) === 0) && { profile }),
  };
}

/** What a `.env` sets, among them what is not for forge. */
function variables(dice: Random): string[] {
  const lines = (chance: number, name: string, ...choices: readonly [string, ...string[]]) => {
    if (dice.below(chance) > 0) return [];
    const prefix = dice.pick(["FOUNDRY_", "FOUNDRY_", "FOUNDRY_", "DAPP_", "foundry_"]);
    const value = dice.pick(choices);
    const quote = /["']/.test(value) ? "" : dice.pick(["", "", '"', "'"]);
    const end = dice.below(4) ? "" : " # as it was deployed";
    return [`${dice.below(4) ? "" : "export "}${prefix}${name}=${quote}${value}${quote}${end}`];
  };
  return [
    "PRIVATE_KEY=0x1234",
    ...lines(3, "PROFILE", "ci", "default", "none"),
    ...lines(2, "OPTIMIZER", "true", "false"),
    ...lines(2, "OPTIMIZER_RUNS", "4242", "0", "1"),
    ...lines(3, "VIA_IR", "true", "false"),
    "",
    "# of the deployment",
    ...lines(3, "EVM_VERSION", "london", "Cancun"),
    ...lines(4, "BYTECODE_HASH", "none", "bzzr1"),
    ...lines(4, "CBOR_METADATA", "false"),
    ...lines(4, "SRC", "code", "./contracts"),
    ...lines(4, "OUT", "build"),
    ...lines(4, "LIBS", '["lib"]', '["deps","lib"]'),
    ...lines(4, "REMAPPINGS", "env/=lib/env/", "dep/=vendor/dep/"),
  ];
}

/** Pieces of a `.env`, of which many make a line that can't be read. */
const DOTENV_PIECES = [
  ..."FOUNDRY_SRC=x|FOUNDRY_SRC=y|FOUNDRY_OUT=|A=|B=z|$A|${A}|${B|'|\"|\\|\t|#|q|=|export |\\n|\\$|w|b c|é".split(
    "|",
  ),
  ..." |\n|\n|\n|\n\n|\r\n".split("|"),
] as unknown as readonly [string, ...string[]];

/** Values of variables of forge's, many of which it does not take for the name. */
const DOTENV_VALUES = [
  ..."5|+5|-0|007|5.|0x10|99999999999|true|True| true |paris|'paris'|none|NONE|contracts| contracts ".split(
    "|",
  ),
  ...'"paris"|[a,b]| [ "a" , b c,] |[a,b]x|[[a]]|[]|{yul=true}|{yul=true,peephole = false}|{"yul"=true|{"yul":true}'.split(
    "|",
  ),
  ...'"a\\u00e9"|src/A.sol:A:0x01,b:B:0x02|[c:C:0x03]||0.8.20|0.8|1|a/=b/'.split("|"),
] as unknown as readonly [string, ...string[]];
const DOTENV_NAMES = [
  ..."OPTIMIZER OPTIMIZER_RUNS OPTIMIZER_DETAILS OPTIMIZER_DETAILS.YUL VIA_IR EVM_VERSION BYTECODE_HASH LIBS".split(
    " ",
  ),
  ..."LIBRARIES SKIP SRC OUT BUILD_OPTIMIZE BUILD_OPTIMIZE_RUNS INCLUDE_PATHS PROFILE REMAPPINGS CONFIG".split(
    " ",
  ),
] as unknown as readonly [string, ...string[]];

/** A project with a `.env` that strains the grammar, or the values, of what forge reads there. */
export function randomDotenvLayout(dice: Random): FoundryLayout {
  const quoted = (value: string) =>
    value.includes("'") ? `"${value.replaceAll(/["\\$]/g, "\\$&")}"` : `'${value}'`;
  // Which versions there are is the compiler's: what may be none by its form alone is told.
  const value = (name: string) =>
    name === "EVM_VERSION"
      ? dice.pick(["paris", '"paris"', " Cancun ", "paris#x", "`paris`", "5", ""])
      : dice.pick(DOTENV_VALUES);
  const variable = (): string => {
    const name = dice.pick(DOTENV_NAMES);
    const prefix = dice.pick(["FOUNDRY_", "FOUNDRY_", "DAPP_", "DAPP_TEST_", "foundry_"]);
    const drawn = value(name);
    // An empty list is a table without entries to forge; here it is told that it is none.
    if (name === "OPTIMIZER_DETAILS" && drawn === "[]") return variable();
    return `${prefix}${name}=${quoted(drawn)}`;
  };
  const lines = dice.below(2)
    ? Array.from({ length: 2 + dice.below(14) }, () => dice.pick(DOTENV_PIECES)).join("")
    : Array.from({ length: 1 + dice.below(3) }, variable).join("\n");
  return {
    name: "random",
    files: {
      ".env": `${lines}\nFOUNDRY_CACHE_PATH=last\n`,
      "foundry.toml":
        "[profile.default]\noptimizer_details = { peephole = true }\n[profile.CI]\noptimizer_runs = 777\n",
      "contracts/A.sol": "contract A {}",
    },
  };
}

function some<T>(dice: Random, most: number, draw: () => T): T[] {
  return Array.from({ length: dice.below(most + 1) }, draw);
}

function remapping(dice: Random): string {
  return `${dice.pick(CONTEXTS)}${dice.pick(PREFIXES)}=${dice.pick(TARGETS)}`;
}

function extension(dice: Random): string[] {
  if (dice.below(3) === 0) return [];
  const value = dice.pick([
    '"base.toml"',
    '"./base.toml"',
    '{ path = "base.toml", strategy = "replace-arrays" }',
    '{ path = "base.toml", strategy = "extend-arrays" }',
  ]);
  return [`extends = ${value}`];
}

/** Settings of a profile, some of them with hyphens. */
function values(dice: Random, libs?: readonly string[]): string[] {
  const lines = (chance: number, name: string, ...choices: readonly [unknown, ...unknown[]]) =>
    dice.below(chance) > 0
      ? []
      : [`${dice.below(4) ? name : name.replaceAll("_", "-")} = ${JSON.stringify(dice.pick(choices))}`];
  return [
    ...(libs && dice.below(5) ? [`libs = ${JSON.stringify(libs)}`] : []),
    ...lines(3, "optimizer", true, false),
    ...lines(3, "optimizer_runs", 0, 1, 200, 999999, 4294967295),
    ...lines(4, "via_ir", true, false),
    ...lines(4, "evm_version", "paris", "shanghai", "Cancun", "london"),
    ...lines(5, "bytecode_hash", "none", "ipfs", "bzzr1"),
    ...lines(5, "cbor_metadata", false, true),
    ...lines(
      5,
      "remappings",
      some(dice, 3, () => remapping(dice)),
    ),
    ...lines(6, "out", "build", "./out2/", "../built"),
    ...lines(6, "src", "code", "./contracts", "src/", "."),
    ...lines(8, "test", "spec", "src/test"),
    ...lines(8, "script", "tools"),
    ...lines(10, "auto_detect_remappings", false, true),
    ...lines(10, "include_paths", ["inc"], ["inc", "../shared"]),
    ...lines(10, "libraries", ["src/A.sol:A:0x5fbdb2315678afecb367f032d93f642f64180aa3"]),
    ...lines(10, "cache_path", "cached", "../cache"),
    ...lines(10, "broadcast", "sent"),
    ...lines(10, "build_info_path", "infos"),
    ...lines(10, "use_literal_content", true),
    ...lines(10, "revert_strings", "strip", "debug"),
    ...lines(10, "skip", ["*.t.sol"]),
    ...lines(12, "auto_detect_solc", false),
    // Beyond what a number holds exactly.
    ...(dice.below(8) ? [] : ["gas_limit = 9223372036854775807"]),
  ];
}

/** Folders of libraries, with sources at any depth, projects, and links among them. */
function libraries(dice: Random, libs: readonly string[]): Record<string, string> {
  const files: Record<string, string> = {};
  const put = (path: string, text: string) => {
    // Nothing lies below a file or a link.
    const above = path.split("/").map((_part, at, parts) => parts.slice(0, at).join("/"));
    const taken = Object.keys(files).some((one) => one === path || one.startsWith(`${path}/`));
    if (!taken && !above.some((one) => Object.hasOwn(files, one))) files[path] = text;
  };
  for (const lib of new Set(["lib", "node_modules", "../shared", ...libs])) {
    if (!libs.includes(lib) && dice.below(3) === 0) continue;
    const folder = plain(`app/${lib}`);
    if (dice.below(12) === 0) {
      // The folder of the libraries lies elsewhere.
      put(folder, `->${"../".repeat(folder.split("/").length - 1)}vendored`);
      put(`vendored/${dice.pick(LIBRARY_NAMES)}/src/A.sol`, "contract A {}");
      continue;
    }
    for (let at = dice.below(3); at > 0 && dice.below(2) === 0; at--) {
      const up = "../".repeat(folder.split("/").length);
      const target = dice.pick(["store/pkg", "store/pkg", "shared/b", "app/src"]);
      put(`${folder}/${dice.pick(LIBRARY_NAMES)}`, `->${up}${target}`);
      put("store/pkg/contracts/A.sol", "contract A {}");
      put("shared/b/src/A.sol", "contract A {}");
      put("app/src/A.sol", "contract A {}");
      if (dice.below(3) === 0)
        put("store/pkg/foundry.toml", '[profile.default]\nremappings = ["q/=lib/q/"]\n');
    }
    for (let at = 0; at <= dice.below(5); at++) {
      const inner = some(dice, 4, () => dice.pick(SEGMENTS));
      put(
        [folder, dice.pick(LIBRARY_NAMES), ...inner, dice.pick(["A.sol", "B.sol", "c.txt"])].join("/"),
        "contract A {}",
      );
    }
    // Of two that call for one name the place on the disk decides.
    for (let at = dice.below(4); at > 0; at--) {
      const library = `${folder}/${dice.pick(LIBRARY_NAMES)}`;
      put(`${library}/foundry.toml`, libraryConfiguration(dice));
      if (dice.below(2))
        put(`${library}/remappings.txt`, `${some(dice, 2, () => remapping(dice)).join("\n")}\n`);
      if (dice.below(3) === 0) {
        put(`${library}/lib/${dice.pick(LIBRARY_NAMES)}/foundry.toml`, libraryConfiguration(dice));
        put(`${library}/lib/${dice.pick(LIBRARY_NAMES)}/src/A.sol`, "contract A {}");
      }
    }
  }
  return files;
}

function libraryConfiguration(dice: Random): string {
  return [
    "[profile.default]",
    ...(dice.below(2) ? [`src = "${dice.pick(["src", "contracts", "custom", "./src", "src/"])}"`] : []),
    `remappings = ${JSON.stringify(some(dice, 2, () => remapping(dice)))}`,
    ...(dice.below(3) ? [] : ['libs = ["lib"]']),
    ...(dice.below(6) ? [] : ["auto_detect_remappings = false"]),
    ...(dice.below(12) ? [] : ["gas_limit = 9223372036854775807"]),
    ...(dice.below(6) ? [] : ["[profile.ci]", `remappings = ${JSON.stringify([remapping(dice)])}`]),
  ].join("\n");
}

/** A path without `.` and empty parts, and with `..` taken as it climbs. */
function plain(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")
    .replace("app/../", "");
}
