import type { Language } from "../languageFacts.ts";

/** Vyper: a contract or a module a file, which has the file's name. */
export const vyper: Language = {
  endings: ["vy"],
  otherEndings: ["vyi"],
  alsoTakes: ["json"],
  editorIds: ["vyper"],
  compiler: "Vyper",
  madeAs: "Vyper",
  // It is the name of the file.
  hasFreeNames: true,
  releaseList: "vyper",
  hasHashInCreationCode: true,
  hasDataBehindCode: true,
  optimizerModes: ["gas", "codesize", "none"],
  inputFields: ["interfaces", "storage_layout_overrides", "integrity"],
  // `vyper -f solc_json` writes where it is told to.
  bundlesOf: (contractName) => [
    `${contractName}.json`,
    `${contractName}.solc.json`,
    `${contractName}.vy.json`,
    `${contractName}_solc.json`,
  ],
};
