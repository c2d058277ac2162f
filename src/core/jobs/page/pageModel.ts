import type { CodeSummary } from "../../matching/codeSummaryShape.ts";
import type { LabelledText } from "../../text/labelledText.ts";
import type { ShownText } from "../../text/shownText.ts";
import type { FilePlace } from "../filePlace.ts";

/** A button of the page: by its id the extension knows what it does, and it does nothing that it did not offer. */
export interface PageButton {
  readonly id: string;
  readonly label: ShownText;
  /** What it does, for a hover. */
  readonly title?: ShownText;
}

/** Something that may be at fault. */
export interface PageCause {
  readonly evidence: ShownText;
  readonly fix?: ShownText;
  /** "proven", "likely" */
  readonly certainty: ShownText;
  readonly isProven?: boolean;
  /** "97 % sure" */
  readonly exactly: ShownText;
  readonly button?: PageButton;
}

/** What an explorer did with a verification. */
interface PageExplorer {
  readonly name: ShownText;
  readonly words: ShownText;
  readonly button?: PageButton;
}

/** A file that was sent, as a row. */
export interface SentFile {
  /** Source unit name. */
  readonly name: ShownText;
  readonly bytes: number;
  readonly place?: FilePlace;
}

/** What was sent, or compiled here. */
export interface SentSummary {
  /** "solc 0.8.28, cancun, optimizer on with 200 runs, 14 files, 92.1 kB" */
  readonly brief: ShownText;
  readonly facts: readonly LabelledText[];
  readonly files: readonly SentFile[];
  readonly fileCount: number;
}

/** A verification as its page shows it; plain data, all of it fit to be shown. */
export interface VerificationPage {
  /** As tabs and lists call it. */
  readonly title: ShownText;
  readonly outcome: "verified" | "failed" | "pending" | "open";
  /** "Router does not match" */
  readonly headline: ShownText;
  /** "Hedera Testnet (296) · 0x8a79…41c2" */
  readonly place: ShownText;
  /** What came of it, a sentence each; what the service said is among them. */
  readonly sentences: readonly ShownText[];
  readonly facts: readonly LabelledText[];
  /** What puts the most likely cause right. */
  readonly lead?: PageButton;
  /** What can be done, the most useful first. */
  readonly buttons: readonly PageButton[];
  /** The most likely first. */
  readonly causes: readonly PageCause[];
  readonly code?: CodeSummary;
  /** Why the codes are not summed up, where there is something to say. */
  readonly codeNote?: ShownText;
  readonly codeButton?: PageButton;
  /** Where the creation codes were compared, too, and differ. */
  readonly creationCode?: CodeSummary;
  readonly creationButton?: PageButton;
  readonly sent?: SentSummary;
  /** What the part of it is called. */
  readonly sentTitle: ShownText;
  /** Beside what was sent or compiled: its JSON. */
  readonly sentButtons: readonly PageButton[];
  /** Whether the files that were sent or compiled can be opened. */
  readonly hasFiles: boolean;
  readonly explorers: readonly PageExplorer[];
  /** Where the recompiled code was changed before it was compared. */
  readonly transformations: readonly LabelledText[];
  /** Decoded where the constructor is known, else as they are. */
  readonly constructorArguments: readonly LabelledText[];
}

/** The sign of an outcome, before the headline of the page and on its tab. */
export const OUTCOME_MARKS: Readonly<Record<VerificationPage["outcome"], string>> = {
  failed: "✕",
  verified: "✓",
  pending: "⋯",
  open: "?",
};

/** What the page says to the extension. */
export type VerificationPageRequest =
  /** It is drawn and wants to know what to show. */
  | { readonly type: "ready" }
  | { readonly type: "press"; readonly id: string }
  /** Opens a file that was sent or compiled, by its position. */
  | { readonly type: "openFile"; readonly at: number }
  /** Shows in the ledger view what a fact names: {@link LabelledText.opens}. */
  | { readonly type: "open"; readonly canonical: string };

/** What the extension says to the page. */
export type VerificationPageNews =
  | { readonly type: "page"; readonly key: string; readonly page: VerificationPage }
  /** Leads to the causes, which are asked for once more. */
  | { readonly type: "causes" }
  /** What was just done and can't be seen, such as a copy. */
  | { readonly type: "told"; readonly words: ShownText }
  /** What is being done, or why it failed; empty for nothing. */
  | { readonly type: "state"; readonly doing?: ShownText; readonly problem?: ShownText };
