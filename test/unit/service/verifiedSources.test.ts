import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readVerifiedSources } from "../../../src/core/service/verifiedSources.ts";

describe("The files of a verified contract", () => {
  it("begin with the file of the contract, whose name may hold colons", () => {
    const { contractName, files } = readVerifiedSources({
      compilation: { fullyQualifiedName: "https://example.org/Vault.sol:Vault" },
      sources: { "lib/Base.sol": { content: "base" }, "https://example.org/Vault.sol": { content: "vault" } },
    });
    assert.equal(contractName, "Vault");
    assert.deepEqual(
      [...files],
      [
        ["https://example.org/Vault.sol", "vault"],
        ["lib/Base.sol", "base"],
      ],
    );
  });

  it("are read whatever else a service says, and whatever the files are called", () => {
    const answer: unknown = JSON.parse(
      '{"compilation":7,"sources":{"__proto__":{"content":"a"},"../../etc/passwd":{"content":"b"},"x":{"content":7}}}',
    );
    const { contractName, files } = readVerifiedSources(answer);
    assert.equal(contractName, "");
    assert.deepEqual(
      [...files],
      [
        ["__proto__", "a"],
        ["../../etc/passwd", "b"],
      ],
    );
    assert.equal(readVerifiedSources({ sources: null }).files.size, 0);
    assert.equal(readVerifiedSources(undefined).files.size, 0);
  });
});
