import { t } from "@vscode/l10n";
import { bytesToHex } from "@noble/hashes/utils.js";
import { codeBytes } from "../evm/hex.ts";
import { compareCodes, type ItemPair } from "../evm/codeComparison.ts";
import type { CodeItem } from "../evm/codeItems.ts";
import { disassemble, type Disassembly } from "../evm/disassembly.ts";
import { hashText, type Auxdata } from "../evm/auxdata.ts";
import { JUMPDEST, opcodeName } from "../evm/opcodes.ts";
import { foreign } from "../text/shownText.ts";
import { counted } from "../text/counted.ts";

/** Two codes as text for a diff editor, the deployed one on the left. */
interface BytecodeDifference {
  readonly deployed: DisassemblyText;
  readonly recompiled: DisassemblyText;
}

/** A disassembled code, one instruction a line. */
interface DisassemblyText {
  readonly text: string;
  /** For each line the offset of its first byte in the code; `undefined` for a heading. */
  readonly offsets: readonly (number | undefined)[];
}

/**
 * The disassembly of two codes side by side. Jump targets have the same label on both sides where they stand for
 * each other, and lines carry no offsets, so that the editor marks what really differs and not what merely moved.
 * Immutables are named and listed at the top, auxdata is decoded.
 */
export function bytecodeDifference(
  deployedCode: string | null | undefined,
  recompiledCode: string | null | undefined,
): BytecodeDifference {
  const [left, right] = [disassemble(codeBytes(deployedCode)), disassemble(codeBytes(recompiledCode))];
  const { pairs } = compareCodes(left, right);
  const names = new Names(pairs);
  return { deployed: print(left, pairs, "left", names), recompiled: print(right, pairs, "right", names) };
}

type Side = "left" | "right";

/** Labels of jump targets and names of immutables. */
class Names {
  readonly left = new Map<number, string>();
  readonly right = new Map<number, string>();
  /** The deployed values, by the name they have in the text. */
  readonly immutables = new Map<string, string>();
  readonly #immutableNames = new Map<string, string>();

  constructor(pairs: readonly ItemPair[]) {
    let labels = 0;
    for (const { left, right } of pairs) {
      const [one, other] = [targetOffset(left), targetOffset(right)];
      if (one === undefined && other === undefined) continue;
      const label = `L${++labels}`;
      if (one !== undefined) this.left.set(one, label);
      if (other !== undefined) this.right.set(other, label);
    }
    for (const { relation, left, right } of pairs) {
      if (relation !== "immutable") continue;
      const value = written(left) ?? written(right) ?? "";
      if (this.#immutableNames.has(value)) continue;
      const name = `#${this.#immutableNames.size + 1}`;
      this.#immutableNames.set(value, name);
      this.immutables.set(name, value);
    }
  }

  immutable({ left, right }: ItemPair): string {
    return this.#immutableNames.get(written(left) ?? written(right) ?? "") ?? "";
  }
}

function targetOffset(item: CodeItem | undefined): number | undefined {
  return item?.instruction?.opcode === JUMPDEST ? item.offset : undefined;
}

/** The value that a deployment wrote: the one that is not zero. */
function written(item: CodeItem | undefined): string | undefined {
  const operand = item?.instruction?.operand;
  return operand === undefined || /^0*$/.test(operand) ? undefined : operand;
}

function print(code: Disassembly, pairs: readonly ItemPair[], side: Side, names: Names): DisassemblyText {
  const lines: string[] = [];
  const offsets: (number | undefined)[] = [];
  const line = (text: string, offset?: number) => {
    lines.push(text);
    offsets.push(offset);
  };
  for (const [name, value] of names.immutables)
    line(`; immutable ${name} = 0x${value.replace(/^0+(?=.)/, "")}`);
  let section: CodeItem["section"] | undefined;
  for (const pair of pairs) {
    const item = pair[side];
    if (!item) continue;
    if (item.section !== section) {
      section = item.section;
      for (const heading of headingOf(item)) line(heading);
    }
    if (item.section.kind === "auxdata") {
      for (const text of auxdataLines(item.section.auxdata)) line(text, item.offset);
    } else if (!item.instruction) {
      line(bytesToHex(code.bytes.subarray(item.offset, item.offset + item.length)), item.offset);
    } else {
      const { opcode, operand } = item.instruction;
      const label = opcode === JUMPDEST ? names[side].get(item.offset) : undefined;
      line(
        label === undefined
          ? `  ${opcodeName(opcode)}${operandText(pair, item, side, names, operand)}`
          : `${label}: ${opcodeName(opcode)}`,
        item.offset,
      );
    }
  }
  return { text: `${lines.join("\n")}\n`, offsets };
}

function operandText(pair: ItemPair, item: CodeItem, side: Side, names: Names, operand: string): string {
  if (item.target !== undefined) return ` → ${names[side].get(item.target) ?? `0x${operand}`}`;
  if (pair.relation === "immutable") return t` immutable ${names.immutable(pair)}`;
  // Sizes and offsets of what is embedded move with every other change.
  if (item.key === "push place" && pair.relation === "same") return t` (size or offset)`;
  return operand === "" ? "" : ` 0x${operand}`;
}

function headingOf({ section }: CodeItem): string[] {
  switch (section.kind) {
    case "code":
      return section.start === 0
        ? []
        : ["", t`; embedded contract${section.depth > 1 ? t`, level ${section.depth}` : ""}`];
    case "data":
      return ["", "; data"];
    case "auxdata":
      return ["", "; auxdata"];
  }
}

function auxdataLines({ language, compilerVersion, hash, experimental, layout }: Auxdata): string[] {
  return [
    t`; compiler ${language}${compilerVersion === undefined ? "" : ` ${foreign(compilerVersion)}`}`,
    t`; metadata hash ${hash ? hashText(hash) : t`none`}`,
    ...(experimental ? ["; experimental"] : []),
    ...(layout
      ? [
          t`; runtime code ${counted(layout.runtimeLength, "byte")}, immutables ${counted(layout.immutablesLength, "byte")}`,
          ...(layout.integrity ? [t`; integrity ${layout.integrity}`] : []),
        ]
      : []),
  ];
}
