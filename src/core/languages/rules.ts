import type { LanguageName } from "../sources/standardJsonInput.ts";
import { ifKnown } from "./compilerChoice.ts";
import type { CompilerLists } from "./compilerLists.ts";
import type { CodeRules } from "./codeRules.ts";
import { feRules } from "./fe/feRules.ts";
import type { LanguageRules } from "./languageRules.ts";
import { solidityRules } from "./solidity/solidityRules.ts";
import { vyperRules } from "./vyper/vyperRules.ts";
import { solcCode } from "./solidity/solcCode.ts";
import { yulRules } from "./yul/yulRules.ts";

/** The rules of every language of `language.ts`. Their larger parts are loaded at the first use. */
export const RULES: Readonly<Record<LanguageName, LanguageRules>> = {
  Solidity: solidityRules,
  Vyper: vyperRules,
  Yul: yulRules,
  Fe: feRules,
};

/** What the compiler of a language does by itself; where the language is not known, it is taken for solc. */
export function codeRulesOf(language: LanguageName | undefined): CodeRules {
  return (language && RULES[language].code) ?? solcCode;
}

/**
 * The full form of a version of a language's compiler, as services want it; `undefined` for one that is on no list.
 *
 * @param releases known releases; what ships unless said
 */
export function fullVersion(
  language: LanguageName,
  version: string,
  releases?: Partial<CompilerLists>,
): string | undefined {
  return ifKnown(() => RULES[language].completeVersion(version, releases));
}
