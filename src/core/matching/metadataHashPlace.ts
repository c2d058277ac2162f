import { compareVersions } from "../versions.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { field, fieldAt } from "../json/looseData.ts";

/**
 * Where a code carries the hash of its sources and settings. Without one, a match is the most that a verification
 * can come to; Vyper writes it into the creation code alone, so that an exact match needs the creation transaction
 * (argotorg/sourcify, packages/lib-sourcify/src/Verification/Verification.ts, `auxdataLacksMetadataOrIntegrityHash`).
 */
export type MetadataHashPlace = "runtime code" | "creation code" | "none";

/** Of the code that an input compiles to. */
export function metadataHashPlace(
  { language, settings }: Pick<StandardJsonInput, "language" | "settings">,
  compilerVersion: string,
): MetadataHashPlace {
  switch (language) {
    case "Solidity":
      return compareVersions(compilerVersion, "0.4.7") < 0 ||
        fieldAt(settings, "metadata", "bytecodeHash") === "none" ||
        fieldAt(settings, "metadata", "appendCBOR") === false
        ? "none"
        : "runtime code";
    case "Vyper":
      return compareVersions(compilerVersion, "0.4.1") < 0 || field(settings, "bytecodeMetadata") === false
        ? "none"
        : "creation code";
    default:
      // Neither Yul nor Fe has metadata.
      return "none";
  }
}

/** Of a verification that came to no exact match: what keeps it from one. */
export function belowExactWords(
  place: MetadataHashPlace | undefined,
  creationMatch: string | null | undefined,
): string {
  if (place === "none")
    return "The code is equal, and a match is the most that is possible: it carries no metadata hash.";
  if (place !== "creation code")
    return "The code is equal; the metadata differs, so a source or a setting is not exactly the one of the deployment.";
  return creationMatch
    ? "The code is equal; the integrity hash in its creation code is another one, or the service does not compare it."
    : "The code is equal; an exact match needs the creation transaction, since Vyper writes the integrity hash of its sources into the creation code.";
}
