import { shown, type ShownText } from "../text/shownText.ts";

/** Where a published file is from. */
export type FilePlace = "project" | "dependency" | "outside";

/** The same on screen; nothing for the project's own files. */
export const PLACE_WORDS: Readonly<Record<FilePlace, ShownText>> = {
  project: shown``,
  dependency: shown`dependency`,
  outside: shown`outside the project`,
};
