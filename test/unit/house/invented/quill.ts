import type { Language } from "../../../../src/core/languages/languageFacts.ts";
import type { LanguageRules } from "../../../../src/core/languages/languageRules.ts";
import { relativePath } from "../../../../src/core/files/fileReader.ts";
import { inputFileOf } from "../../../../src/core/sources/inputFile.ts";
import { decodeSource } from "../../../../src/core/sources/sourceText.ts";
import type { LanguageName } from "../../../../src/core/sources/standardJsonInput.ts";

/** A language that there is not. */
export const quill: Language = {
  endings: ["quill"],
  otherEndings: ["feather"],
  configurations: ["inkpot.ini"],
  editorIds: ["quill"],
  compiler: "quillc",
};

/** How it is read: a contract stands behind `write`. */
export const quillRules: LanguageRules = {
  *definitions(_path, text) {
    yield;
    return [...text.matchAll(/^write (\w+)/gm)].map((match) => ({
      kind: "contract",
      name: match[1] ?? "",
      start: match.index + "write ".length,
    }));
  },
  completeVersion: (version) => `${version}+quill`,
  settings: { compiler: "quillc", checks: {} },
  knownSettings: () => () => [],
  async ownInput({ root, contract, configured }) {
    const { settings } = await configured();
    const name = relativePath(contract.path, root) ?? contract.path;
    const content = decodeSource(contract.path, contract.source.bytes);
    return {
      compilerVersion: "3.0.0+quill",
      compilerReason: "the only one",
      contractIdentifier: `${name}:${contract.contractName}`,
      // The union of languages has it only where a language is really added.
      stdJsonInput: { language: "Quill" as LanguageName, sources: { [name]: { content } }, settings },
      source: "derived",
      files: [inputFileOf(name, contract.source, Buffer.byteLength(content))],
      findings: [],
      warnings: [],
      project: root,
      changedSinceBuild: [],
    };
  },
};
