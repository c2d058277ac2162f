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

/** A layout whose configuration and folders are drawn at random; nothing in it compiles. */
export function randomFoundryLayout(dice: Random): FoundryLayout {
  const files: Record<string, string> = {};
  const libs = dice.pick([
    ["lib"],
    ["lib"],
    ["lib", "node_modules"],
    ["node_modules"],
    ["lib", "vendor/deps"],
    ["../shared"],
    ["./lib/"],
  ]);
  const names = ["dep", "a", "b", "@scope", "ds-test", "solmate", "test", "src", "code"] as const;
  const segments = [
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
  const targets = [
    "src/",
    "lib/dep/src/",
    "contracts/",
    "lib/q/",
    "./lib/a/",
    "lib/b",
    "../shared/b/src/",
  ] as const;
  const remapping = () =>
    `${dice.pick(["", "", "", "lib/a:", "src/:", "lib/dep/:"])}${dice.pick(["x/", "dep/", "a/b/", "solmate", "@scope/a/", "y/A.sol", "dep", "test/", "src"])}=${dice.pick(targets)}`;
  const some = <T>(draw: () => T, most: number) => Array.from({ length: dice.below(most + 1) }, draw);
  for (const lib of new Set(["lib", "node_modules", "../shared", ...libs])) {
    if (!libs.includes(lib) && dice.below(3) === 0) continue;
    for (let at = 0; at <= dice.below(5); at++) {
      const inner = some(() => dice.pick(segments), 4);
      files[["app", lib, dice.pick(names), ...inner, dice.pick(["A.sol", "B.sol", "c.txt"])].join("/")] =
        "contract A {}";
    }
    // Of two that call for one name the place on the disk decides.
    for (let at = dice.below(4); at > 0; at--) {
      const library = ["app", lib, dice.pick(names)].join("/");
      const own = [
        "[profile.default]",
        ...(dice.below(2) ? [`src = "${dice.pick(["src", "contracts", "custom"])}"`] : []),
        `remappings = ${JSON.stringify(some(remapping, 2))}`,
        ...(dice.below(3) ? [] : ['libs = ["lib"]']),
        ...(dice.below(6) ? [] : ["auto_detect_remappings = false"]),
      ];
      files[`${library}/foundry.toml`] = own.join("\n");
      if (dice.below(2)) files[`${library}/remappings.txt`] = `${some(remapping, 2).join("\n")}\n`;
    }
  }
  const values = () => [
    ...(dice.below(3) ? [] : ["optimizer = " + dice.pick(["true", "false"])]),
    ...(dice.below(3)
      ? []
      : [`${dice.pick(["optimizer_runs", "optimizer-runs"])} = ${dice.pick([0, 1, 200, 999999])}`]),
    ...(dice.below(4) ? [] : [`${dice.pick(["via_ir", "via-ir"])} = true`]),
    ...(dice.below(4) ? [] : [`evm_version = "${dice.pick(["paris", "shanghai", "Cancun", "london"])}"`]),
    ...(dice.below(5) ? [] : [`bytecode_hash = "${dice.pick(["none", "ipfs", "bzzr1"])}"`]),
    ...(dice.below(5) ? [] : ["cbor_metadata = false"]),
    ...(dice.below(5) ? [] : [`remappings = ${JSON.stringify(some(remapping, 3))}`]),
    ...(dice.below(6) ? [] : [`out = "${dice.pick(["build", "./out2/"])}"`]),
    ...(dice.below(6) ? [] : [`src = "${dice.pick(["code", "./contracts", "src/"])}"`]),
  ];
  files["app/foundry.toml"] = [
    "[profile.default]",
    ...(dice.below(5) ? [`libs = ${JSON.stringify(libs)}`] : []),
    ...(dice.below(3)
      ? []
      : [`extends = ${dice.pick(['"base.toml"', '{ path = "base.toml", strategy = "replace-arrays" }'])}`]),
    ...values(),
    "[profile.ci]",
    ...values(),
  ].join("\n");
  files["app/base.toml"] = ["[profile.default]", ...values(), "[profile.ci]", ...values()].join("\n");
  if (dice.below(3) === 0) files["app/remappings.txt"] = `${some(remapping, 3).join("\n")}\n`;
  return {
    name: "random",
    // `../shared` lies beside the project.
    files: Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path.replace("app/../", ""), text]),
    ),
    root: "app",
    profile: dice.pick(["default", "ci"]),
  };
}
