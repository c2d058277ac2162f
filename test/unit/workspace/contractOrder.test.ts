import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSupporting, supportingLast } from "../../../src/core/workspace/contractOrder.ts";
import { workspaceDeployments } from "../../../src/core/workspace/workspaceDeployments.ts";
import { memoryFolders } from "../files/memoryFolders.ts";

const of = (path: string, name: string) =>
  isSupporting({ path: `/home/test/vault/${path}`, name }, ["/home/test/vault"]);

describe("A script, a test or a mock", () => {
  it("is told by its file, its folder or its name", () => {
    for (const [path, name] of [
      ["script/Deploy.s.sol", "Deploy"],
      ["test/Vault.t.sol", "VaultTest"],
      ["src/Vault.t.sol", "Checks"],
      ["contracts/mocks/Token.sol", "Token"],
      ["contracts/Tokens.sol", "MockToken"],
      ["contracts/TokenMock.sol", "TokenMock"],
      ["contracts/token_mock.vy", "token_mock"],
      ["packages/core/Test/Helper.sol", "Helper"],
    ] as const)
      assert.ok(of(path, name), path);
  });

  it("is nothing that is only called alike, nor what lies in a folder of that name as a whole", () => {
    for (const [path, name] of [
      ["src/Vault.sol", "Vault"],
      ["src/Testament.sol", "Testament"],
      ["src/Attestation.sol", "Attestation"],
      ["src/Mockingbird.sol", "Mockingbird"],
      ["contracts/latest/Registry.sol", "Registry"],
      ["contracts/Scripted.sol", "Scripted"],
    ] as const)
      assert.ok(!of(path, name), path);
  });

  it("stands last in every list of what was deployed, however new it is", async () => {
    const run = (at: number, contractName: string) => ({
      transactions: [
        {
          hash: `0x${String(at).repeat(64)}`,
          transactionType: "CREATE",
          contractName,
          contractAddress: `0x${String(at).repeat(40)}`,
        },
      ],
      receipts: [],
      chain: 1,
      timestamp: at,
    });
    const files = memoryFolders({
      "/w/foundry.toml": "",
      "/w/src/Vault.sol": "",
      "/w/broadcast/A.s.sol/1/run-latest.json": JSON.stringify(run(1, "Vault")),
      "/w/broadcast/B.s.sol/1/run-latest.json": JSON.stringify(run(2, "MockToken")),
    });
    const contracts = [
      { path: "/w/src/MockToken.sol", name: "MockToken" },
      { path: "/w/src/Vault.sol", name: "Vault" },
    ];
    const { found } = await workspaceDeployments(files, ["/w"], contracts);
    assert.deepEqual(
      found.map(({ defined }) => defined?.name),
      ["Vault", "MockToken"],
    );
    const names = ["MockToken", "Unknown", "Vault"];
    const last = supportingLast(names, (name) => contracts.find((one) => one.name === name), ["/w"]);
    assert.deepEqual(last, ["Unknown", "Vault", "MockToken"]);
  });
});
