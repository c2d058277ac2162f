import { codeBytes } from "../evm/hex.ts";
import { compareCodesInPieces, type ItemPair } from "../evm/codeComparison.ts";
import { disassemble } from "../evm/disassembly.ts";
import type { CodeFindings } from "./codeFindings.ts";
import type { Pieces } from "../concurrency/turns.ts";

/**
 * Whether two creation codes differ in more than what comes with other metadata, whatever arguments follow the deployed one:
 * where the runtime codes are the same, the constructors do, or libraries and settings that only they depend on. Another
 * release, another form of the metadata and addresses that are linked in the runtime code make a difference by themselves, so
 * that there nothing is said.
 */
export function* isOtherConstructorInPieces(
  { isSameCode, metadataHash, compiler, auxdata, addresses, isTruncated }: CodeFindings,
  deployed: string | null | undefined,
  built: string | null | undefined,
): Pieces<boolean> {
  if (!isSameCode || metadataHash === "same" || compiler || auxdata) return false;
  if (addresses.length > 0 || isTruncated) return false;
  const [onChain, own] = [codeBytes(deployed), codeBytes(built)];
  if (onChain.length === 0 || own.length === 0) return false;
  const { pairs } = yield* compareCodesInPieces(disassemble(onChain.slice(0, own.length)), disassemble(own));
  return !pairs.every(isWrittenAlike);
}

/** Whether a pair is no difference of what was compiled. */
export function isWrittenAlike({ relation }: ItemPair): boolean {
  return relation === "same" || relation === "immutable" || relation === "auxdata";
}
