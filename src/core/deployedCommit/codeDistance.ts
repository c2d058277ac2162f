import { inTurns, type Pieces } from "../concurrency/turns.ts";
import { compareCodesInPieces } from "../evm/codeComparison.ts";
import { disassemble, type Disassembly } from "../evm/disassembly.ts";
import { codeBytes, unlinkedCodeBytes } from "../evm/hex.ts";

/** Tells how far compiled codes are from a deployed one. */
export class CodeDistance {
  readonly #deployed: Disassembly;

  /** @param runtimeCode 0x-prefixed */
  constructor(runtimeCode: string) {
    this.#deployed = disassemble(codeBytes(runtimeCode));
  }

  /** From 0 for the same instructions to 1 for none that is the same; placeholders of libraries may stand in the code. */
  of(compiled: string, signal?: AbortSignal): Promise<number> {
    return inTurns(this.#compared(compiled), signal);
  }

  *#compared(compiled: string): Pieces<number> {
    const other = disassemble(unlinkedCodeBytes(compiled));
    yield;
    return 1 - (yield* compareCodesInPieces(this.#deployed, other)).likeness;
  }
}
