import { isIdentifier } from "../text/identifier.ts";
import { languageOfPath, LANGUAGES } from "./language.ts";

/**
 * Whether a contract of a file may have this name: an identifier, or any text without control characters and slashes where
 * the language of the file lets names be free.
 *
 * @param path the file's path, source unit name or name; one of no language is as strict as Solidity
 */
export function isContractName(name: string, path: string): boolean {
  const language = languageOfPath(path);
  return language && LANGUAGES[language].hasFreeNames ? /^[^\p{Cc}/\\]+$/u.test(name) : isIdentifier(name);
}
