import type { Language } from "../languageFacts.ts";

/** Yul: an object a file, compiled by solc. */
export const yul: Language = {
  endings: ["yul"],
  alsoTakes: ["sol"],
  editorIds: ["yul"],
  compiler: "solc",
  madeAs: "Solidity",
  releaseList: "solc",
};
