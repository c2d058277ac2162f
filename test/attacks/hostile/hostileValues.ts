import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What stands in the place of a file of a workspace. */
export interface HostileFile {
  readonly name: string;
  /** Nothing that reads data can make anything of it, so that a reader has to say that it was left out. */
  readonly isUnreadable: boolean;
  /**
   * Puts it there.
   *
   * @param path the file, absolute
   * @param valid what a tool would have written there
   * @param outside a file elsewhere that may not be sent
   */
  put(path: string, valid: Buffer, outside: string): Promise<void>;
}

const MEGABYTES = 1024 * 1024;
/** JSON and a script take a line that long, and so does a path in them. */
const LONG = 1_000_000;

function bytes(
  name: string,
  isUnreadable: boolean,
  content: (valid: Buffer) => string | Uint8Array,
): HostileFile {
  return { name, isUnreadable, put: (path, valid) => writeFile(path, content(valid)) };
}

function instead(
  name: string,
  isUnreadable: boolean,
  make: (path: string, outside: string) => Promise<void>,
): HostileFile {
  return {
    name,
    isUnreadable,
    async put(path, _valid, outside) {
      await rm(path, { recursive: true, force: true });
      await mkdir(dirname(path), { recursive: true });
      await make(path, outside);
    },
  };
}

/** What a file of any format may be instead of what it should be. */
export const HOSTILE_FILES: readonly HostileFile[] = [
  bytes("empty", false, () => ""),
  bytes("white space", false, () => " \n\t\n"),
  bytes("cut off", false, (valid) => valid.subarray(0, Math.floor(valid.length / 2))),
  bytes("binary", true, () => Uint8Array.from({ length: 4096 }, (_, at) => (at * 167 + 13) & 0xff)),
  bytes("a byte-order mark", false, (valid) => Buffer.concat([Buffer.from("\ufeff"), valid])),
  bytes("UTF-16", true, (valid) => Buffer.from(`\ufeff${valid.toString("utf8")}`, "utf16le")),
  bytes("nulls", true, () => "\0".repeat(4096)),
  bytes("Windows line ends", false, (valid) => valid.toString("utf8").replaceAll("\n", "\r\n")),
  bytes("a very long line", false, () => "a".repeat(LONG)),
  bytes("a long line behind it", false, (valid) =>
    Buffer.concat([valid, Buffer.from(`\n${"a".repeat(LONG)}`)]),
  ),
  bytes("brackets that open", false, () => "[".repeat(64_000)),
  bytes("braces that open", false, () => '{"a":'.repeat(32_000)),
  bytes("parentheses", false, () => "(".repeat(64_000)),
  bytes("quotes and backslashes", false, () => '"\\'.repeat(32_000)),
  bytes("deep lists", false, () => "[".repeat(100_000) + "]".repeat(100_000)),
  bytes("deep tables", false, () => '{"a":'.repeat(100_000) + "0" + "}".repeat(100_000)),
  bytes(
    "__proto__",
    false,
    () => '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  ),
  bytes("null", false, () => "null"),
  bytes("a number", false, () => "42"),
  bytes("a large number", false, () => `1${"0".repeat(10_000)}`),
  bytes("a text", false, () => '"$(touch pwned)"'),
  bytes("a list of nothing", false, () => "[null, [], {}, 0, true]"),
  bytes("the same twice", false, (valid) => Buffer.concat([valid, Buffer.from("\n"), valid])),
  instead("nothing: a link that leads nowhere", false, (path) => symlink("nowhere", path)),
  instead("a link to itself", false, (path) => symlink(path, path)),
  instead("a link to a file elsewhere", false, (path, outside) => symlink(outside, path)),
  instead("a link to a device", true, (path) => symlink("/dev/zero", path)),
  instead("a link to a file of the system", false, (path) => symlink("/proc/self/maps", path)),
  instead("a pipe", true, (path) => Promise.resolve(void execFileSync("mkfifo", [path]))),
  instead("a folder", false, async (path) => {
    await mkdir(path);
    for (const name of ["l1", "l2", "l3"]) await symlink(".", join(path, name));
  }),
  instead("600 MB", true, async (path) => {
    await writeFile(path, "{");
    await truncate(path, 600 * MEGABYTES);
  }),
];

/** Stands for what can't be written by a writer of the notation. */
export const RAW = "@@raw@@";

/** What the value of a known key may be instead, and what is written where the value says {@link RAW}. */
export const HOSTILE_VALUES: readonly (readonly [name: string, value: unknown, raw?: string])[] = [
  ["null", null],
  ["a number", 42],
  ["below nought", -1.5],
  ["true", true],
  ["an empty text", ""],
  ["a text", "text"],
  ["a long text", "a/".repeat(100_000)],
  ["a list", []],
  ["lists in lists", [[[]], null, 0]],
  ["a list of texts", ["../../..", "/etc", "a=b", "a\u0000b"]],
  ["a table", {}],
  ["a table of all sorts", { a: null, b: [], c: { d: 1 }, version: 7, settings: "x" }],
  ["__proto__", RAW, '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'],
  ["deep lists", RAW, "[".repeat(5_000) + "]".repeat(5_000)],
  ["a large number", RAW, `9${"0".repeat(400)}`],
  ["a path that climbs", "../../../../../../etc/passwd"],
  ["an absolute path", "/etc/passwd"],
  ["a path with a null", "a\u0000b"],
  ["a command", "$(touch pwned)`touch pwned`"],
];
