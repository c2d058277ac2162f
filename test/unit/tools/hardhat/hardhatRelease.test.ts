import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hardhatRelease } from "../../../../src/core/tools/hardhat/hardhatRelease.ts";
import { inputFrom } from "../../compilerInput/inputFrom.ts";
import { below, memoryFolders } from "../../files/memoryFolders.ts";

const ROOT = "/home/me/vault";

/** The release for a project with this manifest: `2`, `3`, or `3?` where that is not sure. */
async function releaseFor(manifest: object, name = "hardhat.config.js"): Promise<string> {
  const files = memoryFolders(below(ROOT, { "package.json": JSON.stringify(manifest), [name]: "" }));
  const { major, isUnsure } = await hardhatRelease(files, ROOT, `${ROOT}/${name}`);
  return `${major}${isUnsure ? "?" : ""}`;
}

const asking = (hardhat: string) => ({ type: "module", devDependencies: { hardhat } });

describe("The release of Hardhat of a project in which none is installed", () => {
  it("is the one that every release of the range in package.json has", async () => {
    for (const range of [
      "<3",
      "<2",
      "^2.22",
      "~2.22.1",
      "2",
      "2.x",
      ">1 <3",
      "2.0.0 - 2.22.0",
      ">=2.22.5 <2.23",
    ])
      assert.equal(await releaseFor(asking(range)), "2", range);
    for (const range of [
      ...["^3.0.0", ">3", "3", "3.x", "v3.1.4", ">=3", ">2 <4", "^3.0.0-next.12", ">=3.0.0-0 <4", "^3 || ^4"],
      ...["npm:hardhat@^3.0.0", "npm:@scope/hardhat2@3.0.1", "workspace:^3.0.0"],
    ])
      assert.equal(await releaseFor(asking(range)), "3", range);
  });

  it("is said to be unsure where package.json allows both, or names no range", async () => {
    for (const range of [
      ...["*", "x", "", ">=2.0.0", ">1 <4", "^2 || ^3", "latest", "next", "workspace:*", "catalog:"],
      ...["file:../hardhat3", "https://x/hardhat-3.0.0.tgz", "github:NomicFoundation/hardhat#v-next"],
      " 3".repeat(1_000),
    ])
      assert.equal(await releaseFor(asking(range)), "3?", range.slice(0, 40));
  });

  it("is 2 wherever Hardhat 3 would refuse the package or not look for the configuration", async () => {
    assert.equal(await releaseFor({ devDependencies: { hardhat: "*" } }), "2");
    assert.equal(await releaseFor(asking("*"), "hardhat.config.cjs"), "2");
    assert.equal((await hardhatRelease(memoryFolders({}), ROOT)).major, 2);
  });

  it("is asked for in any kind of dependencies", async () => {
    for (const kind of ["devDependencies", "dependencies", "optionalDependencies", "peerDependencies"])
      assert.equal(await releaseFor({ [kind]: { hardhat: "^3" } }), "3", kind);
    assert.equal(
      await releaseFor({ devDependencies: { hardhat: "^2" }, peerDependencies: { hardhat: ">=3" } }),
      "2",
    );
  });

  it("is told of before a contract is submitted by the names of an unsure one", async () => {
    const input = async (hardhat: string) =>
      inputFrom(
        ROOT,
        {
          "package.json": JSON.stringify(asking(hardhat)),
          "hardhat.config.ts": 'export default { solidity: "0.8.28" };',
          "contracts/A.sol": "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract A {}",
        },
        "contracts/A.sol:A",
      );
    const unsure = await input("catalog:");
    assert.equal(unsure.contractIdentifier, "project/contracts/A.sol:A");
    const sentences = unsure.findings.map(({ sentence }) => sentence);
    assert.ok(
      sentences.some((one) => one.startsWith("Whether Hardhat 2 or 3 reads hardhat.config.ts is not known:")),
      sentences.join("\n"),
    );
    const sure = await input("^3.0.0");
    assert.equal(sure.contractIdentifier, "project/contracts/A.sol:A");
    assert.ok(!sure.findings.some(({ sentence }) => sentence.startsWith("Whether Hardhat")));
  });
});
