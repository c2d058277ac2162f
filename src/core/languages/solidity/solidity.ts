import type { Language } from "../languageFacts.ts";

/** Solidity, the language of most tools. */
export const solidity: Language = {
  endings: ["sol"],
  editorIds: ["solidity"],
  compiler: "solc",
  madeAs: "Solidity",
  hasMetadata: true,
  releaseList: "solc",
};
