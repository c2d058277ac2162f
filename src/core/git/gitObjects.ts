import { bytesToHex } from "@noble/hashes/utils.js";

/** A commit, as its object has it. Ids are lower-case hexadecimal, 40 digits or 64. */
export interface GitCommit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** When it was made, by the clock of who made it: in milliseconds since 1970. */
  readonly time: number;
  /** The first line of its message; text from elsewhere. */
  readonly subject: string;
}

/** One name in a tree. */
export interface GitEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "submodule";
  /** Of a blob, a tree, or of a submodule the commit that is recorded for it. */
  readonly id: string;
}

/** Reads the objects of a repository, and nothing else of it. What is `undefined` is not in this clone. */
export interface GitObjects {
  commit(id: string): Promise<GitCommit | undefined>;
  tree(id: string): Promise<readonly GitEntry[] | undefined>;
  /** @throws LedgerLensError `git_object_too_large` for more than `largest` bytes */
  blob(id: string, largest: number): Promise<Uint8Array | undefined>;
}

/** Whether a text is the whole id of an object, so that it is mistaken for nothing else. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** A commit by the bytes of its object; `undefined` for what is none. */
export function readCommit(id: string, bytes: Uint8Array): GitCommit | undefined {
  const text = Buffer.from(bytes).toString();
  const end = text.indexOf("\n\n");
  const [header, message] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end + 2)];
  const lines = header.split("\n");
  const tree = lines[0]?.startsWith("tree ") ? lines[0].slice(5) : "";
  const parents = lines.filter((line) => line.startsWith("parent ")).map((line) => line.slice(7));
  const committer = lines.find((line) => line.startsWith("committer ")) ?? "";
  const seconds = Number(/ (\d{1,12}) [+-]\d+$/.exec(committer)?.[1]);
  if (!isObjectId(tree) || !parents.every(isObjectId) || Number.isNaN(seconds)) return undefined;
  return { id, tree, parents, time: seconds * 1000, subject: message.trimStart().split("\n", 1)[0] ?? "" };
}

/** What an annotated tag names; `undefined` for what is no tag. */
export function taggedObject(bytes: Uint8Array): string | undefined {
  const id = /^object ([0-9a-f]+)\n/.exec(Buffer.from(bytes.subarray(0, 128)).toString())?.[1];
  return id !== undefined && isObjectId(id) ? id : undefined;
}

const SPACE = 0x20;

/** A tree by the bytes of its object: mode, space, name, null, id, and so on. A name that can be no file's is left out. */
export function readTree(bytes: Uint8Array, idBytes: number): GitEntry[] {
  const entries: GitEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(SPACE, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + idBytes >= bytes.length + 1) break;
    const mode = Buffer.from(bytes.subarray(at, space)).toString();
    const name = Buffer.from(bytes.subarray(space + 1, end)).toString();
    at = end + 1 + idBytes;
    const kind = kindOf(mode);
    if (kind === undefined || name === "" || name === "." || name === ".." || /[/\ufffd]/.test(name))
      continue;
    entries.push({ name, kind, id: bytesToHex(bytes.subarray(end + 1, at)) });
  }
  return entries;
}

function kindOf(mode: string): GitEntry["kind"] | undefined {
  if (mode === "40000" || mode === "040000") return "folder";
  if (mode === "120000") return "link";
  if (mode === "160000") return "submodule";
  return /^100\d{3}$/.test(mode) ? "file" : undefined;
}
