import { asItems, asRecord, asText } from "../json/looseData.ts";
import { ownValue } from "../json/ownValue.ts";
import { parseRemapping } from "../languages/solidity/remapping.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";

/** Answers the places below `at` where something stands that the compiler gives no meaning. */
type Known = (value: unknown, at: string) => readonly string[];

/** More of a key tells nothing. */
const LONGEST_KEY = 60;

const inside = (at: string, key: string) => {
  const short = key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key;
  return at === "" ? short : `${at}.${short}`;
};

/** A value that holds no text: a switch, a number or nothing. */
const plain: Known = (value, at) =>
  value === null || typeof value === "boolean" || typeof value === "number" ? [] : [at];

const matching =
  (form: RegExp): Known =>
  (value, at) =>
    form.test(asText(value) ?? "\n") ? [] : [at];

const either =
  (one: Known, other: Known): Known =>
  (value, at) =>
    one(value, at).length === 0 ? [] : other(value, at);

const listOf =
  (known: Known): Known =>
  (value, at) =>
    Array.isArray(value) && asItems(value).every((item) => known(item, at).length === 0) ? [] : [at];

/** A table with these keys and no others. */
const fields =
  (known: Readonly<Record<string, Known>>): Known =>
  (value, at) =>
    entries(value, at, (key, inner, place) => ownValue(known, key)?.(inner, place) ?? [place]);

/** A table whose keys are chosen by the project. */
const tableOf =
  (isKey: (key: string) => boolean, known: Known): Known =>
  (value, at) =>
    entries(value, at, (key, inner, place) => (isKey(key) ? known(inner, place) : [place]));

function entries(
  value: unknown,
  at: string,
  look: (key: string, value: unknown, place: string) => readonly string[],
): readonly string[] {
  const table = asRecord(value);
  if (!table) return [at];
  return Object.entries(table).flatMap(([key, inner]) => look(key, inner, inside(at, key)));
}

const switches = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, plain] as const));

/** A name of an output, of an EVM version, of a mode: a word, and no room for anything else. */
const word = matching(/^@?[\w.*-]{1,40}$/);
const evmVersion = either(plain, matching(/^@?[A-Za-z]{1,20}$/));
/** A path has no blanks where a tool wrote it; one that has is looked at. */
const isPath = (text: string) => /^[^\s\p{Cc}]{1,300}$/u.test(text);
const path: Known = (value, at) => (isPath(asText(value) ?? "") ? [] : [at]);
const remapping: Known = (value, at) => {
  const text = asText(value) ?? "";
  return isPath(text) && parseRemapping(text) ? [] : [at];
};
/** `Name`, or `file.sol:Name` as compilers before 0.5 link. */
const isContract = (name: string) => /^(?:\S{1,300}:)?[\w$*]{0,200}$/.test(name);

/** The name of a file as settings choose it: of one that goes, of one like it, or of all. */
const fileNames = (sources: object) => (name: string) =>
  name === "" ||
  name === "*" ||
  Object.hasOwn(sources, name) ||
  (isPath(name) && /\.(?:sol|yul|vyi?|json)$/i.test(name));

/** What solc reads of its settings; it refuses any other key (libsolidity/interface/StandardCompiler.cpp). */
function solcSettings(sources: object): Known {
  const isFile = fileNames(sources);
  const contracts = (known: Known) => tableOf(isFile, tableOf(isContract, known));
  return fields({
    ...switches("viaIR", "viaSSACFG", "experimental", "parserErrorRecovery", "eofVersion"),
    remappings: listOf(remapping),
    evmVersion,
    libraries: contracts(matching(/^0x[0-9a-f]{40}$/i)),
    outputSelection: contracts(listOf(word)),
    stopAfter: matching(/^parsing$/),
    metadata: fields({
      ...switches("useLiteralContent", "appendCBOR"),
      bytecodeHash: matching(/^(?:ipfs|bzzr1|none)$/),
    }),
    debug: fields({
      revertStrings: matching(/^(?:default|strip|debug|verboseDebug)$/),
      debugInfo: listOf(matching(/^(?:\*|location|snippet|ast-id|ethdebug)$/)),
    }),
    optimizer: fields({
      ...switches("enabled", "runs"),
      details: fields({
        ...switches("peephole", "inliner", "jumpdestRemover", "orderLiterals", "deduplicate", "cse", "yul"),
        ...switches("constantOptimizer", "simpleCounterForLoopUncheckedIncrement"),
        yulDetails: fields({
          ...switches("stackAllocation"),
          // Steps are letters, loops of them in brackets, and a colon before those of the end.
          optimizerSteps: matching(/^[A-Za-z:[\]\s]{0,1000}$/),
        }),
      }),
    }),
    modelChecker: fields({
      ...switches("bmcLoopIterations", "divModNoSlacks", "printQuery", "timeout"),
      ...switches("showProvedSafe", "showUnproved", "showUnsupported"),
      contracts: tableOf(isFile, listOf(word)),
      engine: word,
      extCalls: word,
      invariants: listOf(word),
      solvers: listOf(word),
      targets: listOf(word),
    }),
  });
}

/** What Vyper reads of its settings (vyper/cli/vyper_json.py) and writes into its own bundles. */
function vyperSettings(sources: object): Known {
  const isFile = fileNames(sources);
  const outputs = listOf(word);
  return fields({
    ...switches("experimentalCodegen", "experimental_codegen", "venomExperimental", "bytecodeMetadata"),
    ...switches("enable_decimals", "debug", "nonreentrancy_by_default"),
    evmVersion,
    evm_version: evmVersion,
    optimize: either(plain, matching(/^\w{1,12}$/)),
    search_paths: either(path, listOf(path)),
    outputSelection: tableOf(isFile, either(outputs, tableOf(isContract, outputs))),
    venom: tableOf((key) => /^\w{1,40}$/.test(key), plain),
  });
}

/**
 * The settings of an input that its compiler is not known to read, by their places: `optimizer.note`. A configuration or
 * a record may hold any text there; the compiler does nothing with it, and it goes with the sources all the same.
 */
export function unsupportedSettings({ language, sources, settings, integrity }: StandardJsonInput): string[] {
  const known =
    language === "Vyper" ? vyperSettings(sources) : language === "Fe" ? fields({}) : solcSettings(sources);
  const besides = integrity === undefined || /^[0-9a-f]{64}$/i.test(integrity) ? [] : ["integrity"];
  return [...known(settings, ""), ...besides];
}
