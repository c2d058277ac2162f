import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Hardhat3Resolver } from "../../../../src/core/tools/hardhat/hardhat3Remappings.ts";
import { remappingsIn } from "../../../../src/core/languages/solidity/remapping.ts";
import { below, memoryFolders } from "../../files/memoryFolders.ts";

const ROOT = "/home/me/till";
const LISTED = "# @oz/=lib/oz/\n@b/=lib/b/\n";

/** The name that Hardhat 3 gives to what a file of the project imports. */
function named(files: Readonly<Record<string, string>>, importPath: string): Promise<string> {
  const config = { root: ROOT, readsForge: true };
  const resolver = new Hardhat3Resolver(memoryFolders(below(ROOT, files)), config, {} as never);
  return resolver.nameOf(importPath, { name: "project/contracts/Till.sol" } as never);
}

describe("A line of `remappings.txt` that begins with #", () => {
  it("is a remapping to forge, as it lists them itself", () => {
    assert.deepEqual(remappingsIn(LISTED), ["# @oz/=lib/oz/", "@b/=lib/b/"]);
  });

  it("is a comment to Hardhat 3", async () => {
    const files = { "remappings.txt": LISTED };
    assert.equal(await named(files, "@b/B.sol"), "project/lib/b/B.sol");
    assert.equal(await named(files, "# @oz/A.sol"), "# @oz/A.sol");
  });

  it("is a remapping to Hardhat 3 where its plugin asks forge", async () => {
    const files = { "remappings.txt": LISTED, "foundry.toml": "" };
    assert.equal(await named(files, "# @oz/A.sol"), "project/lib/oz/A.sol");
  });
});
