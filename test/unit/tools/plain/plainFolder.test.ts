import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findWorkspaceContract } from "../../../../src/core/languages/workspaceContract.ts";
import { plainFolderInput, type PlainFolderOptions } from "../../../../src/core/tools/plain/plainFolder.ts";
import { AdmittedSources } from "../../../../src/core/sources/admittedSources.ts";
import { memoryFiles } from "../../files/memoryFiles.ts";

const FOLDER = "/home/me/vault";

async function build(
  files: Readonly<Record<string, string | Uint8Array>>,
  contract: string,
  { links, ...options }: PlainFolderOptions & { links?: Readonly<Record<string, string>> } = {},
) {
  const reader = memoryFiles(files, links);
  const found = await findWorkspaceContract(reader, [FOLDER], contract);
  const sources = await AdmittedSources.of(reader, { folders: [FOLDER] });
  const source = await sources.at(found.path);
  assert.ok(source && "bytes" in source);
  return plainFolderInput(reader, sources, { ...found, source }, options);
}

const fails = (code: string, message: RegExp) => (error: unknown) => {
  const { code: actual, message: said } = error as { code: string; message: string };
  assert.equal(actual, code);
  assert.match(said, message);
  return true;
};

describe("Compiler input of a plain folder", () => {
  it("holds what is reachable, under the names by which the compiler asks", async () => {
    const input = await build(
      {
        [`${FOLDER}/contracts/A.sol`]:
          'pragma solidity ^0.8.20; import "./lib/B.sol"; import "pkg/C.sol"; import "@oz/D.sol"; contract A {}',
        [`${FOLDER}/contracts/lib/B.sol`]: 'pragma solidity <0.8.30; import "../A.sol";',
        [`${FOLDER}/contracts/Unrelated.sol`]: "contract U {}",
        [`${FOLDER}/node_modules/pkg/C.sol`]: "",
        [`/home/me/node_modules/@openzeppelin/contracts/D.sol`]: "",
        [`/home/me/node_modules/@openzeppelin/contracts/package.json`]:
          '{ "name": "@openzeppelin/contracts" }',
        [`${FOLDER}/remappings.txt`]: "@oz/=@openzeppelin/contracts/\n",
      },
      "contracts/A.sol:A",
    );
    assert.deepEqual(Object.keys(input.stdJsonInput.sources), [
      "@openzeppelin/contracts/D.sol",
      "contracts/A.sol",
      "contracts/lib/B.sol",
      "pkg/C.sol",
    ]);
    assert.deepEqual(input.stdJsonInput.settings.remappings, ["@oz/=@openzeppelin/contracts/"]);
    assert.equal(input.contractIdentifier, "contracts/A.sol:A");
    assert.equal(input.compilerVersion, "0.8.29+commit.ab55807c");
    assert.deepEqual(
      input.files.filter(({ origin }) => origin === "dependency").map(({ name }) => name),
      ["pkg/C.sol", "@openzeppelin/contracts/D.sol"],
    );
  });

  it("keeps the bytes as they are on disk", async () => {
    const content = "contract A {}\r\n// ü ends without a line break\r\n\t";
    const input = await build({ [`${FOLDER}/A.sol`]: content }, "A.sol:A");
    assert.equal(input.stdJsonInput.sources["A.sol"]?.content, content);
  });

  it("leaves a byte-order mark out and says so", async () => {
    const input = await build({ [`${FOLDER}/A.sol`]: "\ufeffcontract A {}" }, "A.sol:A");
    assert.equal(input.stdJsonInput.sources["A.sol"]?.content, "contract A {}");
    assert.match(input.warnings.join(), /A\.sol begins with a byte-order mark/);
  });

  it("stops at a file that is no UTF-8", async () => {
    const bytes = new Uint8Array([0x63, 0xff, 0xfe]);
    await assert.rejects(
      build({ [`${FOLDER}/A.sol`]: bytes }, "A.sol:A"),
      fails("source_not_utf8", /A\.sol is not valid UTF-8/),
    );
  });

  it("stops at an import that leads nowhere, with file, line and every place", async () => {
    const files = { [`${FOLDER}/src/A.sol`]: '\n\nimport "./B.sol";\nimport "pkg/C.sol";\ncontract A {}' };
    await assert.rejects(
      build(files, "src/A.sol:A"),
      fails(
        "import_not_found",
        /^src\/A\.sol, line 3: the import "\.\/B\.sol" was not found \(and 1 more import\); looked in src\/B\.sol, node_modules\/src\/B\.sol, \/home\/me\/node_modules\/src\/B\.sol/,
      ),
    );
  });

  it("sends no file from outside the open folders, neither by a remapping nor by a link", async () => {
    const files = {
      [`${FOLDER}/A.sol`]: 'import "secret/keys.sol"; contract A {}',
      [`${FOLDER}/B.sol`]: 'import "./link.sol"; contract B {}',
      [`${FOLDER}/remappings.txt`]: "secret/=/home/me/private/",
      "/home/me/private/keys.sol": "",
    };
    await assert.rejects(
      build(files, "A.sol:A"),
      fails("import_outside_project", /leads to \/home\/me\/private\/keys\.sol, outside/),
    );
    const links = { [`${FOLDER}/link.sol`]: "/home/me/private/keys.sol" };
    await assert.rejects(
      build(files, "B.sol:B", { links }),
      fails("import_outside_project", /line 1: the import "\.\/link\.sol" leads to/),
    );
  });

  it("reads pnpm's linked packages under their logical names", async () => {
    const store = `${FOLDER}/node_modules/.pnpm/pkg@1.0.0/node_modules/pkg/C.sol`;
    const input = await build(
      { [`${FOLDER}/A.sol`]: 'import "pkg/C.sol"; contract A {}', [store]: "library C {}" },
      "A.sol:A",
      { links: { [`${FOLDER}/node_modules/pkg/C.sol`]: store } },
    );
    assert.deepEqual(Object.keys(input.stdJsonInput.sources), ["A.sol", "pkg/C.sol"]);
  });

  it("names the contracts that there are when the name is wrong or has no code", async () => {
    const files = {
      [`${FOLDER}/A.sol`]: "interface I {} abstract contract Base {} contract A is Base {} library L {}",
    };
    await assert.rejects(
      build(files, "A.sol:B"),
      fails("contract_not_found", /has no contract B\. It has A, L\./),
    );
    await assert.rejects(build(files, "A.sol:I"), fails("abstract_contract", /I in A\.sol is an interface/));
    await assert.rejects(
      build(files, "A.sol:Base"),
      fails("abstract_contract", /Base in A\.sol is an abstract contract/),
    );
  });

  it("names the pragmas that exclude each other", async () => {
    const files = {
      [`${FOLDER}/A.sol`]: 'pragma solidity ^0.8.0;\nimport "./B.sol";\ncontract A {}',
      [`${FOLDER}/B.sol`]: "\npragma solidity 0.7.6;",
    };
    await assert.rejects(
      build(files, "A.sol:A"),
      fails("no_compiler", /A\.sol, line 1 \(\^0\.8\.0\) and B\.sol, line 2 \(0\.7\.6\)/),
    );
    const given = await build(files, "A.sol:A", { compilerVersion: "v0.8.28" });
    assert.equal(given.compilerVersion, "0.8.28+commit.7893614a");
  });

  it("completes the optimizer and passes other settings through", async () => {
    const input = await build({ [`${FOLDER}/A.sol`]: "contract A {}" }, "A.sol:A", {
      settings: { optimizer: { enabled: true }, viaIR: true, evmVersion: "paris" },
    });
    const { optimizer, viaIR, evmVersion } = input.stdJsonInput.settings as Record<string, unknown>;
    assert.deepEqual(
      { optimizer, viaIR, evmVersion },
      { optimizer: { enabled: true, runs: 200 }, viaIR: true, evmVersion: "paris" },
    );
  });

  it("takes paths with backslashes, drive letters and absolute ones", async () => {
    const files = memoryFiles({ "/c:/vault/src/A.sol": "contract A {}" });
    for (const text of [
      "src\\A.sol:A",
      "C:\\vault\\src\\A.sol:A",
      "/c:/vault/src/A.sol:A",
      "./src/A.sol:A",
    ]) {
      const { path } = await findWorkspaceContract(files, ["/c:/vault"], text);
      assert.equal(path, "/c:/vault/src/A.sol", text);
    }
    await assert.rejects(
      findWorkspaceContract(files, ["/c:/vault"], "../other/A.sol:A"),
      fails("invalid_contract", /not in an open folder/),
    );
  });
});
