import { sourceDocument } from "../../core/text/documentText.ts";
import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import type { PublishedFile, PublishReview } from "../../core/verification/publishReview.ts";
import { foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import { pick, type StepFrame } from "../ui/multiStep.ts";
import { separator, type Choice } from "../ui/quickPick.ts";
import { uriOf, workspaceFiles } from "../workspaceFiles.ts";

/** "14 files (2 from dependencies, 1 from outside the project), 29.2 kB". */
export function filesInBrief({ files, bytes }: Pick<PublishReview, "files" | "bytes">): ShownText {
  const from = (place: PublishedFile["place"], words: string) => {
    const count = files.filter((file) => file.place === place).length;
    return count === 0 ? [] : [`${count.toLocaleString("en-US")} from ${words}`];
  };
  const places = [...from("dependency", "dependencies"), ...from("outside", "outside the project")];
  const size = `${(bytes / 1000).toLocaleString("en-US", { maximumFractionDigits: 1 })} kB`;
  const count = files.length === 1 ? "1 file" : `${files.length.toLocaleString("en-US")} files`;
  return shown`${count}${places.length === 0 ? "" : ` (${places.join(", ")})`}, ${size}`;
}

const PLACES = { project: "", dependency: "dependency", outside: "outside the project" } as const;

/** Files that go together, and what for where there are several such. */
export interface PublishedGroup {
  readonly title?: ShownText;
  readonly files: readonly PublishedFile[];
}

/** Lists what is published, and opens beside what is chosen: the very text that goes. */
export async function showFiles(
  parts: Parts,
  frame: StepFrame,
  groups: readonly PublishedGroup[],
): Promise<void> {
  const file = await pick(frame, {
    placeholder: shown`Files that are sent. Choose one to open it beside`,
    choices: groups.flatMap(({ title, files }): Choice<PublishedFile>[] => [
      ...(title === undefined ? [] : [separator(title)]),
      ...files.map(fileChoice),
    ]),
  });
  await openText(parts, file);
}

function fileChoice(file: PublishedFile): Choice<PublishedFile> {
  const icon = file.concerns.length > 0 ? "warning" : file.place === "outside" ? "info" : undefined;
  const description = [
    `${file.bytes.toLocaleString("en-US")} bytes`,
    PLACES[file.place],
    file.isOnDisk
      ? ""
      : `${file.isRecorded ? "differs from the file" : "not on disk"}, from the record of the build`,
    file.onlyIfNeeded ? "sent only if the others do not match" : "",
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
async function openText({ ledger: { documents } }: Parts, file: PublishedFile): Promise<void> {
  const { path, text, unit, isOnDisk } = file;
  const onDisk = isOnDisk ? await workspaceFiles.read(path).catch(() => undefined) : undefined;
  const isSame = onDisk !== undefined && Buffer.from(text, "utf8").equals(onDisk);
  const segments = unit.split("/").map((segment) => (/^\.{0,2}$/.test(segment) ? "_" : segment));
  const uri = isSame
    ? uriOf(path)
    : documents.put([shown`what is sent`, ...segments.map((one) => foreign(one))], sourceDocument(text));
  await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
}
