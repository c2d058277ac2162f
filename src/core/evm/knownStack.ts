import { DUP1, isPush, opcodeOf, SWAP1 } from "./opcodes.ts";

/**
 * The words on top of the EVM's stack as far as straight code tells them (Yellow Paper, appendix H.2); every other word, and
 * what lies below what is known, is `undefined`.
 */
export class KnownStack<Word> {
  /** From the bottom to the top. */
  #words: (Word | undefined)[] = [];

  /** The word that so many others lie on. */
  word(depth: number): Word | undefined {
    return this.#words.at(-1 - depth);
  }

  /** Forgets all, where code is come to from elsewhere. */
  clear(): void {
    this.#words = [];
  }

  /** Carries an instruction out; `made` is what it puts on the stack, unless it moves what is there. */
  run(opcode: number, made?: Word): void {
    if (isPush(opcode)) {
      this.#words.push(made);
    } else if (opcode >= DUP1 && opcode < SWAP1) {
      this.#words.push(this.word(opcode - DUP1));
    } else if (opcode >= SWAP1 && opcode < SWAP1 + 16) {
      this.#swap(opcode - SWAP1 + 1);
    } else {
      const { pops, pushes } = opcodeOf(opcode) ?? { pops: 0, pushes: 0 };
      this.#words.splice(Math.max(0, this.#words.length - pops));
      for (let count = 0; count < pushes; count++) this.#words.push(made);
    }
  }

  #swap(depth: number): void {
    while (this.#words.length <= depth) this.#words.unshift(undefined);
    const [top, other] = [this.#words.length - 1, this.#words.length - 1 - depth];
    [this.#words[top], this.#words[other]] = [this.#words[other], this.#words[top]];
  }
}
