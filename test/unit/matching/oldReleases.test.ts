import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { lastAuxdata } from "../../../src/core/evm/auxdata.ts";
import { disassemble } from "../../../src/core/evm/disassembly.ts";
import { findSelectors } from "../../../src/core/evm/dispatcher.ts";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { Cause } from "../../../src/core/matching/explanation.ts";
import { recordedCompilations } from "../evm/recordedCompilations.ts";

const codeOf = (compiler: string) =>
  recordedCompilations.find((one) => one.compiler === compiler)?.runtimeCode.replace(/^0x/, "") ??
  assert.fail(compiler);

function causesOf(
  language: "Solidity" | "Vyper",
  [deployed, recompiled]: readonly [deployed: string, recompiled: string],
  compilerVersion: string,
): readonly Cause[] {
  const file = language === "Vyper" ? "A.vy" : "A.sol";
  return atOnce(
    explainInPieces({
      error: {
        customCode: "no_match",
        message: "",
        errorId: "",
        onchainRuntimeCode: `0x${deployed}`,
        recompiledRuntimeCode: `0x${recompiled}`,
      },
      submitted: {
        compilerVersion,
        stdJsonInput: { language, sources: { [file]: { content: "" } }, settings: {} },
        contractIdentifier: `${file}:A`,
      },
    }),
  ).causes;
}

describe("Releases that do not name themselves", () => {
  const code = codeOf("solc 0.4.26");
  const older = code.replace(/^60806040/, "60606040");

  it("are told by how a code begins, either way, and none is offered that begins otherwise", () => {
    assert.notEqual(older, code);
    const [first, ...others] = causesOf("Solidity", [older, code], "0.4.26+commit.4563c3fc");
    assert.equal(first?.code, "compiler_version");
    assert.match(first.evidence, /begins as solc before 0\.4\.22 has it; you sent 0\.4\.26/);
    assert.match(first.fix ?? "", /0\.4\.21, 0\.4\.20 and 0\.4\.19/);
    assert.ok(!others.some((cause) => cause.code === "optimizer_runs"), JSON.stringify(others));
    const [newer] = causesOf("Solidity", [code, older], "0.4.18+commit.9cf6e910");
    assert.match(newer?.evidence ?? "", /begins as solc from 0\.4\.22 on has it; you sent 0\.4\.18/);
    assert.match(newer?.fix ?? "", /0\.5\.8, 0\.5\.7 and 0\.5\.6/);
  });

  it("are told by the metadata that a code lacks, where every one of that release has it", () => {
    const { start } = lastAuxdata(codeBytes(code)) ?? assert.fail();
    const without = code.slice(0, 2 * start).replace(/6020/, "6040");
    const [first] = causesOf("Solidity", [without, code], "0.4.26+commit.4563c3fc");
    assert.equal(first?.code, "compiler_version");
    assert.match(first.evidence, /has no metadata, which solc 0\.4\.26 puts behind every code/);
    const later = causesOf("Solidity", [without, code], "0.8.18+commit.87f61d96");
    assert.ok(!later.some(({ evidence }) => evidence.includes("puts behind every code")));
  });
});

describe("Old releases of Vyper", () => {
  it("are told to optimize or not, and by no name of an aim", () => {
    const codes = [codeOf("Vyper 0.3.10, optimize none"), codeOf("Vyper 0.3.10, optimize gas")] as const;
    const changed = (version: string) =>
      causesOf("Vyper", codes, version).flatMap(({ action }) =>
        action?.kind === "resubmit" ? [action.changes.settings?.["optimize"]] : [],
      );
    assert.deepEqual(changed("0.3.8"), [false]);
    assert.deepEqual(changed("0.3.10"), ["none"]);
  });

  it("have their functions found where the selector is copied from the call data", () => {
    const code = codeBytes("0x60046000601c376000518063a9059cbb14601857600080fd5b00");
    assert.deepEqual([...findSelectors(disassemble(code))], ["a9059cbb"]);
  });
});
