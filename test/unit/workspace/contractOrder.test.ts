import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSupporting } from "../../../src/core/workspace/contractOrder.ts";

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
});
