import { t } from "@vscode/l10n";
import { beforeJson, withoutEnd, wordsBesideJson } from "../json/wordsBesideJson.ts";
import { ended } from "../text/sentenceEnd.ts";
import { foreign } from "../text/shownText.ts";
import { compilerErrors, compilerErrorText } from "./compilerErrors.ts";
import { errorCodeOf, MAX_SAID_CHARACTERS } from "./errorCodes.ts";
import type { JobError } from "./job.ts";

/** So much of a compiler's error is part of a sentence, in characters. */
const MAX_ERROR_CHARACTERS = 300;

/**
 * Why a job failed, as a sentence that begins with the contract's name, and what to do next. For a code that is not
 * known the service's own words stand.
 */
export function failureSentence(name: string, error: JobError): string {
  const code = errorCodeOf(error);
  const said = saidOf(error);
  if (!code)
    return t`${name} is not verified: ${ended(said || foreign(wordsBesideJson(error.customCode)) || t`the service gave no reason`)}`;
  const words =
    code.subject === "compiler's errors" ? ended(firstCompilerError(error)) : said && ` (${said})`;
  // As a function: what the words hold is no pattern of a replacement.
  return `${name} ${code.sentence.replace("…", () => words)}`;
}

/** Words that say no more than that something failed. */
const SAYS_NOTHING = /^(?:unknown error|compiler error|compilation (?:error|failed))$/i;

/**
 * The service's own words, without the end of their sentence and without the list of errors that may stand behind them
 * as JSON; empty where they say nothing.
 */
export function saidOf({ message }: Pick<JobError, "message">): string {
  if (SAYS_NOTHING.test(withoutEnd(beforeJson(message).words))) return "";
  return foreign(withoutEnd(wordsBesideJson(message)), MAX_SAID_CHARACTERS);
}

/** The first error as text, with its file and line where the compiler names them: `contracts/A.sol:12: Undeclared identifier`. */
export function firstCompilerError(error: JobError): string {
  const { where, text } = firstError(error);
  return where === undefined ? text : `${where}: ${text}`;
}

/** The same with its kind: `TypeError in contracts/A.sol:12: Type uint256 is not implicitly convertible`. */
export function firstNamedError(error: JobError): string {
  const { kind, where, text } = firstError(error);
  if (kind === undefined) return firstCompilerError(error);
  return where === undefined ? `${kind}: ${text}` : t`${kind} in ${where}: ${text}`;
}

/** What the first error says, without where: `Undeclared identifier`. */
export function firstErrorText(error: JobError): string {
  return firstError(error).text;
}

function firstError(error: JobError): {
  readonly kind?: string;
  readonly where?: string;
  readonly text: string;
} {
  const first = compilerErrors(error).find(({ severity }) => severity === "error");
  if (!first)
    return { text: saidOf({ message: compilerErrorText(error) }) || t`the compiler gave no reason` };
  const { type, file, place } = first;
  const message = /^\s*[[{]/.test(first.message) ? wordsBesideJson(first.message) : first.message;
  return {
    ...(type !== undefined && { kind: foreign(type) }),
    ...(file !== undefined && file !== "" && { where: `${foreign(file)}${place ? `:${place.line}` : ""}` }),
    text: foreign(message.trim().replace(/\.$/, ""), MAX_ERROR_CHARACTERS) || t`the compiler gave no reason`,
  };
}

/**
 * The kind of the first error, and its file and line where the compiler names them: `TypeError in Vault.sol:19`;
 * `undefined` where the compiler gave neither.
 */
export function compilerErrorInBrief(error: JobError): string | undefined {
  const first = compilerErrors(error).find(({ severity }) => severity === "error");
  if (first?.type === undefined && first?.file === undefined) return undefined;
  const file = first.file?.slice(first.file.lastIndexOf("/") + 1);
  return [
    foreign(first.type ?? t`error`),
    ...(file === undefined ? [] : [t`in ${foreign(file)}${first.place ? `:${first.place.line}` : ""}`]),
  ].join(" ");
}
