import { splitIdentifier } from "../../sources/contractIdentifier.ts";
import { t } from "@vscode/l10n";
import type { Disassembly, Instruction } from "../../evm/disassembly.ts";
import { DUP1, JUMPI, POP, SWAP1 } from "../../evm/opcodes.ts";
import { isOtherOrder } from "../../evm/instructionOrder.ts";
import { ownValue } from "../../json/ownValue.ts";
import { scanVyper } from "../../languages/vyper/vyperScanner.ts";
import { chanceInWords } from "../../languages/vyper/vyperCallOrder.ts";
import { VYPER_SINCE } from "../../languages/vyper/vyperCode.ts";
import { atLeast } from "../../versions.ts";
import { ALIKE } from "../codeFindings.ts";
import { instructionWords } from "../codeTraits.ts";
import { hasSameFunctions, type Comparison } from "../comparison.ts";
import { SHOW_DIFFERENCE, type Cause } from "../explanation.ts";

const OPTIMIZED_IN_WORDS = t`checks every condition once`;

/** How Vyper was told to optimize. */
type VyperOptimization = "gas" | "codesize" | "none";

/** Instructions at the beginning of a code that hold its dispatcher. */
const HEAD = 40;

/** The causes that Vyper's own settings bring about: the optimizer's aim and the Venom pipeline. */
export function vyperCauses(comparison: Comparison): Cause[] {
  const { deployed: mine, recompiled: theirs, code, input } = comparison;
  const [deployed, recompiled] = [mine.code, theirs.code];
  const { compilerVersion, stdJsonInput } = input.submitted;
  const { settings, sources } = stdJsonInput;
  const chance = chanceInWords(
    Object.values(sources).map(({ content }) => content),
    compilerVersion,
  );
  if (chance !== undefined && isOtherOrder(deployed, recompiled)) return [orderCause(chance, 0.93)];
  const causes: Cause[] = chance === undefined ? [] : [orderCause(chance, 0.2)];
  const sentVenom = settings["experimentalCodegen"] === true || settings["venomExperimental"] === true;
  const [venom, ownVenom] = [isVenom(deployed), isVenom(recompiled)];
  if (venom !== undefined && venom !== sentVenom && venom !== ownVenom && code.likeness < ALIKE) {
    causes.push({
      code: "via_ir",
      confidence: 0.92,
      evidence: venom
        ? t`The deployed code is scheduled as the Venom pipeline does it; you sent experimentalCodegen ${sentVenom ? t`on` : t`off`}.`
        : t`The deployed code is not scheduled as the Venom pipeline does it; you sent experimentalCodegen ${sentVenom ? t`on` : t`off`}.`,
      fix: t`Submit with experimentalCodegen ${venom ? t`on` : t`off`}.`,
      action: {
        kind: "resubmit",
        label: venom ? t`Resubmit With Venom` : t`Resubmit Without Venom`,
        localLabel: venom ? t`Verify With Venom` : t`Verify Without Venom`,
        changes: { settings: { experimentalCodegen: venom } },
      },
    });
  }
  const isAlike = hasSameFunctions(comparison) && code.likeness >= ALIKE;
  const [shown, ownAim] = [optimizationOf(deployed), optimizationOf(recompiled)];
  const beside = shown === ownAim && isAlike ? optimizationBeside(deployed, recompiled) : undefined;
  // A contract with few functions shows no aim of its own, but that it has one.
  const isOptimized = shown === undefined && ownAim === "none";
  const aim = beside ?? shown ?? (isOptimized ? "gas" : undefined);
  const sent = settings["optimize"];
  const hasNamedAims = atLeast(compilerVersion, VYPER_SINCE.layout);
  if (aim !== undefined && aim !== sentAim(comparison) && (beside !== undefined || aim !== ownAim)) {
    const wanted = hasNamedAims ? aim : aim !== "none";
    causes.push({
      code: "optimizer",
      confidence: beside || isOptimized ? 0.78 : 0.93,
      evidence: t`The deployed code ${beside ? COPIES_IN_WORDS[beside] : isOptimized ? OPTIMIZED_IN_WORDS : IN_WORDS[aim]}, as with optimize ${String(wanted)}; you sent ${typeof sent === "string" || typeof sent === "boolean" ? String(sent) : t`the default`}.`,
      fix: t`Submit with optimize ${String(wanted)}.`,
      action: {
        kind: "resubmit",
        label: t`Resubmit With optimize ${String(wanted)}`,
        localLabel: t`Verify With optimize ${String(wanted)}`,
        changes: { settings: { optimize: wanted } },
      },
    });
  }
  return causes;
}

/** What the compiler was told to optimize for: by the settings, else by a pragma of the file, else by default. */
function sentAim({ input: { submitted } }: Comparison): unknown {
  const { settings, sources } = submitted.stdJsonInput;
  const { ["optimize"]: sent } = settings;
  if (typeof sent === "boolean") return sent ? "gas" : "none";
  // A text is on, whatever it says, where there are no names.
  if (sent !== undefined) return atLeast(submitted.compilerVersion, VYPER_SINCE.layout) ? sent : "gas";
  const content = ownValue(sources, splitIdentifier(submitted.contractIdentifier).file)?.content ?? "";
  return scanVyper(content).pragmas.find(({ name }) => name === "optimize")?.value ?? "gas";
}

function orderCause(chance: string, confidence: number): Cause {
  return {
    code: "compiler_version",
    confidence,
    evidence: chance,
    fix: t`Put the internal functions above those that call them, in the order of the deployed code: then every run makes the same code.`,
    action: SHOW_DIFFERENCE,
  };
}

const IN_WORDS: Readonly<Record<VyperOptimization, string>> = {
  gas: t`finds its functions by a sparse jump table`,
  codesize: t`finds its functions by a dense table`,
  none: t`compares one selector after the other and checks conditions twice`,
};

const COPIES_IN_WORDS: Readonly<Record<VyperOptimization, string>> = {
  gas: t`copies memory word by word where the recompiled code calls the identity contract`,
  codesize: t`copies memory by the identity contract where the recompiled code does it word by word`,
  none: "",
};

/**
 * The aim of the optimizer by the dispatcher (vyperlang/vyper, `codegen/module.py`): a sparse table of jumps for
 * gas, a dense one of selectors for code size, and one comparison after the other without optimization. A
 * contract with few functions has no table.
 */
function optimizationOf(code: Disassembly): VyperOptimization | undefined {
  const text = instructionWords(instructionsOf(code).slice(0, HEAD));
  if (text.includes("PUSH:1b CODECOPY")) return "codesize";
  if (/ (?:MOD|AND) PUSH:1 SHL /.test(text)) return "gas";
  if (/CALLDATASIZE (?:PUSH:4 GT |LT )ISZERO (?:ISZERO )?PUSH:\w* JUMPI/.test(text)) return "none";
  // Without optimization every condition is turned round before its jump, and those of `assert` twice.
  const opcodes = instructionsOf(code).map(({ opcode }) => opcode);
  const [turned, jumps] = [countOf(opcodes, ISZERO), countOf(opcodes, JUMPI)];
  return opcodes.length >= HEAD && turned > jumps ? "none" : undefined;
}

/**
 * The aim of a contract with so few functions that it has no table, by how it copies memory beside the same contract
 * compiled otherwise: word by word for gas, by the identity contract for code size.
 */
function optimizationBeside(deployed: Disassembly, recompiled: Disassembly): VyperOptimization | undefined {
  const [mine, theirs] = [copiesOf(deployed), copiesOf(recompiled)];
  const [calls, words] = [mine.calls - theirs.calls, mine.words - theirs.words];
  if (calls === 0 || Math.sign(calls) === Math.sign(words) || Math.abs(words) < Math.abs(calls))
    return undefined;
  return calls > 0 ? "codesize" : "gas";
}

/** Copies of memory by a call of the identity contract, and words that are read of memory. */
function copiesOf(code: Disassembly): { readonly calls: number; readonly words: number } {
  const instructions = instructionsOf(code);
  const calls = instructions.filter(
    ({ opcode }, at) =>
      opcode === STATICCALL &&
      instructions[at - 1]?.opcode === GAS &&
      instructions[at - 2]?.operand.replace(/^0+/, "") === "4",
  ).length;
  return { calls, words: instructions.filter(({ opcode }) => opcode === MLOAD).length };
}

function countOf(opcodes: readonly number[], wanted: number): number {
  return opcodes.filter((opcode) => opcode === wanted).length;
}

const ISZERO = 0x15;
const MLOAD = 0x51;
const GAS = 0x5a;
const STATICCALL = 0xfa;

/** Share of the copies and swaps from which on an older pipeline drops values again. */
const DROPPED = 0.2;

/** Venom keeps values in order by swapping; the older pipeline duplicates and drops them. */
function isVenom(code: Disassembly): boolean | undefined {
  const instructions = instructionsOf(code);
  const swaps = instructions.filter(({ opcode }) => opcode >= SWAP1 && opcode < SWAP1 + 16).length;
  const copies = instructions.filter(({ opcode }) => opcode >= DUP1 && opcode < SWAP1).length;
  const drops = instructions.filter(({ opcode }) => opcode === POP).length;
  if (instructions.length < HEAD) return undefined;
  return copies < 2 * swaps || drops < DROPPED * (copies + swaps);
}

function instructionsOf(code: Disassembly): readonly Instruction[] {
  const [own] = code.sections;
  return own?.kind === "code" ? own.instructions : [];
}
