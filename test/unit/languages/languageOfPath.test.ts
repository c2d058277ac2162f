import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { memoryFolders } from "../files/memoryFolders.ts";
import { languageOfPath } from "../../../src/core/languages/language.ts";
import { foundryArtifacts } from "../../../src/core/tools/foundry/foundryArtifacts.ts";

describe("The ending of a path", () => {
  it("tells the language of a source, and nothing of what is only called as it", () => {
    for (const [path, language] of [
      ["src/Vault.sol", "Solidity"],
      ["/contracts/a.b/Vault.vy", "Vyper"],
      ["sol", undefined],
      ["/out/sol", undefined],
      ["a.sol/readme", undefined],
      ["lib.sol/vy", undefined],
      ["Vault.", undefined],
    ] as const)
      assert.equal(languageOfPath(path), language, path);
  });

  it("hides no artifact that forge put below a folder called sol", async () => {
    const files = memoryFolders({
      "/p/foundry.toml": "[profile.default]\n",
      "/p/out/Vault.sol/Vault.json": "{}",
      "/p/out/sol/Vault.sol/Vault.json": "{}",
    });
    const contract = { path: "/p/../shared/sol/Vault.sol", contractName: "Vault" };
    assert.deepEqual(await foundryArtifacts({ files, root: "/p", configuration: "foundry.toml" }, contract), [
      "/p/out/Vault.sol/Vault.json",
      "/p/out/sol/Vault.sol/Vault.json",
    ]);
  });
});
