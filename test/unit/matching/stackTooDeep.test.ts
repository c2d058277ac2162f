import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compilerErrorCauses } from "../../../src/core/matching/causes/compilerMessages.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";

const MESSAGE = "CompilerError: Stack too deep. Try compiling with `--via-ir` while enabling the optimizer.";

/** What is told first of a contract that a release doesn't compile with some settings, and whether there is a button. */
function toldOf(compilerVersion: string, settings: CompilerSettings): readonly [string, boolean] {
  const error = {
    customCode: "compiler_error",
    message: "Compiler error",
    errorData: { compilerErrors: [{ severity: "error", message: MESSAGE, formattedMessage: MESSAGE }] },
  };
  const submitted = {
    compilerVersion,
    contractIdentifier: "A.sol:A",
    stdJsonInput: {
      language: "Solidity" as const,
      sources: { "A.sol": { content: "contract A {}" } },
      settings,
    },
  };
  const [first] = compilerErrorCauses(error, submitted, undefined);
  assert.ok(first);
  return [first.code, first.action?.kind === "resubmit"];
}

const OPTIMIZER = { enabled: true, runs: 200 };

describe("A stack that is too deep", () => {
  it("is put right by what was not sent yet: the pipeline via IR, or its optimizer", () => {
    assert.deepEqual(toldOf("0.8.28", {}), ["via_ir", true]);
    assert.deepEqual(toldOf("0.8.28", { optimizer: OPTIMIZER }), ["via_ir", true]);
    assert.deepEqual(toldOf("0.8.28", { viaIR: true }), ["optimizer", true]);
  });

  it("is put right by nothing that the release does not take", () => {
    assert.deepEqual(toldOf("0.6.12", {}), ["optimizer", true]);
    assert.deepEqual(toldOf("0.6.12", { optimizer: OPTIMIZER }), ["compiler_error", false]);
  });

  it("is a fault of the sources where both were sent", () => {
    assert.deepEqual(toldOf("0.8.28", { viaIR: true, optimizer: OPTIMIZER }), ["compiler_error", false]);
  });
});
