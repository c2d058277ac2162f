import type { Disassembly, Instruction } from "../evm/disassembly.ts";
import { DUP1, isPush, opcodeOf, SWAP1 } from "../evm/opcodes.ts";
import { isOtherOrder } from "../evm/instructionOrder.ts";
import { chanceInWords } from "../languages/vyper/vyperCallOrder.ts";
import type { Cause, SubmittedBuild } from "./explanation.ts";

/** How Vyper was told to optimize. */
type VyperOptimization = "gas" | "codesize" | "none";

/** Instructions at the beginning of a code that hold its dispatcher. */
const HEAD = 40;

/** The causes that Vyper's own settings bring about: the optimizer's aim and the Venom pipeline. */
export function vyperCauses(
  deployed: Disassembly,
  recompiled: Disassembly,
  { compilerVersion, stdJsonInput: { settings, sources } }: SubmittedBuild,
): Cause[] {
  const chance = chanceInWords(
    Object.values(sources).map(({ content }) => content),
    compilerVersion,
  );
  if (chance !== undefined && isOtherOrder(deployed, recompiled)) return [orderCause(chance, 0.93)];
  const causes: Cause[] = chance === undefined ? [] : [orderCause(chance, 0.2)];
  const sentVenom = settings["experimentalCodegen"] === true || settings["venomExperimental"] === true;
  const [venom, ownVenom] = [isVenom(deployed), isVenom(recompiled)];
  if (venom !== undefined && venom !== sentVenom && venom !== ownVenom) {
    causes.push({
      code: "via_ir",
      confidence: 0.92,
      evidence: `The deployed code is ${venom ? "" : "not "}scheduled as the Venom pipeline does it; you sent experimentalCodegen ${sentVenom ? "on" : "off"}.`,
      fix: `Submit with experimentalCodegen ${venom ? "on" : "off"}.`,
      action: {
        kind: "resubmit",
        label: `Resubmit ${venom ? "With" : "Without"} Venom`,
        changes: { settings: { experimentalCodegen: venom } },
      },
    });
  }
  const [aim, ownAim] = [optimizationOf(deployed), optimizationOf(recompiled)];
  if (aim !== undefined && aim !== ownAim) {
    const sent = settings["optimize"];
    causes.push({
      code: "optimizer",
      confidence: 0.93,
      evidence: `The deployed code ${IN_WORDS[aim]}, as with optimize ${aim}; you sent ${typeof sent === "string" ? sent : "the default"}.`,
      fix: `Submit with optimize ${aim}.`,
      action: {
        kind: "resubmit",
        label: `Resubmit With optimize ${aim}`,
        changes: { settings: { optimize: aim } },
      },
    });
  }
  return causes;
}

function orderCause(chance: string, confidence: number): Cause {
  return {
    code: "compiler_version",
    confidence,
    evidence: chance,
    fix: "Put the internal functions above those that call them, in the order of the deployed code: then every run makes the same code.",
    action: { kind: "show difference", label: "Show Bytecode Difference" },
  };
}

const IN_WORDS: Readonly<Record<VyperOptimization, string>> = {
  gas: "finds its functions by a sparse jump table",
  codesize: "finds its functions by a dense table",
  none: "compares one selector after the other and checks conditions twice",
};

/**
 * The aim of the optimizer by the dispatcher (vyperlang/vyper, `codegen/module.py`): a sparse table of jumps for
 * gas, a dense one of selectors for code size, and one comparison after the other without optimization. A
 * contract with few functions has no table.
 */
function optimizationOf(code: Disassembly): VyperOptimization | undefined {
  const text = instructionsOf(code)
    .slice(0, HEAD)
    .map(({ opcode, operand }) =>
      isPush(opcode) ? `PUSH:${operand.replace(/^0+/, "")}` : (opcodeOf(opcode)?.name ?? "?"),
    )
    .join(" ");
  if (text.includes("PUSH:1b CODECOPY")) return "codesize";
  if (text.includes(" MOD PUSH:1 SHL ")) return "gas";
  if (/CALLDATASIZE (?:PUSH:4 GT |LT )ISZERO (?:ISZERO )?PUSH:\w* JUMPI/.test(text)) return "none";
  return undefined;
}

/** Venom keeps values in order by swapping; the older pipeline duplicates and drops them. */
function isVenom(code: Disassembly): boolean | undefined {
  const instructions = instructionsOf(code);
  const swaps = instructions.filter(({ opcode }) => opcode >= SWAP1 && opcode < SWAP1 + 16).length;
  const copies = instructions.filter(({ opcode }) => opcode >= DUP1 && opcode < SWAP1).length;
  return instructions.length < HEAD ? undefined : copies < 2 * swaps;
}

function instructionsOf(code: Disassembly): readonly Instruction[] {
  const [own] = code.sections;
  return own?.kind === "code" ? own.instructions : [];
}
