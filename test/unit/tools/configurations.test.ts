import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { skippedFiles } from "../../../src/core/files/skippedFiles.ts";
import { rememberingReader } from "../../../src/core/files/folderReader.ts";
import { readFoundryConfig } from "../../../src/core/tools/foundry/foundryConfig.ts";
import { foundryRemappings } from "../../../src/core/tools/foundry/foundryRemappings.ts";
import { readHardhatConfig } from "../../../src/core/tools/hardhat/hardhatConfig.ts";
import { isComputed } from "../../../src/core/tools/scripts/computed.ts";
import { readExportedLiteral, readScript } from "../../../src/core/tools/scripts/literalScript.ts";
import { findProject } from "../../../src/core/tools/project.ts";
import { readTruffleConfig } from "../../../src/core/tools/truffle/truffleConfig.ts";
import { projectsBelow } from "../../../src/core/tools/projectsBelow.ts";
import { WorkspaceIndex } from "../../../src/core/workspace/workspaceIndex.ts";
import { mapFinder } from "../workspace/mapFinder.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";
import { inputFrom } from "../compilerInput/inputFrom.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import { threadMs } from "../../rig/threadTime.ts";

const ROOT = "/home/me/vault";

const sources = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, path.endsWith(".sol") ? "contract C {}" : text]),
  );

describe("The project of a file", () => {
  const at = async (files: Record<string, string>, path: string) => {
    const { root, tools } = await findProject(memoryFolders(below(ROOT, files)), ROOT, `${ROOT}/${path}`);
    return { root: root.slice(ROOT.length + 1), tools: tools.map(({ name }) => name) };
  };

  it("is the nearest one in a monorepo", async () => {
    const files = {
      "package.json": "{}",
      "packages/core/foundry.toml": "",
      "packages/core/src/A.sol": "",
      "packages/periphery/hardhat.config.ts": "",
      "packages/periphery/foundry.toml": "",
      "packages/periphery/contracts/deep/er/B.sol": "",
      "old/truffle-config.js": "",
      "old/contracts/C.sol": "",
      "lonely/D.sol": "",
    };
    assert.deepEqual(await at(files, "packages/core/src/A.sol"), {
      root: "packages/core",
      tools: ["foundry"],
    });
    assert.deepEqual(await at(files, "packages/periphery/contracts/deep/er/B.sol"), {
      root: "packages/periphery",
      tools: ["hardhat", "foundry"],
    });
    assert.deepEqual(await at(files, "old/contracts/C.sol"), { root: "old", tools: ["truffle"] });
    assert.deepEqual(await at(files, "lonely/D.sol"), { root: "", tools: [] });
  });

  it("is the one that builds a library, not the library's own", async () => {
    const files = {
      "foundry.toml": "",
      "lib/solmate/foundry.toml": "",
      "lib/solmate/lib/ds-test/foundry.toml": "",
      "lib/solmate/lib/ds-test/src/test.sol": "",
    };
    assert.deepEqual(await at(files, "lib/solmate/lib/ds-test/src/test.sol"), {
      root: "",
      tools: ["foundry"],
    });
  });

  it("is a plain folder with remappings, a Remix workspace, an Ape or a moccasin project", async () => {
    assert.equal((await at({ "a/remappings.txt": "x/=y/", "a/src/A.sol": "" }, "a/src/A.sol")).root, "a");
    assert.deepEqual(
      (await at({ ".deps/npm/a/A.sol": "", "contracts/A.sol": "" }, "contracts/A.sol")).tools,
      ["remix"],
    );
    assert.deepEqual((await at({ "ape-config.yaml": "", "contracts/A.vy": "" }, "contracts/A.vy")).tools, [
      "ape",
    ]);
    assert.deepEqual((await at({ "moccasin.toml": "", "src/A.vy": "" }, "src/A.vy")).tools, ["moccasin"]);
  });

  it("is told by configurations that are files and by folders that a tool makes, not by their names alone", async () => {
    const none = { root: "", tools: [] };
    assert.deepEqual(await at({ "a/.deps": "all: deps", "a/A.sol": "" }, "a/A.sol"), none);
    for (const name of ["foundry.toml", "hardhat.config.js", "pyproject.toml", "remappings.txt"])
      assert.deepEqual(await at({ [`a/${name}/notes.md`]: "[tool.ape]", "a/A.sol": "" }, "a/A.sol"), none);
  });

  it("is the one with a configuration around sources that alone were shared with Remix", async () => {
    const shared = { "contracts/A.sol": "", "contracts/.deps/npm/oz/Token.sol": "" };
    const hardhat = { ...shared, "hardhat.config.js": "module.exports = {};" };
    assert.deepEqual(await at(hardhat, "contracts/A.sol"), { root: "", tools: ["hardhat"] });
    assert.deepEqual(await at(hardhat, "contracts/.deps/npm/oz/Token.sol"), { root: "", tools: ["hardhat"] });
    const found = await projectsBelow(memoryFolders(below(ROOT, hardhat)), ROOT);
    assert.deepEqual(
      found.map(({ root }) => root),
      [ROOT],
    );
    assert.deepEqual(await at({ ...shared, "pyproject.toml": "[tool.ape]" }, "contracts/A.sol"), {
      root: "",
      tools: ["ape"],
    });
    assert.deepEqual(await at(shared, "contracts/A.sol"), { root: "contracts", tools: ["remix"] });
    assert.deepEqual(await at({ ...hardhat, "contracts/remix.config.json": "{}" }, "contracts/A.sol"), {
      root: "contracts",
      tools: ["remix"],
    });
  });

  it("is one in a folder of libraries of another tool's name, unless the project around it has such a folder", async () => {
    const token = { "packages/lib/token/foundry.toml": "", "packages/lib/token/src/A.sol": "" };
    for (const config of ["hardhat.config.js", "truffle-config.js", "foundry.toml"])
      assert.equal(
        (await at({ ...token, [config]: "" }, "packages/lib/token/src/A.sol")).root,
        "packages/lib/token",
      );
    const library = { "lib/token/hardhat.config.js": "", "lib/token/src/A.sol": "" };
    assert.equal(
      (await at({ ...library, "truffle-config.js": "" }, "lib/token/src/A.sol")).root,
      "lib/token",
    );
    assert.equal((await at({ ...library, "foundry.toml": "" }, "lib/token/src/A.sol")).root, "");
  });

  it("is the one around it where that keeps it in a folder of libraries of its own name", async () => {
    const project = (name: string) => ({ [`${name}/x/foundry.toml`]: "", [`${name}/x/src/A.sol`]: "" });
    const vendor = { ...project("vendor"), ...project("lib"), ...project("dependencies") };
    const libs = { ...vendor, "foundry.toml": "[profile.default]\nlibs = ['vendor']\n" };
    assert.equal((await at(libs, "vendor/x/src/A.sol")).root, "");
    assert.equal((await at(libs, "dependencies/x/src/A.sol")).root, "", "Soldeer's, whatever is configured");
    assert.equal((await at(libs, "lib/x/src/A.sol")).root, "lib/x");
    const index = new WorkspaceIndex({
      files: memoryFolders(below(ROOT, sources(libs))),
      finder: mapFinder(below(ROOT, sources(libs)), [ROOT]),
      folders: () => [ROOT],
    });
    const offered = (await index.contracts()).map(({ path }) => path.slice(ROOT.length + 1));
    assert.deepEqual(offered, ["lib/x/src/A.sol"], "the contracts that are offered are of the same projects");
    const roots = (await projectsBelow(memoryFolders(below(ROOT, libs)), ROOT)).map(({ root }) => root);
    assert.deepEqual(roots, [ROOT, `${ROOT}/lib/x`]);
  });
});

describe("The configuration of a project that has several for one tool", () => {
  const taken = async (endings: readonly string[], hardhat?: string) => {
    const files = memoryFolders(
      below(ROOT, {
        ...Object.fromEntries(endings.map((ending) => [`hardhat.config.${ending}`, ""])),
        ...(hardhat !== undefined && {
          "node_modules/hardhat/package.json": JSON.stringify({ name: "hardhat", version: hardhat }),
        }),
        "contracts/A.sol": "",
      }),
    );
    const { configurations } = await findProject(files, ROOT, `${ROOT}/contracts/A.sol`);
    return [...configurations.values()].map((path) => path.slice(`${ROOT}/hardhat.config.`.length));
  };

  it("is the one that its release of Hardhat takes", async () => {
    for (const release of [undefined, "2.29.1"]) {
      assert.deepEqual(await taken(["cjs", "js"], release), ["cjs"]);
      assert.deepEqual(await taken(["js", "cts"], release), ["cts"]);
      assert.deepEqual(await taken(["js", "mjs", "mts"], release), ["js"]);
      assert.deepEqual(await taken(["cjs", "ts", "mts"], release), ["ts"]);
    }
    assert.deepEqual(await taken(["cjs", "js"], "3.18.0"), ["js"]);
    assert.deepEqual(await taken(["mts", "js", "cts"], "3.18.0"), ["js"]);
    assert.deepEqual(await taken(["js", "ts"], "3.18.0"), ["ts"]);
    assert.deepEqual(await taken(["mts"], "3.18.0"), ["mts"], "the only one, which is given by name");
  });
});

describe("foundry.toml", () => {
  // What forge 1.7.1 prints for this very project (forge config --json, forge remappings).
  const FILES = {
    "foundry.toml": `
[profile.default]
extends = "base/base.toml"
remappings = ["foo=lib/dep/src", "./bar/=./lib/dep/src/", "a.sol=lib/dep/src/X.sol", "ctx:q/=lib/dep/",
  "up/=../p2/", "src:s/=src/", "dep/y/=other/"]
via-ir = true

[profile.ci]
optimizer_runs = 5
`,
    "base/base.toml": `[profile.default]
remappings = ["basemap/=lib/dep/src/"]
optimizer_runs = 77
libs = ["lib"]
`,
    "src/X.sol": "contract X {}",
    "lib/dep/src/X.sol": "contract X {}",
    "lib/dep/foundry.toml": "[profile.default]\n",
    "lib/dep/remappings.txt": "nestedtxt/=lib/inner/src/\n",
    "lib/dep/lib/inner/src/X.sol": "contract X {}",
    "lib/dep2/custom/X.sol": "contract X {}",
    "lib/dep2/foundry.toml":
      '[profile.default]\nsrc = "custom"\nremappings = ["nested/=custom/", "inner/=zzz/"]\nlibs = ["lib"]\n',
  };

  it("is read with what it extends, hyphens and a profile on top", async () => {
    const files = memoryFolders(below(ROOT, FILES));
    const config = await readFoundryConfig(files, ROOT);
    assert.equal(config.optimizerRuns, 77);
    assert.equal(config.viaIr, true);
    assert.deepEqual(config.libs, ["lib"]);
    assert.equal((await readFoundryConfig(files, ROOT, { profile: "ci" })).optimizerRuns, 5);
  });

  it("stands below what the .env of the project sets for forge, of which nothing else is taken", async () => {
    const files = memoryFolders(
      below(ROOT, {
        ...FILES,
        "remappings.txt": "of-file/=lib/file/\n",
        ".env": [
          "PRIVATE_KEY=0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
          "FOUNDRY_PROFILE=ci",
          "export FOUNDRY_VIA_IR=false # as it was deployed",
          'FOUNDRY_OPTIMIZER_RUNS="4242"',
          "FOUNDRY_VYPER_OPTIMIZE=gas",
          "FOUNDRY_LIBS='[vendor, \"lib\"]'",
          "FOUNDRY_REMAPPINGS=first/=lib/first/",
          "FOUNDRY_EVM_VERSION=${NETWORK}",
          "FOUNDRY_CBOR_METADATA=maybe",
        ].join("\n"),
      }),
    );
    const config = await readFoundryConfig(files, ROOT);
    assert.deepEqual(
      [config.profile, config.viaIr, config.optimizerRuns, config.libs, config.vyper],
      ["ci", false, 4242, ["vendor", "lib"], { optimize: "gas" }],
    );
    assert.deepEqual((await foundryRemappings(files, config)).slice(0, 2), [
      "first/=lib/first/",
      "of-file/=lib/file/",
    ]);
    assert.deepEqual(config.problems, [
      ".env makes FOUNDRY_EVM_VERSION of other variables; it is left out.",
      ".env: cbor_metadata has no form that Foundry takes; it is left out.",
    ]);
    assert.doesNotMatch(JSON.stringify(config), /ac0974/);
  });

  it("comes to forge's remappings, in forge's order", async () => {
    const files = memoryFolders(below(ROOT, FILES));
    assert.deepEqual(await foundryRemappings(files, await readFoundryConfig(files, ROOT)), [
      "basemap/=lib/dep/src/",
      "foo/=lib/dep/src/",
      "./bar/=./lib/dep/src/",
      "a.sol=lib/dep/src/X.sol",
      "ctx:q/=lib/dep/",
      "up/=../p2/",
      "src:s/=src/",
      "dep/y/=other/",
      "dep2/=lib/dep2/",
      "inner/=lib/dep2/zzz/",
      "nested/=lib/dep2/custom/",
      "nestedtxt/=lib/dep/lib/inner/src/",
    ]);
  });

  it("takes of two libraries that call for one name the one that the disk lists first, as forge does", async () => {
    const files = memoryFolders(
      below(ROOT, {
        "foundry.toml": "",
        "lib/a/foundry.toml": '[profile.default]\nremappings = ["x/=own/"]\n',
        "lib/b/foundry.toml": '[profile.default]\nremappings = ["x/=own/"]\n',
      }),
    );
    const target = async (...order: readonly string[]) => {
      const disk = { ...files, namesInDiskOrder: () => Promise.resolve(order) };
      const config = await readFoundryConfig(disk, ROOT);
      return (await foundryRemappings(rememberingReader(disk), config)).find((one) => one.startsWith("x/"));
    };
    assert.equal(await target("b", "a"), "x/=lib/b/own/");
    assert.equal(await target("a", "b"), "x/=lib/a/own/");
    assert.equal(await target(), "x/=lib/a/own/");
  });

  it("takes the folders that there are where it names none", async () => {
    const files = memoryFolders(
      below(ROOT, { "foundry.toml": "", "contracts/A.sol": "", "node_modules/a/b": "", "artifacts/x": "" }),
    );
    const { src, out, libs } = await readFoundryConfig(files, ROOT);
    assert.deepEqual({ src, out, libs }, { src: "contracts", out: "artifacts", libs: ["node_modules"] });
  });

  it("says what can't be read, and goes on", async () => {
    const files = rememberingReader(memoryFolders(below(ROOT, { "foundry.toml": "[profile.default\n" })));
    const config = await readFoundryConfig(files, ROOT);
    assert.deepEqual(skippedFiles(files), [
      { path: `${ROOT}/foundry.toml`, reason: "is not valid TOML (line 1)" },
    ]);
    assert.equal(config.src, "src");
  });
});

describe("A configuration script", () => {
  it("is read as data: constants, spreads, types, arithmetic", async () => {
    const read = (await readExportedLiteral(`
      import type { HardhatUserConfig } from "hardhat/config";
      require("dotenv").config(); // "}"
      const RUNS = 10_000, pattern = /[}"]/;
      const optimizer = { enabled: !0, runs: RUNS } as const;
      const settings: Record<string, unknown> = { optimizer, "viaIR": true, evmVersion: \`paris\` };
      const config: HardhatUserConfig = {
        solidity: { compilers: [{ version: "0.8." + "24", settings: { ...settings, debug: undefined } }, { version: '0.7.6' }] },
        networks: { main: { url: process.env.URL ?? "", accounts: [process.env["KEY"]!], gas: 2 ** 32 - 1 } },
        paths: { sources: "./src", },
        async hook(a) { return { b: "}" }; },
        ["compu" + "ted"]: (x) => x > 1 ? {} : [],
      } satisfies HardhatUserConfig;
      export default config;
    `)) as Record<string, Record<string, unknown>>;
    assert.deepEqual(read["solidity"], {
      compilers: [
        {
          version: "0.8.24",
          settings: {
            optimizer: { enabled: true, runs: 10_000 },
            viaIR: true,
            evmVersion: "paris",
            debug: undefined,
          },
        },
        { version: "0.7.6" },
      ],
    });
    assert.deepEqual(read["paths"], { sources: "./src" });
    const main = read["networks"]?.["main"] as Record<string, unknown>;
    // A variable of the environment counts as not set.
    assert.equal(main["url"], "");
    assert.equal(main["gas"], 2 ** 32 - 1);
    assert.ok(isComputed(read["hook"]) && isComputed(read["computed"]));
  });

  it("gives nothing where it exports nothing that can be read, and survives nonsense", async () => {
    assert.equal(await readExportedLiteral("const a = 1;"), undefined);
    for (const text of [
      "export default {",
      "module.exports = {a: [1, }",
      "export default `",
      "export default a.b.c(",
      "/*",
      "export default {...x, a: {}",
    ])
      await assert.doesNotReject(readExportedLiteral(text), text);
    assert.ok(isComputed(await readExportedLiteral("module.exports = async () => ({})")));
    const looped = (await readExportedLiteral("const a = b; const b = a; export default { a };")) as {
      a: unknown;
    };
    assert.ok(isComputed(looped.a));
    assert.equal(
      ((await readExportedLiteral('export default { "__proto__": { x: 1 } }')) as { x?: unknown }).x,
      undefined,
    );
  });
});

describe("A configuration script that imports files of its project", () => {
  const read = (files: Readonly<Record<string, string>>, script: string) =>
    readScript(script, {
      files: memoryFolders(below(ROOT, files)),
      path: `${ROOT}/hardhat.config.ts`,
      opened: ROOT,
    });
  const COMPILERS = [{ version: "0.8.24" }, { version: "0.7.6", settings: { viaIR: false } }];

  it("has what they export, in all the ways in which they are named", async () => {
    const files = {
      "compilers.json": JSON.stringify(COMPILERS),
      "config/solc.ts": `import list from "../compilers.json" with { type: "json" };
        const runs: number = 7;
        export const compilers = list satisfies unknown, optimizer = { enabled: true, runs } as const;
        export default { optimizer };`,
      "config/index.ts": 'export * from "./solc"; export { default as base } from "./solc.js";',
      "mixed.ts": 'import { compilers } from "./config/solc"; module.exports = { compilers };',
      "old.cjs": "module.exports = { compilers: require('./compilers') }; exports.lost = 1;",
    };
    for (const script of [
      'import compilers from "./compilers.json"; export default { compilers };',
      'import { compilers as own } from "./config/solc"; export default { compilers: own };',
      'import * as all from "./config"; export default { compilers: [...all.compilers] };',
      'module.exports = { compilers: require("./compilers.json") };',
      'const { compilers } = require("./old.cjs"); module.exports = { compilers };',
      'import old = require("./old.cjs"); export = { compilers: old.compilers };',
      'import compilers from "./compilers.json"; module.exports = { compilers };',
      'import type { Config } from "hardhat"; import { compilers } from "./config/solc"; const c: Config = { compilers }; export = c;',
      'import mixed from "./mixed"; export default mixed;',
      'import { compilers } from "./config/solc.js"; const config = {}; Object.assign(config, { compilers }); export default config;',
    ])
      assert.deepEqual((await read(files, script)).exported, { compilers: COMPILERS }, script);
    const { exported } = await read(
      files,
      'import { base } from "./config"; export default { ...base, lost: require("./old.cjs").lost };',
    );
    assert.deepEqual(exported, { optimizer: { enabled: true, runs: 7 }, lost: undefined });
  });

  it("names its own line for what they compute, and knows nothing of files elsewhere", async () => {
    const files = {
      "solc.js": "\n\n\nexports.version = pick(); exports.runs = process.env.RUNS ?? 5;",
      "circle.js": 'exports.version = require("./hardhat.config.ts").version;',
      "broken.js": "exports.version = ;",
      "../outside.json": "{}",
    };
    const { exported, unset } = await read(
      files,
      'module.exports = {\n  solidity: require("./solc"),\n  out: require("../outside.json"), circle: require("./circle"), broken: require("./broken") };',
    );
    const { solidity, out, circle, broken } = exported as Record<string, Record<string, unknown>>;
    assert.ok(isComputed(solidity?.["version"]) && solidity["version"].line === 2);
    assert.equal(solidity["version"].code, 'require("./solc")');
    assert.equal(solidity["runs"], 5);
    assert.deepEqual(unset, [{ name: "RUNS", line: 2, property: ["solidity", "runs"] }]);
    assert.ok(isComputed(out) && isComputed(circle?.["version"]) && isComputed(broken));
  });

  it("is known but for the texts that it makes longer than any setting", async () => {
    const long = `const s = "${"x".repeat(60_000)}"; const l = [${"s,".repeat(10_000)}]; const path = require("path");`;
    for (const made of [
      "l.join(s)",
      "l.join()",
      `\`${"${s}".repeat(10_000)}\``,
      "s + s",
      "s.toUpperCase()",
      "path.join(__dirname, ...l)",
      "path.resolve(__dirname, s)",
    ]) {
      const { exported } = await read({}, `${long} module.exports = { solidity: "0.8.20", made: ${made} };`);
      const { solidity, made: value } = exported as { readonly solidity: unknown; readonly made: unknown };
      assert.equal(solidity, "0.8.20", made);
      assert.ok(isComputed(value) && value.path === undefined, made);
    }
    const { exported } = await read(
      {},
      `module.exports = [[1, null, "a"].join(), [2, undefined].join("-")];`,
    );
    assert.deepEqual(exported, ["1,,a", "2-"]);
  });

  it("is read at once also where it calls a long function, or comes by a long loop or condition, again and again", async () => {
    const start = threadMs();
    const long = "x;".repeat(15_000);
    const list = `let l = [${"0,".repeat(100)}]; l = [${"...l,".repeat(50)}];`;
    for (const again of [
      `const o = { f() { return 1; ${long} } }; for (const x of l) o.f();`,
      `for (const x of l) for (const y of []) { ${long} }`,
      `for (const x of l) if (process.env.A) { ${long} }`,
    ]) {
      const { exported } = await read({}, `${list} ${again} module.exports = { solidity: "0.8.20" };`);
      assert.deepEqual(exported, { solidity: "0.8.20" });
    }
    assert.ok(threadMs() - start < 5_000);
  });

  it("is unknown as a whole where it can't be parsed, and where it goes on too long or too deep", async () => {
    const { exported, unreadable } = await read({}, "module.exports = {\n  a: 1,\n  b: [ };");
    assert.ok(isComputed(exported) && exported.line === 3 && exported.code === "b: [ };");
    assert.equal(unreadable, 3);
    for (const endless of [
      "while (true) { let a = 1; }",
      "const f = () => f(); f();",
      "let a = [1]; for (const x of a) { a = [...a, ...a]; a.push(x); }",
      "const a = [0]; a.forEach((x) => a.push(x)); for (const x of a) a.push(x);",
      `const a0 = [1];${Array.from({ length: 60 }, (_, at) => `const a${at + 1} = [...a${at}, ...a${at}];`).join("")}`,
      `${"{".repeat(3_000)}${"}".repeat(3_000)}`,
      `x${".y".repeat(30_000)} = 1;`,
      `const o = { a: {} }; o.a.a = o; module.exports = o;`,
      "const name = { toString: 1 }; const o = {}; delete o[name]; o[name] = 1; o[name]; name in o;",
    ]) {
      const { exported: made } = await read({}, `${endless}\nmodule.exports.solidity = "0.8.20";`);
      const known = isComputed(made) ? undefined : (made as { solidity?: unknown }).solidity;
      assert.ok(isComputed(made) || known === "0.8.20", endless);
      assert.doesNotThrow(() => JSON.stringify(made), endless);
    }
  });
});

describe("A Hardhat configuration", () => {
  const read = (config: string, hardhat: string, profile?: "default" | "production") =>
    readHardhatConfig(
      memoryFolders(
        below(ROOT, {
          "hardhat.config.ts": config,
          "node_modules/hardhat/package.json": JSON.stringify({ name: "hardhat", version: hardhat }),
        }),
      ),
      ROOT,
      `${ROOT}/hardhat.config.ts`,
      profile,
    );

  it("says its folders also by paths that are joined of its own, and no path of the machine in its settings", async () => {
    const { sources, artifacts, problems, compilers } = await read(
      `import { join, resolve } from "node:path";
      export default {
        solidity: { version: "0.8.24", settings: { remappings: [join(__dirname, "lib")] } },
        paths: { sources: join(__dirname, "solidity"), artifacts: resolve(__dirname, "../elsewhere") },
      };`,
      "2.28.0",
    );
    assert.deepEqual([sources, artifacts], [[`${ROOT}/solidity`], "/home/me/elsewhere"]);
    assert.deepEqual(
      problems.filter((one) => one.includes("paths.")),
      [],
    );
    assert.ok(!JSON.stringify(compilers).includes(ROOT));
  });

  it("gets the defaults that Hardhat 2 adds", async () => {
    const { compilers } = await read('module.exports = { solidity: "0.8.24" };', "2.28.0");
    assert.deepEqual(compilers, [
      {
        version: "0.8.24",
        settings: { evmVersion: "paris", optimizer: { enabled: false, runs: 200 } },
        unknown: [],
      },
    ]);
    const old = await read(
      'module.exports = { solidity: { version: "0.8.19", settings: { optimizer: { enabled: true } } } };',
      "2.0.0",
    );
    assert.deepEqual(old.compilers[0]?.settings, { optimizer: { enabled: true, runs: 200 } });
    const overridden = await read(
      'export default { solidity: { compilers: [{ version: "0.8.24" }], overrides: { "contracts/A.sol": { version: "0.7.6" } } } };',
      "2.28.0",
    );
    assert.deepEqual(overridden.overrides["contracts/A.sol"], {
      version: "0.7.6",
      settings: { optimizer: { enabled: false, runs: 200 } },
      unknown: [],
    });
  });

  it("gets the defaults and build profiles of Hardhat 3", async () => {
    const config =
      'export default defineConfig({ solidity: { version: "0.8.28", settings: { viaIR: true } } });';
    assert.deepEqual((await read(config, "3.0.0")).compilers[0]?.settings, {
      viaIR: true,
      evmVersion: "cancun",
    });
    assert.deepEqual((await read(config, "3.0.0", "production")).compilers[0]?.settings, {
      evmVersion: "cancun",
      optimizer: { enabled: true, runs: 200 },
    });
  });

  it("names the line of what it computes", async () => {
    const config = await read(
      'export default {\n  solidity: {\n    version: pick("0.8.20"),\n    settings: { viaIR: true } } };',
      "2.28.0",
    );
    assert.deepEqual(config.problems, [
      'hardhat.config.ts, line 3: solidity.version is computed (pick("0.8.20")), which Ledger Lens does not run; its value is left out.',
    ]);
    const whole = await read("module.exports = makeConfig();", "2.28.0");
    assert.match(whole.problems.join(), /computes its configuration/);
    // Hardhat's own default is for a configuration that names no compiler.
    assert.deepEqual(whole.compilers, []);
    assert.equal(whole.unknownCompilers[0]?.code, "makeConfig()");
    assert.equal((await read("module.exports = {};", "2.28.0")).compilers[0]?.version, "0.7.3");
  });

  it("puts source names and folders below paths.root, which Hardhat 2 alone knows", async () => {
    const script =
      'module.exports = { paths: { root: "packages/core", sources: "./sol", artifacts: "out" } };';
    const own = await read(script, "2.28.0");
    const inner = `${ROOT}/packages/core`;
    assert.deepEqual([own.root, own.sources, own.artifacts], [inner, [`${inner}/sol`], `${inner}/out`]);
    const three = await read(script, "3.18.0");
    assert.deepEqual([three.root, three.sources], [ROOT, [`${ROOT}/sol`]]);
  });

  it("may put what Hardhat writes beside the project, but no sources, which Hardhat refuses there", async () => {
    const folders = 'artifacts: "../web/src/artifacts", deployments: "/srv/records", ignition: "./lit/../.."';
    for (const hardhat of ["2.29.1", "3.18.0"]) {
      const config = await read(
        `module.exports = { solidity: "0.8.24", paths: { sources: "../shared/", ${folders} } };`,
        hardhat,
      );
      const { artifacts, deployments, ignition, sources } = config;
      assert.deepEqual(
        [artifacts, deployments, ignition, sources],
        ["/home/me/web/src/artifacts", "/srv/records", "/home/me", []],
      );
      assert.deepEqual(
        config.problems.filter((one) => one.includes("sources")),
        ["hardhat.config.ts: Hardhat compiles no sources outside the project; /home/me/shared is left out."],
      );
    }
  });
});

describe("A Truffle configuration", () => {
  it("is read the same way", async () => {
    const files = memoryFolders({
      "/t/truffle-config.js":
        'module.exports = { compilers: { solc: { version: "^0.8.19", settings: { optimizer: { enabled: true, runs: 1500 }, evmVersion: "london" } } } };',
    });
    const config = await readTruffleConfig(files, "/t/truffle-config.js");
    assert.deepEqual(config.settings, { optimizer: { enabled: true, runs: 1500 }, evmVersion: "london" });
  });

  it("takes a release as it is, of a range what pragmas and the deployed code decide, and asks for a machine's own", async () => {
    const versions = async (version: string) => {
      const text = `module.exports = {\n  compilers: { solc: { version: "${version}" } } };`;
      const { versions, unknown, problems } = await readTruffleConfig(
        memoryFolders({ "/t/truffle-config.js": text }),
        "/t/truffle-config.js",
      );
      return {
        of: [versions[0], versions.at(-1)],
        asked: unknown.map(({ line }) => line),
        told: problems.length,
      };
    };
    for (const one of ["0.8.19", "v0.8.19", "0.8.19+commit.7dd6d404"])
      assert.deepEqual(await versions(one), { of: ["0.8.19", "0.8.19"], asked: [], told: 0 });
    for (const [range, first, last] of [
      ["~0.7.1", "0.7.1", "0.7.6"],
      ["0.7.x", "0.7.0", "0.7.6"],
      [">=0.6.11 <0.7.2", "0.6.11", "0.7.1"],
    ] as const)
      assert.deepEqual(await versions(range), { of: [first, last], asked: [], told: 1 });
    assert.deepEqual(await versions("pragma"), { of: [undefined, undefined], asked: [], told: 1 });
    for (const one of ["native", "/usr/bin/solc", "nightly"])
      assert.deepEqual(await versions(one), { of: [undefined, undefined], asked: [2], told: 0 });
  });

  it("takes of a range the release that the deployed code names, else the newest that the pragmas allow", async () => {
    const files = {
      "truffle-config.js": 'module.exports = { compilers: { solc: { version: "^0.8.0" } } };',
      "contracts/Vault.sol": "pragma solidity >=0.8.0 <0.8.20; contract Vault {}",
    };
    const by = async (options?: ContractInputOptions) =>
      (await inputFrom("/t", files, "contracts/Vault.sol:Vault", options)).compilerVersion;
    assert.match(await by(), /^0\.8\.19\+/);
    assert.match(await by({ deployedCompilerVersion: "0.8.17" }), /^0\.8\.17\+/);
    assert.match(await by({ deployedCompilerVersion: "0.7.6" }), /^0\.8\.19\+/);
  });

  it("says its folders also beside the project, and which of them it computes", async () => {
    const read = (said: string) =>
      readTruffleConfig(
        memoryFolders({
          "/w/t/truffle-config.js": `const path = require("path");\nmodule.exports = { ${said} };`,
        }),
        "/w/t/truffle-config.js",
      );
    const beside = await read(
      'contracts_directory: "../sol", contracts_build_directory: path.join(__dirname, "../client/src/contracts")',
    );
    assert.deepEqual(
      [beside.contracts, beside.artifacts, beside.problems],
      ["/w/sol", "/w/client/src/contracts", []],
    );
    const computed = await read("contracts_build_directory: path.join(__dirname, process.argv[2])");
    assert.deepEqual([computed.contracts, computed.artifacts], ["/w/t/contracts", "/w/t/build/contracts"]);
    assert.deepEqual(computed.problems, [
      "truffle-config.js, line 2: contracts_build_directory is computed (path.join(__dirname), which Ledger Lens does not run; its value is left out.",
    ]);
  });
});
