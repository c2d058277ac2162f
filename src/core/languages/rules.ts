import type { LanguageName } from "../sources/standardJsonInput.ts";
import { feRules } from "./fe/feRules.ts";
import type { LanguageRules } from "./languageRules.ts";
import { solidityRules } from "./solidity/solidityRules.ts";
import { vyperRules } from "./vyper/vyperRules.ts";
import { yulRules } from "./yul/yulRules.ts";

/** The rules of every language of `language.ts`. Their larger parts are loaded at the first use. */
export const RULES: Readonly<Record<LanguageName, LanguageRules>> = {
  Solidity: solidityRules,
  Vyper: vyperRules,
  Yul: yulRules,
  Fe: feRules,
};
