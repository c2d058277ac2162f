import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readAs } from "../../../src/core/json/shape.ts";
import { failureSentence } from "../../../src/core/service/failure.ts";
import { errorCodeOf } from "../../../src/core/service/errorCodes.ts";
import { verificationJob } from "../../../src/core/service/job.ts";

/** Every code of a job's error that the public service has had (argotorg/sourcify, `SourcifyLibError.ts` and later). */
const CODES = {
  // The same submission may succeed later.
  later: [
    "contract_not_deployed",
    "cannot_fetch_bytecode",
    "internal_error",
    "compiler_timeout",
    "compiler_out_of_memory",
    "job_abandoned",
    "no_compiler_output",
    "onchain_runtime_bytecode_not_available",
    "onchain_creation_bytecode_not_available",
  ],
  never: [
    "compiled_bytecode_is_zero",
    "extra_file_input_bug",
    "bytecode_length_mismatch",
    "no_match",
    "invalid_language",
    "compiler_error",
    "contract_not_found_in_compiler_output",
    "invalid_compiler_version",
    "unsupported_compiler_version",
    "missing_source",
    "missing_or_invalid_source",
    "invalid_compilation_target",
    "unsupported_language",
    "no_similar_match_found",
    "cannot_generate_cbor_auxdata_positions",
    "metadata_not_set",
    "creation_bytecode_cbor_auxdata_not_set",
    "runtime_bytecode_cbor_auxdata_not_set",
  ],
} as const;

const MESSAGE = "The words of the service";

describe("The error of a failed job", () => {
  for (const [mayPass, codes] of Object.entries(CODES)) {
    for (const customCode of codes) {
      it(`${customCode} says what to do`, () => {
        const sentence = failureSentence("Vault", { customCode, message: MESSAGE });
        assert.match(sentence, /^[^.]*\bVault\b/);
        assert.match(
          sentence,
          /\b(?:Check|Try|Choose|Submit|Build|Verify|Give|details list)\b/,
          "it names what to do next",
        );
        assert.doesNotMatch(sentence, /!|please|successfully|customCode/i);
        const code = errorCodeOf({ customCode, message: MESSAGE });
        assert.ok(code);
        assert.equal(code.retryMayHelp === true, mayPass === "later");
      });
    }
  }

  it("that no compiler gave anything says whose fault it may be, and nothing of the sources", () => {
    const error = { customCode: "no_compiler_output", message: "Compiler output is undefined" };
    assert.equal(
      failureSentence("Vault", error),
      "Vault was not compiled: the compiler at the service gave no output (Compiler output is undefined), which may be the service's fault. Try again later; if it happens again, check the compiler's version and the settings.",
    );
    assert.equal(errorCodeOf(error)?.brief, "No compiler output");
  });

  it("with a code that is not known yet is told in the service's own words", () => {
    const error = {
      customCode: "quantum_decoherence",
      message: "The qubits\u202e fell\nover.",
      errorId: "1",
    };
    assert.equal(failureSentence("Vault", error), "Vault is not verified: The qubits\\u{202e} fell over.");
    assert.equal(errorCodeOf(error), undefined);
    for (const customCode of ["constructor", "__proto__", "toString"])
      assert.equal(errorCodeOf({ customCode, message: "" }), undefined);
  });

  it("is told without the JSON that a service puts into its words", () => {
    const inside = JSON.stringify({ error: { code: -32000, message: "header not found" } });
    const entry = { severity: "error", message: inside };
    const codes = Object.values(CODES).flat();
    for (const customCode of [...codes, "quantum_decoherence", inside])
      for (const message of [inside, `Request failed: ${inside}`, "[]", '{"a":[1,{"b":2}]}', '[{"a": "cut o'])
        for (const errorData of [{}, { compilerErrors: [entry] }, { compilerErrorMessage: message }]) {
          const sentence = failureSentence("Vault", { customCode, message, errorData });
          assert.doesNotMatch(sentence, /[[\]{}]|"[a-z]+":/, sentence);
        }
    const told = (message: string) =>
      failureSentence("Vault", { customCode: "quantum_decoherence", message });
    assert.equal(told(inside), "Vault is not verified: header not found.");
    assert.equal(
      told(`Request failed: ${inside}`),
      "Vault is not verified: Request failed: header not found.",
    );
    assert.equal(told("{}"), "Vault is not verified: quantum_decoherence.");
  });

  it("may lack everything and still makes a sentence", () => {
    for (const error of [
      {},
      { message: 5 },
      { customCode: null, message: null },
      { customCode: "new_code" },
    ]) {
      const job = readAs(verificationJob, { isJobCompleted: true, error });
      assert.ok(job?.error);
      const sentence = failureSentence("Vault", job.error);
      assert.match(sentence, /^Vault is not verified: (?:the service gave no reason|new_code)\.$/);
    }
    const long = failureSentence("Vault", { customCode: "x", message: "y".repeat(1e6) });
    assert.ok(long.length < 1000);
  });
});
