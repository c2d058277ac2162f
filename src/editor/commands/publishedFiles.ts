import * as vscode from "vscode";
import type { PublishedFile, PublishReview } from "../../core/verification/publishReview.ts";
import { pick, type StepFrame } from "../ui/multiStep.ts";
import { uriOf } from "../workspaceFiles.ts";
import { foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";

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

/** Lists what is published, and opens beside what is chosen. */
export async function showFiles(frame: StepFrame, { files }: Pick<PublishReview, "files">): Promise<void> {
  const path = await pick(frame, {
    placeholder: shown`Files that are sent. Choose one to open it beside`,
    choices: files.map((file) => {
      const icon = file.concerns.length > 0 ? "warning" : file.place === "outside" ? "info" : undefined;
      const description = [
        `${file.bytes.toLocaleString("en-US")} bytes`,
        PLACES[file.place],
        file.onlyIfNeeded ? "sent only if the others do not match" : "",
      ];
      return {
        icon,
        label: file.name,
        description: foreign(description.filter(Boolean).join(" · ")),
        ...(file.concerns.length > 0 && { detail: joined(file.concerns, " ") }),
        value: file.path,
      };
    }),
  });
  await vscode.window.showTextDocument(uriOf(path), { preview: true, preserveFocus: true });
}
