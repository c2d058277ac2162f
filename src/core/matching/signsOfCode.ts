import type { DeployedSigns } from "./deployedSigns.ts";
import { analyseCode } from "./codeTraits.ts";
import { inputSigns } from "./inputSigns.ts";
import { fingerprint } from "./metadataSearch.ts";
import { atLeast } from "../versions.ts";
import { lastTrailer, type MetadataTrailer } from "../evm/metadataTrailer.ts";
import type { CompilerSettings } from "../sources/standardJsonInput.ts";

/** What a deployed Solidity code tells of how it was compiled. */
export function deployedSigns(code: Uint8Array): DeployedSigns {
  const { isOptimized, pipeline } = analyseCode(code);
  const trailer = lastTrailer(code);
  const hash = trailer?.hash;
  return {
    settings: {
      ...(isOptimized !== undefined && { optimizer: { enabled: isOptimized } }),
      ...(pipeline !== undefined && { viaIR: pipeline === "ir" }),
    },
    signsAgainst: ({ compilerVersion, stdJsonInput: { settings } }) => {
      const signs = inputSigns(code, { language: "Solidity", compilerVersion, settings });
      const against = otherTrailer(trailer, compilerVersion, settings);
      return against === undefined ? signs : { ...signs, contradictions: [...signs.contradictions, against] };
    },
    hasFingerprintOf: (metadata) =>
      hash === undefined ? undefined : fingerprint(metadata, hash.kind) === hash.digest,
  };
}

/** Why settings can't have made a trailer; from 0.6.0 on they say which fingerprint of the metadata it holds. */
function otherTrailer(
  trailer: MetadataTrailer | undefined,
  compilerVersion: string,
  settings: CompilerSettings,
): string | undefined {
  if (!trailer || !atLeast(compilerVersion, "0.6.0")) return undefined;
  const metadata = settings["metadata"] as { bytecodeHash?: unknown; appendCBOR?: unknown } | undefined;
  const set = metadata?.bytecodeHash ?? "ipfs";
  const found = trailer.hash?.kind ?? "none";
  return metadata?.appendCBOR === false || set !== found
    ? `The deployed code ends in metadata with bytecodeHash ${found}, which these settings don't write.`
    : undefined;
}
