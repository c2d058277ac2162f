import { documentSegments } from "../../core/text/documentPath.ts";
import { t } from "@vscode/l10n";
import { counted, kilobytes } from "../../core/text/counted.ts";
import { documentOfLines, sourceDocument } from "../../core/text/documentText.ts";
import * as vscode from "vscode";
import { PLACE_WORDS } from "../../core/jobs/filePlace.ts";
import { runsHere } from "../../core/http/thisMachine.ts";
import { fateOfSources, type PublishedFile, type PublishReview } from "../../core/jobs/publishReview.ts";
import { foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import type { StepFrame } from "../ui/multiStep.ts";
import { pick } from "../ui/questions.ts";
import { separator, type Choice } from "../ui/quickPick.ts";
import { inTurns, mapInPieces } from "../../core/concurrency/turns.ts";
import { uriOf, workspaceFiles } from "../workspaceFiles.ts";
import type { DocumentParts } from "./verificationParts.ts";

/** "14 files (2 from dependencies, 1 from outside the project), 29.2 kB". */
export function filesInBrief({ files, bytes }: Pick<PublishReview, "files" | "bytes">): ShownText {
  const from = (place: PublishedFile["place"], words: string) => {
    const count = files.filter((file) => file.place === place).length;
    return count === 0 ? [] : [t`${count.toLocaleString("en-US")} from ${words}`];
  };
  const places = [...from("dependency", t`dependencies`), ...from("outside", t`outside the project`)];
  return shown`${counted(files.length, "file")}${places.length === 0 ? "" : ` (${places.join(", ")})`}, ${kilobytes(bytes)}`;
}

/** What becomes of what is sent to a host, as a line of a review. */
export function fateLine(host: string): Pick<Choice<never>, "icon" | "label"> {
  return { icon: runsHere(host) ? "device-desktop" : "globe", label: fateOfSources(host) };
}

/** Files that go together, and what for where there are several such. */
interface PublishedGroup {
  readonly title?: ShownText;
  readonly files: readonly PublishedFile[];
}

/** So many files are offered line by line: the editor takes seconds for the lines of a hundred thousand. */
const MAX_LINES = 1_000;

/**
 * Lists what is published, and opens beside what is chosen: the very text that goes. Of very many files the first ones are
 * lines, those of concern before others, and all of them are in a document.
 */
export async function showFiles(
  parts: DocumentParts,
  frame: StepFrame,
  groups: readonly PublishedGroup[],
): Promise<void> {
  const count = groups.reduce((sum, { files }) => sum + files.length, 0);
  const share = Math.max(1, Math.floor(MAX_LINES / groups.length));
  const isAll = count <= MAX_LINES;
  const file = await pick<PublishedFile | "all">(frame, {
    placeholder: shown`Files that are sent. Choose one to open it beside`,
    choices: [
      ...(isAll ? [] : [allFilesChoice(count)]),
      ...groups
        .slice(0, MAX_LINES)
        .flatMap(({ title, files }): Choice<PublishedFile>[] => [
          ...(title === undefined ? [] : [separator(title)]),
          ...(isAll ? files : files.slice(0, share)).map(fileChoice),
        ]),
    ],
  });
  await (file === "all" ? openList(parts, groups) : openText(parts, file));
}

function allFilesChoice(count: number): Choice<"all"> {
  return {
    icon: "list-flat",
    label: shown`List of all ${count.toLocaleString("en-US")} files`,
    description: shown`the first ${MAX_LINES.toLocaleString("en-US")} are below`,
    value: "all",
    alwaysShow: true,
  };
}

/** All files in a document, a line each. */
async function openList({ documents }: DocumentParts, groups: readonly PublishedGroup[]): Promise<void> {
  const files = groups.flatMap((group) => group.files);
  const lines = await inTurns(mapInPieces(files, fileLine));
  const uri = documents.put([shown`what is sent`, shown`files`], documentOfLines(lines));
  await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
}

function fileLine(file: PublishedFile): ShownText {
  const { label, description, detail } = fileChoice(file);
  return joined(
    [label, description, detail].filter((part) => part !== undefined),
    " · ",
  );
}

function fileChoice(file: PublishedFile): Choice<PublishedFile> {
  const icon = file.concerns.length > 0 ? "warning" : file.place === "outside" ? "info" : undefined;
  const description = [
    counted(file.bytes, "byte"),
    PLACE_WORDS[file.place],
    file.isOnDisk
      ? ""
      : t`${file.isRecorded ? t`differs from the file` : t`not on disk`}, from the record of the build`,
    file.onlyIfNeeded ? t`sent only if the others do not match` : "",
  ];
  return {
    icon,
    label: file.name,
    description: foreign(description.filter(Boolean).join(" · ")),
    ...(file.concerns.length > 0 && { detail: joined(file.concerns, " ") }),
    value: file,
  };
}

/** The file where it holds what goes, and else what goes, in a document that can't be changed. */
async function openText({ documents }: DocumentParts, file: PublishedFile): Promise<void> {
  const { path, text, unit, isOnDisk } = file;
  const onDisk = isOnDisk ? await workspaceFiles.read(path).catch(() => undefined) : undefined;
  const isSame = onDisk !== undefined && Buffer.from(text, "utf8").equals(onDisk);
  const uri = isSame
    ? uriOf(path)
    : documents.put([shown`what is sent`, ...documentSegments(unit)], sourceDocument(text));
  await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
}
