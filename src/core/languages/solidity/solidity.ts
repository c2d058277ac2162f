import type { Language } from "../languageFacts.ts";

/** The file that says where imports lead, for many tools and for a folder without any. */
export const REMAPPINGS_FILE = "remappings.txt";

/** Solidity, the language of most tools. */
export const solidity: Language = {
  endings: ["sol"],
  editorIds: ["solidity"],
  compiler: "solc",
  madeAs: "Solidity",
  hasMetadata: true,
  releaseList: "solc",
};
