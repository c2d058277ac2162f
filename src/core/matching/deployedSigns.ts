import { analyseCode } from "./codeTraits.ts";
import { inputSigns } from "./inputSigns.ts";
import { metadataDigest } from "./metadataSearch.ts";
import { atLeast } from "../versions.ts";
import { lastAuxdata, type Auxdata } from "../evm/auxdata.ts";
import type { CompilerInput, CompilerSettings } from "../sources/standardJsonInput.ts";

/** What the deployed code tells of how it was compiled, for choices that nothing on disk decides. */
export interface DeployedSigns {
  /** The settings that it shows: whether the optimizer and the IR pipeline were on. */
  readonly settings: CompilerSettings;
  /** How an input fits it. Sentences: why it can't be the one, and what makes it unlikely. */
  signsAgainst(input: Pick<CompilerInput, "compilerVersion" | "stdJsonInput">): {
    readonly contradictions: readonly string[];
    readonly doubts: readonly string[];
  };
  /** Whether the code has the hash of this metadata, byte for byte; `undefined` where it has no metadata hash. */
  hasMetadataHashOf?(metadata: string): boolean | undefined;
}

/** What a deployed Solidity code tells of how it was compiled. */
export function deployedSigns(code: Uint8Array): DeployedSigns {
  const analysed = analyseCode(code);
  const { isOptimized, pipeline } = analysed;
  const auxdata = lastAuxdata(code);
  const hash = auxdata?.hash;
  return {
    settings: {
      ...(isOptimized !== undefined && { optimizer: { enabled: isOptimized } }),
      ...(pipeline !== undefined && { viaIR: pipeline === "ir" }),
    },
    signsAgainst: ({ compilerVersion, stdJsonInput: { settings } }) => {
      const signs = inputSigns(analysed, { language: "Solidity", compilerVersion, settings });
      const against = otherAuxdata(auxdata, compilerVersion, settings);
      return against === undefined ? signs : { ...signs, contradictions: [...signs.contradictions, against] };
    },
    hasMetadataHashOf: (metadata) =>
      hash === undefined ? undefined : metadataDigest(metadata, hash.kind) === hash.digest,
  };
}

/** Why settings can't have made auxdata; from 0.6.0 on they say which hash of the metadata it holds. */
function otherAuxdata(
  auxdata: Auxdata | undefined,
  compilerVersion: string,
  settings: CompilerSettings,
): string | undefined {
  if (!atLeast(compilerVersion, "0.6.0")) return undefined;
  const metadata = settings["metadata"] as { bytecodeHash?: unknown; appendCBOR?: unknown } | undefined;
  if (!auxdata)
    return metadata?.appendCBOR === false
      ? undefined
      : "The deployed code ends without metadata, which these settings append.";
  const set = metadata?.bytecodeHash ?? "ipfs";
  const found = auxdata.hash?.kind ?? "none";
  return metadata?.appendCBOR === false || set !== found
    ? `The deployed code ends in metadata with bytecodeHash ${found}, which these settings don't write.`
    : undefined;
}
