import type { Language } from "../languageFacts.ts";

/** Fe: the files of an ingot, compiled together. */
export const fe: Language = {
  endings: ["fe"],
  configurations: ["fe.toml"],
  editorIds: ["fe"],
  compiler: "Fe",
};
