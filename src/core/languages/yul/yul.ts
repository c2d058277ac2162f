import type { Language } from "../languageFacts.ts";

/** Yul: an object a file, compiled by solc. */
export const yul: Language = {
  endings: ["yul"],
  alsoTakes: ["sol"],
  editorIds: ["yul"],
  compiler: "solc",
  madeAs: "Solidity",
  // ethereum/solidity, libyul/ObjectParser.cpp
  hasFreeNames: true,
  releaseList: "solc",
};
