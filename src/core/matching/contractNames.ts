import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { foreign } from "../text/shownText.ts";
import type { ExplanationInput } from "./explanation.ts";

/** A contract as a person knows it; see {@link ExplanationInput.workspaceName}. */
export function workspaceName({ workspaceName: find }: ExplanationInput, contract: string): string {
  return foreign(find?.(contract) ?? contract);
}

/** The name of an identifier, as a button shows it. */
export function shortName(identifier: string): string {
  return foreign(splitIdentifier(identifier).name);
}
