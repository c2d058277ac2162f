import { lastSegment, parentFolder, relativePath } from "../files/fileReader.ts";
import { globCovers } from "../files/globPattern.ts";
import { ifNotTooLarge, type CommitTree, type CommittedItem } from "./commitTree.ts";

/** Who checked a commit out: with the line ends as they are stored, or one whose git writes those of Windows. */
export type Checkout = "stored" | "windows";

/**
 * What decides the line ends of a file in a checkout: `stored` for none but the object itself, `crlf` for those of Windows
 * everywhere, `open` for whatever the machine is set up for.
 */
interface LineEnds {
  readonly ends: "stored" | "crlf" | "open";
  /** git makes sure first that it is text, and leaves alone what has such line ends already. */
  readonly isGuessed: boolean;
  /** git writes the id of the blob behind `$Id`. */
  readonly isNamed: boolean;
}

const MAX_ATTRIBUTES_BYTES = 256 * 1024;

/**
 * Reads `.gitattributes` of a commit as far as line ends and names go (git help attributes, "text", "eol" and "ident"): the folder's own goes
 * before those above, and in a file the last line that fits.
 */
export class AttributeFiles {
  readonly #tree: CommitTree;
  readonly #rules = new Map<string, Promise<readonly Rule[]>>();

  constructor(tree: CommitTree) {
    this.#tree = tree;
  }

  async lineEndsOf(file: CommittedItem): Promise<LineEnds> {
    const said: Attributes = {};
    for (const folder of foldersFrom(file.top.path, parentFolder(file.path))) {
      const inner = relativePath(file.path, folder) ?? "";
      for (const { covers, attributes } of await this.#rulesIn(folder))
        if (covers(inner)) Object.assign(said, attributes);
    }
    const isNamed = said.ident === true;
    if (said.text === "no") return { ends: "stored", isGuessed: false, isNamed };
    const isGuessed = said.text !== "yes" && said.eol === undefined;
    if (said.eol !== undefined)
      return { ends: said.eol === "crlf" ? "crlf" : "stored", isGuessed: said.text === "auto", isNamed };
    return { ends: "open", isGuessed, isNamed };
  }

  #rulesIn(folder: string): Promise<readonly Rule[]> {
    let rules = this.#rules.get(folder);
    if (!rules) this.#rules.set(folder, (rules = this.#read(folder)));
    return rules;
  }

  async #read(folder: string): Promise<readonly Rule[]> {
    const entries = await this.#tree.entriesOf(await this.#tree.at(folder));
    if (entries?.find(({ name }) => name === ".gitattributes")?.kind !== "file") return [];
    const file = await this.#tree.at(folder === "/" ? "/.gitattributes" : `${folder}/.gitattributes`);
    const bytes = file && (await ifNotTooLarge(this.#tree.bytesOf(file, MAX_ATTRIBUTES_BYTES)));
    return Buffer.from(bytes ?? [])
      .toString()
      .split(/\r?\n/)
      .flatMap(ruleOf);
  }
}

/**
 * The bytes of a file as a checkout has them.
 *
 * @param id of its blob
 */
export function checkedOut(stored: Uint8Array, id: string, line: LineEnds, checkout: Checkout): Uint8Array {
  const { ends, isGuessed, isNamed } = line;
  const bytes = isNamed ? withId(stored, id) : stored;
  if (ends === "stored" || (ends === "open" && checkout === "stored")) return bytes;
  if (isGuessed && (bytes.includes(0) || bytes.includes(0x0d))) return bytes;
  const text = Buffer.from(bytes).toString("latin1");
  return Buffer.from(text.replace(/\r?\n/g, "\r\n"), "latin1");
}

/** What stands behind `$Id` from another system has spaces, and is left alone (git help attributes, "ident"). */
function withId(bytes: Uint8Array, id: string): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1");
  return Buffer.from(text.replace(/\$Id(?:: ?[^ \n$]* ?)?\$/g, `$$Id: ${id} $$`), "latin1");
}

interface Attributes {
  ident?: boolean;
  text?: "yes" | "no" | "auto";
  eol?: "lf" | "crlf" | undefined;
}

interface Rule {
  readonly covers: (path: string) => boolean;
  readonly attributes: Attributes;
}

function ruleOf(line: string): Rule[] {
  const [pattern = "", ...words] = line.trim().split(/\s+/);
  if (pattern === "" || /^[#!"[]/.test(pattern)) return [];
  const attributes: Attributes = {};
  for (const word of words) Object.assign(attributes, meaningOf(word));
  return [{ covers: coverage(pattern), attributes }];
}

function meaningOf(word: string): Attributes {
  switch (word) {
    case "text":
    case "crlf":
      return { text: "yes" };
    case "-text":
    case "-crlf":
    case "binary":
      return { text: "no" };
    case "text=auto":
      return { text: "auto" };
    case "eol=lf":
    case "crlf=input":
      return { eol: "lf" };
    case "eol=crlf":
      return { eol: "crlf" };
    case "ident":
      return { ident: true };
    case "-ident":
    case "!ident":
      return { ident: false };
    case "-eol":
    case "!eol":
      return { eol: undefined };
    default:
      return {};
  }
}

/** As of a `.gitignore`: without a slash by the name alone, else from the folder of the file; a star is no slash. */
function coverage(pattern: string): (path: string) => boolean {
  const anchored = pattern.replace(/^\//, "");
  if (!pattern.includes("/")) return (path) => globCovers(pattern, lastSegment(path));
  const parts = anchored.split("/");
  const isDeep = parts.includes("**");
  return (path) => globCovers(anchored, path) && (isDeep || path.split("/").length === parts.length);
}

function foldersFrom(top: string, folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== top && at !== "/";) folders.unshift((at = parentFolder(at)));
  return folders;
}
