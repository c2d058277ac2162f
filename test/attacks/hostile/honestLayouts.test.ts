import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { rememberedDisk } from "../../rig/rememberedDisk.ts";
import { publishReviewInPieces } from "../../../src/core/jobs/publishReview.ts";
import { writeTree } from "../../oracles/writeTree.ts";
import { builtInput, RECORDS } from "./waysIntoInput.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-layouts-")));
after(() => {
  rmSync(base, { recursive: true, force: true });
});

let layouts = 0;

/** The input of a contract below a folder that has these files and links, with some folder in it opened. */
async function inputOf(
  files: Readonly<Record<string, string>>,
  contract: string,
  opened = "",
): Promise<CompilerInput> {
  const top = join(base, String(layouts++));
  writeTree(top, files);
  const folder = join(top, opened);
  return contractInput(
    rememberedDisk,
    [folder],
    await findWorkspaceContract(rememberedDisk, [folder], contract),
  );
}

/** Where each source of an input belongs, by the last part of its name. */
const origins = ({ files }: CompilerInput) =>
  Object.fromEntries(files.map(({ name, origin }) => [name.slice(name.lastIndexOf("/") + 1), origin]));
const codes = ({ findings }: CompilerInput) => findings.map(({ code }) => code);

const importing = (...paths: readonly string[]) =>
  `pragma solidity ^0.8.0; ${paths.map((path) => `import "${path}";`).join(" ")} contract A {}`;
const B = "pragma solidity ^0.8.0; contract B {}";
const C = "pragma solidity ^0.8.0; contract C {}";
/** A key of no account, put together so that none stands in the repository. */
const SECRET = `pragma solidity ^0.8.0; // PRIVATE_KEY=${"8f3a1b".repeat(10)}c0de\ncontract B {}`;
const manifest = (name: string) => JSON.stringify({ name, version: "1.0.0" });

describe("A project that people have", () => {
  it("takes a sibling of its monorepo, marked as no part of the project", async () => {
    const input = await inputOf(
      {
        "packages/core/foundry.toml": '[profile.default]\nremappings = ["@shared/=../shared/src/"]\n',
        "packages/core/src/A.sol": importing("@shared/B.sol"),
        "packages/shared/src/B.sol": B,
      },
      "packages/core/src/A.sol:A",
    );
    assert.equal(origins(input)["B.sol"], "workspace");
    assert.match(
      input.findings.find(({ code }) => code === "outside_project")?.sentence ?? "",
      /shared\/src\/B\.sol.* outside the project, elsewhere in the open folders/,
    );
    const { files } = atOnce(publishReviewInPieces(input, { host: "sourcify.dev" }));
    assert.deepEqual(
      files.filter(({ unit }) => unit.endsWith("B.sol")).map(({ place }) => place),
      ["outside"],
    );
  });

  it("takes packages of npm's workspaces through their links, and looks into them for secrets", async () => {
    const input = await inputOf(
      {
        "package.json": '{ "workspaces": ["packages/*"] }',
        "node_modules/@me/shared": "->../../packages/shared",
        "node_modules/@oz/lib/package.json": manifest("@oz/lib"),
        "node_modules/@oz/lib/C.sol": SECRET.replace("contract B", "contract C"),
        "packages/shared/package.json": manifest("@me/shared"),
        "packages/shared/B.sol": SECRET,
        "packages/core/hardhat.config.js": 'module.exports = { solidity: "0.8.28" };',
        "packages/core/contracts/A.sol": importing("@me/shared/B.sol", "@oz/lib/C.sol"),
      },
      "packages/core/contracts/A.sol:A",
    );
    assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "workspace", "C.sol": "dependency" });
    assert.deepEqual(
      input.findings.filter(({ code }) => code === "possible_secret").map(({ path }) => path?.slice(-8)),
      ["ed/B.sol"],
      "the linked package's secret is told, the registry's is public already",
    );
  });

  it("takes what pnpm keeps behind links in the opened folder", async () => {
    const kept = "node_modules/.pnpm/@oz+lib@1.0.0/node_modules/@oz/lib";
    const input = await inputOf(
      {
        [`${kept}/package.json`]: manifest("@oz/lib"),
        [`${kept}/B.sol`]: B,
        "packages/core/node_modules/@oz/lib": `->../../../../${kept}`,
        "packages/core/contracts/A.sol": importing("@oz/lib/B.sol"),
        "packages/core/hardhat.config.js": 'module.exports = { solidity: "0.8.28" };',
      },
      "packages/core/contracts/A.sol:A",
    );
    assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "dependency" });
    assert.deepEqual(codes(input), []);
  });

  it("takes a package that is installed above the opened folder, of npm or behind a link of pnpm", async () => {
    const kept = "node_modules/.pnpm/pkg@1.0.0/node_modules/pkg";
    for (const files of [
      { "node_modules/pkg/package.json": manifest("pkg"), "node_modules/pkg/B.sol": B },
      {
        [`${kept}/package.json`]: manifest("pkg"),
        [`${kept}/B.sol`]: B,
        "node_modules/pkg": "->.pnpm/pkg@1.0.0/node_modules/pkg",
      },
      {
        "node_modules/pkg/package.json": manifest("other"),
        "node_modules/pkg/B.sol": B,
        "package.json": '{ "dependencies": { "pkg": "npm:other@^1.0.0" } }',
      },
    ]) {
      const input = await inputOf(
        { ...files, "packages/core/contracts/A.sol": importing("pkg/B.sol") },
        "contracts/A.sol:A",
        "packages/core",
      );
      assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "dependency" });
    }
  });

  it("does not take what only lies in a node_modules above, or is linked from there", async () => {
    for (const files of [
      { "node_modules/pkg/B.sol": B },
      { "node_modules/pkg/package.json": manifest("other"), "node_modules/pkg/B.sol": B },
      { "else/package.json": manifest("pkg"), "else/B.sol": B, "node_modules/pkg": "->../else" },
      { "else/pkg/package.json": manifest("pkg"), "else/pkg/B.sol": B, node_modules: "->else" },
      {
        "node_modules/pkg/package.json": manifest("pkg"),
        "node_modules/pkg/B.sol": "->../../B.sol",
        "B.sol": B,
      },
    ] as Readonly<Record<string, string>>[]) {
      const input = inputOf(
        { ...files, "packages/core/contracts/A.sol": importing("pkg/B.sol") },
        "contracts/A.sol:A",
        "packages/core",
      );
      await assert.rejects(input, { code: "import_outside_project" }, JSON.stringify(files));
    }
  });

  it("takes libraries of Foundry and libraries in these, and looks into what a person may have written there", async () => {
    const input = await inputOf(
      {
        "foundry.toml": "",
        "src/A.sol": importing("dep/B.sol"),
        "lib/dep/src/B.sol": `import "inner/C.sol"; ${SECRET}`,
        "lib/dep/lib/inner/src/C.sol": C,
      },
      "src/A.sol:A",
    );
    assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "dependency", "C.sol": "dependency" });
    assert.ok(codes(input).includes("possible_secret"));
  });

  it("takes no folder for a dependency because it holds the project", async () => {
    const input = await inputOf(
      {
        "core/foundry.toml": '[profile.default]\nlibs = [".."]\n',
        "core/src/A.sol": importing("shared/B.sol"),
        "shared/B.sol": B,
      },
      "core/src/A.sol:A",
    );
    assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "workspace" });
  });

  it("takes the packages of a virtual environment", async () => {
    const input = await inputOf(
      {
        "contracts/A.vy": "# pragma version 0.4.3\nfrom pkg import B\n",
        ".venv/pyvenv.cfg": "",
        ".venv/lib/python3.12/site-packages/pkg/B.vy": "# B\n",
      },
      "contracts/A.vy:A",
    );
    assert.deepEqual(origins(input), { "A.vy": "project", "B.vy": "dependency" });
  });

  it("may itself be opened through a link", async () => {
    const input = await inputOf(
      { "real/contracts/A.sol": importing("./B.sol"), "real/contracts/B.sol": B, opened: "->real" },
      "contracts/A.sol:A",
      "opened",
    );
    assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "project" });
  });

  it("may link its own files to each other", async () => {
    const input = await inputOf(
      { "contracts/A.sol": importing("./B.sol"), "other/B.sol": B, "contracts/B.sol": "->../other/B.sol" },
      "contracts/A.sol:A",
    );
    assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "project" });
    assert.deepEqual(codes(input), []);
  });
});

describe("A record of a build", () => {
  it("is used for packages of packages, through the links of pnpm, as Hardhat 3 names them", async () => {
    const { record, files } = RECORDS["Hardhat 3"];
    const kept = (name: string) => `node_modules/.pnpm/${name}@1.0.0/node_modules/${name}`;
    const a = importing("pkg/B.sol");
    const input = await inputOf(
      {
        ...files,
        "contracts/A.sol": a,
        [`${kept("pkg")}/package.json`]: manifest("pkg"),
        [`${kept("pkg")}/B.sol`]: 'import "deep/C.sol"; contract B {}',
        [`${kept("deep")}/package.json`]: manifest("deep"),
        [`${kept("deep")}/C.sol`]: C,
        "node_modules/pkg": `->.pnpm/pkg@1.0.0/node_modules/pkg`,
        "node_modules/.pnpm/pkg@1.0.0/node_modules/deep": "->../../deep@1.0.0/node_modules/deep",
        ...record({
          ...builtInput("Solidity", {
            "project/contracts/A.sol": a,
            "npm/pkg@1.0.0/B.sol": 'import "deep/C.sol"; contract B {}',
            "npm/deep@1.0.0/C.sol": C,
          }),
          settings: {
            remappings: ["project/:pkg/=npm/pkg@1.0.0/", "npm/pkg@1.0.0/:deep/=npm/deep@1.0.0/"],
          },
        }),
      },
      "contracts/A.sol:A",
    );
    assert.equal(input.source, "build-info", JSON.stringify(input.findings));
    assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "dependency", "C.sol": "dependency" });
    assert.deepEqual(input.changedSinceBuild, []);
  });

  it("is used for a package that another package has installed under another name", async () => {
    const { record, files } = RECORDS["Hardhat 3"];
    const a = importing("pkg/B.sol");
    const b = 'import "old@1.0.0/C.sol"; contract B {}';
    const input = await inputOf(
      {
        ...files,
        "contracts/A.sol": a,
        "node_modules/pkg/package.json": JSON.stringify({
          name: "pkg",
          version: "2.0.0",
          dependencies: { "old-1": "npm:old@1.0.0" },
        }),
        "node_modules/pkg/B.sol": b,
        "node_modules/old/package.json": JSON.stringify({ name: "old", version: "3.0.0" }),
        "node_modules/old-1/package.json": manifest("old"),
        "node_modules/old-1/C.sol": C,
        ...record({
          ...builtInput("Solidity", {
            "project/contracts/A.sol": a,
            "npm/pkg@2.0.0/B.sol": b,
            "npm/old@1.0.0/C.sol": C,
          }),
          settings: {
            remappings: ["project/:pkg/=npm/pkg@2.0.0/", "npm/pkg@2.0.0/:old@1.0.0/=npm/old@1.0.0/"],
          },
        }),
      },
      "contracts/A.sol:A",
    );
    assert.equal(input.source, "build-info", JSON.stringify(input.findings));
    assert.deepEqual(input.changedSinceBuild, []);
  });

  it("is used as another machine made it, where the files here have the very texts", async () => {
    const { record, files } = RECORDS.Foundry;
    const a = importing("/build/agent/vault/lib/dep/src/B.sol");
    const input = await inputOf(
      {
        ...files,
        "src/A.sol": a,
        "lib/dep/src/B.sol": B,
        ...record(builtInput("Solidity", { "src/A.sol": a, "/build/agent/vault/lib/dep/src/B.sol": B })),
      },
      "src/A.sol:A",
    );
    assert.equal(input.source, "build-info");
    assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "dependency" });
  });

  it("is used for what Remix fetched", async () => {
    const { record, files } = RECORDS.Remix;
    const a = importing("@oz/lib/B.sol", "https://github.com/me/it/blob/main/C.sol");
    const input = await inputOf(
      {
        ...files,
        "contracts/A.sol": a,
        ".deps/npm/@oz/lib/B.sol": B,
        ".deps/github/me/it/C.sol": C,
        ...record(
          builtInput("Solidity", {
            "contracts/A.sol": a,
            "@oz/lib/B.sol": B,
            "https://github.com/me/it/blob/main/C.sol": C,
          }),
        ),
      },
      "contracts/A.sol:A",
    );
    assert.equal(input.source, "build-info", JSON.stringify(input.findings));
    assert.deepEqual(origins(input), { "A.sol": "project", "B.sol": "dependency", "C.sol": "dependency" });
  });

  it("is used with a changed file only as a stale one", async () => {
    const { record, files } = RECORDS.Foundry;
    const input = await inputOf(
      { ...files, "src/A.sol": B, ...record(builtInput("Solidity", { "src/A.sol": importing() })) },
      "src/A.sol:A",
    );
    assert.deepEqual(
      input.changedSinceBuild.map(({ name, change }) => [name, change]),
      [["src/A.sol", "edited"]],
    );
  });
});

describe("What is no source by its name", () => {
  for (const [what, files, contract] of [
    [
      "an import of .env",
      { "contracts/A.sol": importing("./.env"), "contracts/.env": "// KEY=1" },
      "contracts/A.sol:A",
    ],
    [
      "a source that is a link to .env",
      { "contracts/A.sol": importing("./B.sol"), ".env": "// KEY=1", "contracts/B.sol": "->../.env" },
      "contracts/A.sol:A",
    ],
    [
      "a remapping to .env",
      { "contracts/A.sol": importing("b.sol"), ".env": "// KEY=1", "remappings.txt": "b.sol=.env\n" },
      "contracts/A.sol:A",
    ],
    [
      "JSON that is no interface",
      { "contracts/A.vy": "# pragma version 0.4.3\nimport key\n", "contracts/key.json": '{ "key": 1 }' },
      "contracts/A.vy:A",
    ],
  ] as const) {
    it(`asks: ${what}`, async () => {
      const input = await inputOf(files, contract);
      const found = input.findings.filter(({ code }) => code === "not_a_source");
      assert.equal(found.length, 1);
      assert.equal(found[0]?.severity, "warning");
      const { concerns, files: published } = atOnce(publishReviewInPieces(input, { host: "sourcify.dev" }));
      assert.ok(concerns.some(({ code }) => code === "not_a_source"));
      assert.match(published[0]?.concerns[0] ?? "", /by its name|without an interface/);
    });
  }

  it("is not told of an interface in JSON", async () => {
    const input = await inputOf(
      {
        "contracts/A.vy": "# pragma version 0.4.3\nimport B\n",
        "contracts/B.json": '{ "abi": [{ "type": "function", "name": "f", "inputs": [], "outputs": [] }] }',
      },
      "contracts/A.vy:A",
    );
    assert.deepEqual(codes(input), []);
  });
});
