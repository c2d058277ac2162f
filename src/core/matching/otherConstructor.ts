import { codeBytes } from "../evm/hex.ts";
import { compareCodesInPieces, type CodeComparison, type ItemPair } from "../evm/codeComparison.ts";
import { disassemble } from "../evm/disassembly.ts";
import type { CodeFindings } from "./codeFindings.ts";
import type { Pieces } from "../concurrency/turns.ts";

/** Two creation codes that differ in what was compiled. */
interface OtherConstructor {
  /** The deployed one, as far as the other one reaches: arguments may follow it. */
  readonly deployed: Uint8Array;
  readonly own: Uint8Array;
  readonly code: CodeComparison;
}

/**
 * Whether two creation codes differ in more than what comes with other metadata, whatever arguments follow the deployed one:
 * where the runtime codes are the same, the constructors do, or libraries and settings that only they depend on. Another
 * release, another form of the metadata and addresses that are linked in the runtime code make a difference by themselves, so
 * that there nothing is said.
 *
 * @returns `undefined` where they do not
 */
export function* otherConstructorInPieces(
  { isSameCode, metadataHash, compiler, auxdata, addresses, isTruncated }: CodeFindings,
  deployed: string | null | undefined,
  built: string | null | undefined,
): Pieces<OtherConstructor | undefined> {
  if (!isSameCode || metadataHash === "same" || compiler || auxdata) return undefined;
  if (addresses.length > 0 || isTruncated) return undefined;
  const [onChain, own] = [codeBytes(deployed), codeBytes(built)];
  if (onChain.length === 0 || own.length === 0) return undefined;
  const begun = onChain.slice(0, own.length);
  const code = yield* compareCodesInPieces(disassemble(begun), disassemble(own));
  return code.pairs.every(isWrittenAlike) ? undefined : { deployed: begun, own, code };
}

/** Whether a pair is no difference of what was compiled. */
export function isWrittenAlike({ relation }: ItemPair): boolean {
  return relation === "same" || relation === "immutable" || relation === "auxdata";
}
