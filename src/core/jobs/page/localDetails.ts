import { t } from "@vscode/l10n";
import {
  ifReadable,
  listOf,
  mapped,
  matching,
  nullable,
  numberFrom,
  object,
  oneOf,
  optional,
  text,
  type Shape,
} from "../../json/shape.ts";
import {
  MAX_VALUE_BYTES,
  type CodeMap,
  type CodeSummary,
  type DifferingPlace,
  type MapCell,
} from "../../matching/codeSummaryShape.ts";
import type { LabelledText } from "../../text/labelledText.ts";
import { foreignLine, MAX_LINE_CHARACTERS } from "../../text/shownText.ts";
import type { SentFile, SentSummary } from "./pageModel.ts";
import { MAX_SENT_FILES } from "./sentSummary.ts";

/** What is kept of a result of this machine for its page. */
export interface LocalDetails {
  readonly sent: SentSummary;
  /** How the codes differ; absent for a match. */
  readonly code?: CodeSummary;
  /** How the creation codes differ; absent where they agree or were not compared. */
  readonly creationCode?: CodeSummary;
  /** "solc 0.8.28, downloaded, SHA-256 …" */
  readonly compiler: readonly LabelledText[];
  readonly runtimeMatch: "exact_match" | "match" | null;
  readonly creationMatch: "exact_match" | "match" | null;
  readonly transformations: readonly LabelledText[];
  readonly constructorArguments: readonly LabelledText[];
}

const MAX_LINES = 1_000;
const count = numberFrom(0, 1e9);
/** What was fit to be shown is read as anything that lies on a disk: it is made fit again. */
const line = mapped(text(MAX_LINE_CHARACTERS), foreignLine);
const lines: Shape<LabelledText[]> = listOf(
  object({ label: line, value: line, whole: ifReadable(line) }),
  MAX_LINES,
);
const cell: Shape<MapCell> = object({
  kind: oneOf("same", "code", "immutable", "arguments", "address", "metadata", "unknown"),
  share: numberFrom(0, 1),
});
const codeMap: Shape<CodeMap> = object({ bytes: count, cells: listOf(cell, MAX_LINES) });
const value = matching(
  new RegExp(`^0x(?:[\\da-f]{2}){0,${MAX_VALUE_BYTES}}$`),
  () => t`a short value in hex`,
);
const place: Shape<DifferingPlace> = object({
  offset: count,
  deployedBytes: count,
  compiledBytes: count,
  values: ifReadable(object({ deployed: value, compiled: value })),
});
const code: Shape<CodeSummary> = object({
  figure: line,
  deployed: codeMap,
  compiled: codeMap,
  facts: lines,
  places: listOf(place, MAX_LINES),
  placeCount: count,
});
const file: Shape<SentFile> = object({
  name: line,
  bytes: count,
  place: ifReadable(oneOf("project", "dependency", "outside")),
});
const match = nullable(oneOf("exact_match", "match"));

/** Reads what was kept. */
export const localDetails: Shape<LocalDetails> = object({
  sent: object({ brief: line, facts: lines, files: listOf(file, MAX_SENT_FILES), fileCount: count }),
  code: optional(code),
  creationCode: ifReadable(code),
  compiler: lines,
  runtimeMatch: match,
  creationMatch: match,
  transformations: lines,
  constructorArguments: lines,
});
