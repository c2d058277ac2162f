import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { Submittable } from "../../../src/core/matching/resubmission.ts";
import { searchSettings } from "../../../src/core/settingsSearch/settingsSearch.ts";
import type { CompileRelease } from "../../../src/core/settingsSearch/settingsAttempt.ts";

const given: Submittable = {
  compilerVersion: "0.7.6+commit.7338295f",
  contractIdentifier: "src/Vault.sol:Vault",
  stdJsonInput: {
    language: "Solidity",
    sources: { "src/Vault.sol": { content: "contract Vault {}" } },
    settings: { optimizer: { enabled: true, runs: 25 } },
  },
};
/** A code without metadata, and one that differs from it. */
const [DEPLOYED, OTHER] = ["6001600255fe", "6001600355fe"];

const outOfMemory = () =>
  new LedgerLensError("compiler_out_of_memory", "solc 0.7.6 needs more memory than it may have.");

/** A compiler that is only told apart by its settings. */
const compilerOf =
  (codeOf: (settings: Record<string, unknown>) => string): CompileRelease =>
  (_, input) => {
    const { settings } = JSON.parse(input) as { settings: Record<string, unknown> };
    return Promise.resolve().then(() => {
      const evm = { deployedBytecode: { object: codeOf(settings), linkReferences: {} } };
      return JSON.stringify({ contracts: { "src/Vault.sol": { Vault: { metadata: "{}", evm } } } });
    });
  };

const search = (compile: CompileRelease) =>
  searchSettings(given, `0x${DEPLOYED}`, {
    compile,
    threads: 1,
    limitSeconds: 20,
    prove: ({ stdJsonInput }) =>
      Promise.resolve(
        stdJsonInput.settings.evmVersion === "byzantium"
          ? ({ verdict: "match", runtimeMatch: "match" } as never)
          : undefined,
      ),
  });

describe("A search for settings whose compiler breaks down", () => {
  it("goes on with other settings", async () => {
    let broken = 0;
    const { found } = await search(
      compilerOf(({ optimizer, evmVersion }) => {
        if (evmVersion === "byzantium") return DEPLOYED;
        if ((optimizer as { enabled?: boolean }).enabled === true) return OTHER;
        broken++;
        throw outOfMemory();
      }),
    );
    assert.ok(broken > 0, "what it dies of was tried");
    assert.equal(found?.submission.stdJsonInput.settings.evmVersion, "byzantium");
  });

  it("says what the compiler died of where nothing else was to be tried with", async () => {
    const compile = compilerOf(() => {
      throw outOfMemory();
    });
    await assert.rejects(search(compile), { code: "compiler_out_of_memory" });
  });
});
