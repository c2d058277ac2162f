import type { LanguageName } from "../sources/standardJsonInput.ts";
import { fe } from "./fe/fe.ts";
import type { Language } from "./languageFacts.ts";
import { solidity } from "./solidity/solidity.ts";
import { vyper } from "./vyper/vyper.ts";
import { yul } from "./yul/yul.ts";

/** Every language, by its name in standard JSON input. What it takes to read its sources is in `rules.ts`. */
export const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  Solidity: solidity,
  Vyper: vyper,
  Yul: yul,
  Fe: fe,
};

/** In the order of the table. */
export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as readonly LanguageName[];

/** The endings of files that may hold a contract, without a dot. */
export const CONTRACT_ENDINGS: readonly string[] = Object.values(LANGUAGES).flatMap(
  (language) => language.endings,
);

/** The endings of all sources: also of those that hold no contract. */
export const SOURCE_ENDINGS: readonly string[] = Object.values(LANGUAGES).flatMap((language) => [
  ...language.endings,
  ...(language.otherEndings ?? []),
]);

/** The language of a source by the ending of its path; `undefined` for what is none, such as a folder that is called `sol`. */
export function languageOfPath(path: string): LanguageName | undefined {
  const ending = /\.([^./]+)$/.exec(path)?.[1] ?? "";
  return LANGUAGE_NAMES.find((name) => {
    const { endings, otherEndings = [] } = LANGUAGES[name];
    return endings.includes(ending) || otherEndings.includes(ending);
  });
}

/** Whether something is the name of a language. */
export function isLanguageName(name: string | undefined): name is LanguageName {
  return name !== undefined && Object.hasOwn(LANGUAGES, name);
}
