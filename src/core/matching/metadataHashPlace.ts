import { t } from "@vscode/l10n";
import type { MetadataHashPlace } from "../languages/languageRules.ts";
import { RULES } from "../languages/rules.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { shown } from "../text/shownText.ts";

/** Where the code that an input compiles to carries its metadata hash. */
export function metadataHashPlace(
  { language, settings }: Pick<StandardJsonInput, "language" | "settings">,
  compilerVersion: string,
): MetadataHashPlace {
  return RULES[language].metadataHashPlace?.(settings, compilerVersion) ?? "none";
}

/** Of a runtime code that is no exact match beside a creation code that is one, which has the metadata hash: why so, in brief and whole. */
export const HASH_IN_CREATION_CODE = {
  brief: shown`match; the metadata hash is in the creation code`,
  whole: shown`The runtime code carries no metadata hash, so a match is the most that is possible. Vyper writes the integrity hash of its sources into the creation code, which is an exact match.`,
};

/** The same where it is not known why, as of a contract that others verified: the outcome and the runtime code do not contradict each other. */
export const EXACT_BY_CREATION_CODE = {
  brief: shown`match; the exact match is that of the creation code`,
  whole: shown`A contract is verified as well as the better one of its two codes is. Its creation code matches exactly, metadata hash included.`,
};

/** Of a verification that came to no exact match: what keeps it from one. */
export function belowExactWords(
  place: MetadataHashPlace | undefined,
  creationMatch: string | null | undefined,
): string {
  if (place === "none")
    return t`The code is equal, and a match is the most that is possible: it carries no metadata hash.`;
  if (place !== "creation code")
    return creationMatch === null
      ? t`The runtime code is equal; the metadata differs, so a source or a setting is not exactly the one of the deployment.`
      : t`The code is equal; the metadata differs, so a source or a setting is not exactly the one of the deployment.`;
  return creationMatch
    ? t`The code is equal; the integrity hash in its creation code is another one, or the service does not compare it.`
    : t`The code is equal; an exact match needs the creation transaction, since Vyper writes the integrity hash of its sources into the creation code.`;
}
