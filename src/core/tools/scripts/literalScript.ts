import { isInside, joinPath, openFile, parentFolder, type FileReader } from "../../files/fileReader.ts";
import { UnreadableFile } from "../../files/unreadableFile.ts";
import { textOf } from "../../json/dataFile.ts";
import { parseJson } from "../../json/looseData.ts";
import { computedAt } from "./computed.ts";
import {
  MAX_CODE,
  ScriptEvaluation,
  TooMuchScript,
  type ScriptFile,
  type UnsetVariable,
} from "./scriptEvaluation.ts";
import { importsOf } from "./scriptSyntax.ts";

/** What a configuration script exports, read as data. */
interface ReadScript {
  /** `undefined` when the file exports nothing that can be found. */
  readonly exported: unknown;
  readonly unset: readonly UnsetVariable[];
  /** The modules that it imports, as it names them. */
  readonly imported: readonly string[];
  /** The one-based line at which the file is no JavaScript or TypeScript that can be read. */
  readonly unreadable?: number;
}

/** Where a script lies, for the files that it imports: those in the open folder are read. */
interface ScriptPlace {
  readonly files: FileReader;
  /** Absolute. */
  readonly path: string;
  readonly opened: string;
}

/** Files that a script imports. */
const MAX_FILES = 32;
/** Imports of imports, one behind the other. */
const MAX_ROUNDS = 8;

/** The endings that Node and TypeScript add to the path of an import, in their order. */
const ENDINGS = ["", ".js", ".json", ".ts", ".cjs", ".mjs", ".cts", ".mts"];
const IN_FOLDERS = ["/index.js", "/index.ts", "/index.json"];

/**
 * Reads what a JavaScript or TypeScript configuration file exports, as data: nothing is run. It is parsed, and evaluated
 * as far as all is known: literals, constants, conditions, operators, functions of the script, changes of what was made
 * before, what other files of the project export, and paths that are joined of the script's own folder. A variable of the environment counts as not set. Everything else,
 * such as what a command line says, becomes {@link Computed} in its place, and the rest is read all the same; of a file
 * that can't be parsed nothing is known.
 */
export async function readScript(text: string, place?: ScriptPlace): Promise<ReadScript> {
  // Few projects have any.
  const { parseScript, MAX_SCRIPT_CHARACTERS } = await import("./scriptParser.ts");
  const unknown = (line: number) =>
    computedAt(line, (text.split("\n", line).at(-1) ?? "").trim().slice(0, MAX_CODE));
  const parsed = parseScript(text);
  if ("line" in parsed)
    return { exported: unknown(parsed.line), unset: [], imported: [], unreadable: parsed.line };
  const imported = importsOf(parsed.program);
  const script = { path: place?.path ?? "", text, program: parsed.program };
  const files = new Map<string, ScriptFile | undefined>();
  let left = MAX_SCRIPT_CHARACTERS - text.length;
  for (let round = 0; ; round++) {
    const evaluation = new ScriptEvaluation(script, files);
    let read: Pick<ReadScript, "exported" | "unset">;
    try {
      read = evaluation.run();
    } catch (error) {
      if (!(error instanceof TooMuchScript)) throw error;
      read = { exported: unknown(1), unset: [] };
    }
    const { wanted } = evaluation;
    if (!place || wanted.size === 0 || round === MAX_ROUNDS) return { ...read, imported };
    for (const key of wanted) {
      const found = files.size < MAX_FILES ? await openImport(place, key, left) : undefined;
      const file = found && (isJson(found) ? jsonOf(found) : programOf(found));
      left -= file ? found.text.length : 0;
      files.set(key, file);
    }
  }

  function programOf({ path, text: own }: TextFile): ScriptFile | undefined {
    const result = parseScript(own);
    return "program" in result ? { path, text: own, program: result.program } : undefined;
  }
}

/** The exported value alone of {@link readScript}. */
export async function readExportedLiteral(text: string, place?: ScriptPlace): Promise<unknown> {
  return (await readScript(text, place)).exported;
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

const isJson = ({ path }: TextFile) => path.endsWith(".json");

function jsonOf({ path, text }: TextFile): ScriptFile | undefined {
  return parseJson(text) === undefined ? undefined : { path, json: text };
}

/** The file that an import leads to, if it lies in the open folder; see `importKey`. */
async function openImport(
  { files, opened: folder }: ScriptPlace,
  key: string,
  largest: number,
): Promise<TextFile | undefined> {
  const [from = "", specifier = ""] = key.split("\0");
  const path = joinPath(parentFolder(from), specifier);
  const realFolder = (await files.realPath(folder)) ?? folder;
  // TypeScript names the file that is made of the one that is meant.
  const source = /\.[cm]?js$/.test(path) ? [path.replace(/js$/, "ts")] : [];
  for (const one of [
    ...ENDINGS.map((ending) => path + ending),
    ...source,
    ...IN_FOLDERS.map((name) => path + name),
  ]) {
    try {
      const opened = await openFile(files, one, largest);
      if (!opened) continue;
      const text = isInside(opened.realPath, realFolder) ? textOf(opened.bytes) : undefined;
      return text === undefined ? undefined : { path: one, text };
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      return undefined;
    }
  }
  return undefined;
}
