import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toolNamings } from "../../../src/core/compilerInput/toolNamings.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { SourceNaming } from "../../../src/core/languages/solidity/sourceNaming.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";

const ROOT = "/home/me/till";

const TILL =
  'pragma solidity ^0.8.0; import "@openzeppelin/contracts/access/Ownable.sol"; contract Till is Ownable {}';
const OWNABLE = "pragma solidity ^0.8.0; contract Ownable {}";
const PACKAGED = {
  "node_modules/@openzeppelin/contracts/access/Ownable.sol": OWNABLE,
  "node_modules/@openzeppelin/contracts/package.json": '{"name":"@openzeppelin/contracts","version":"5.4.0"}',
};

async function namingsIn(files: Readonly<Record<string, string>>, contract: string): Promise<SourceNaming[]> {
  const reader = memoryFolders(below(ROOT, files));
  return toolNamings(reader, [ROOT], await findWorkspaceContract(reader, [ROOT], contract));
}

describe("The names that the tools would give a contract's files", () => {
  it("are Hardhat 3's, too, where a folder without it has the packages that it would name", async () => {
    const namings = await namingsIn({ "contracts/Till.sol": TILL, ...PACKAGED }, "contracts/Till.sol:Till");
    assert.ok(
      namings.some(
        ({ entry, remappings }) =>
          entry === "project/contracts/Till.sol" &&
          remappings.join() === "project/:@openzeppelin/contracts/=npm/@openzeppelin/contracts@5.4.0/",
      ),
      JSON.stringify(namings),
    );
    assert.ok(
      namings.some(({ entry, remappings }) => entry === "contracts/Till.sol" && remappings.length === 0),
    );
  });

  it("have the remappings of each profile of Foundry, and those that the project wrote as they are written", async () => {
    const namings = await namingsIn(
      {
        "foundry.toml":
          '[profile.default]\nsrc = "src"\n[profile.old]\nremappings = ["@openzeppelin/=lib/oz-old/"]\n',
        "remappings.txt": "@openzeppelin/contracts=lib/oz/contracts\n",
        "src/Till.sol": TILL,
        "lib/oz/contracts/access/Ownable.sol": OWNABLE,
        "lib/forge-std/src/Test.sol": "",
      },
      "src/Till.sol:Till",
    );
    const lists = namings.map(({ remappings }) => remappings.join(" "));
    assert.ok(lists.includes("@openzeppelin/contracts=lib/oz/contracts"), lists.join("\n"));
    assert.ok(
      lists.some((one) => one.includes("@openzeppelin/contracts/=lib/oz/contracts/ ")),
      lists.join("\n"),
    );
    assert.ok(
      lists.some((one) => one.includes("@openzeppelin/=lib/oz-old/")),
      lists.join("\n"),
    );
    assert.ok(namings.every(({ entry }) => /^(?:project\/)?src\/Till\.sol$/.test(entry)));
  });

  it("are none that lead outside, and none by a tool that would not find what is imported", async () => {
    const namings = await namingsIn({ "contracts/Till.sol": TILL }, "contracts/Till.sol:Till");
    assert.ok(
      namings.every(({ entry }) => entry === "contracts/Till.sol"),
      JSON.stringify(namings),
    );
  });
});
