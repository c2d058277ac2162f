import type { StandardJsonInput } from "../../core/sources/standardJsonInput.ts";
import { jsonDocument } from "../../core/text/documentText.ts";
import { shown, type ShownText } from "../../core/text/shownText.ts";
import type { PageKind } from "../ui/page.ts";
import { showSentSource } from "./submittedFile.ts";
import type { DocumentParts } from "./verificationParts.ts";

/** The page of a verification. */
export const VERIFICATION_PAGE: PageKind = { type: "ledgerLens.verification", file: "verification" };

/** What was sent, or compiled here, and where documents of it are. */
export interface CompiledDocuments {
  readonly input: StandardJsonInput | undefined;
  readonly folder: readonly ShownText[];
}

/** Shows the whole input of the compiler. */
export async function showInput(
  documents: DocumentParts["documents"],
  { input, folder }: CompiledDocuments,
): Promise<void> {
  if (!input) return;
  await documents.show(
    [...folder, shown`standard JSON input.json`],
    jsonDocument(`${JSON.stringify(input, null, 2)}\n`),
  );
}

/** Shows the very text of a file that was sent or compiled, by its position. */
export async function showFile(
  documents: DocumentParts["documents"],
  { input, folder }: CompiledDocuments,
  at: number,
): Promise<void> {
  const [name, source] = Object.entries(input?.sources ?? {})[at] ?? [];
  if (name !== undefined && source) await showSentSource(documents, folder, name, source.content);
}
