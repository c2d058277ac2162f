import { asRecord, fieldAt } from "../../json/looseData.ts";
import { toml } from "../../json/toml.ts";
import { shortVersion } from "../../versions.ts";

/** A value of foundry.toml that is written here. */
type Scalar = string | number | boolean;

/** Settings of standard JSON input by their names in foundry.toml, and what says that one is not set. */
const NAMES: readonly (readonly [path: readonly string[], name: string, unset?: Scalar])[] = [
  [["optimizer", "enabled"], "optimizer", false],
  [["optimizer", "runs"], "optimizer_runs", 200],
  [["viaIR"], "via_ir", false],
  [["evmVersion"], "evm_version"],
  [["metadata", "bytecodeHash"], "bytecode_hash", "ipfs"],
  [["metadata", "appendCBOR"], "cbor_metadata", true],
  [["metadata", "useLiteralContent"], "use_literal_content", false],
  [["debug", "revertStrings"], "revert_strings", "default"],
];

/** What is to be set: a release, and settings object by object, of which `null` takes one out. */
interface WantedSettings {
  /** Short or full. */
  readonly compilerVersion?: string;
  readonly settings?: object;
}

/**
 * The text of a `foundry.toml` with other settings in its default profile, the rest to the byte as it was.
 *
 * @returns `undefined` where it is not plain enough for that: read again, it must say just what is wanted more than before
 */
export async function withFoundrySettings(text: string, wanted: WantedSettings): Promise<string | undefined> {
  const values = foundryValues(wanted);
  const before = values && (await parsed(text));
  if (!values || !before) return undefined;
  const profile = asRecord(fieldAt(before, "profile", "default")) ?? {};
  let changed = text;
  const expected = new Map(Object.entries(profile));
  for (const [name, value] of values) {
    // What is there already keeps its spelling.
    const known = spellings(name).find((one) => expected.has(one)) ?? name;
    const next = withValue(changed, known, value);
    if (next === undefined) return undefined;
    changed = next;
    expected.set(known, value);
  }
  const after = await parsed(changed);
  const profiles = { ...asRecord(fieldAt(before, "profile")), default: Object.fromEntries(expected) };
  return after && isSame(after, { ...before, profile: profiles }) ? changed : undefined;
}

/** By their names in foundry.toml; `undefined` where one has no name there. */
function foundryValues({ compilerVersion, settings }: WantedSettings): Map<string, Scalar> | undefined {
  const values = new Map<string, Scalar>();
  if (compilerVersion !== undefined) values.set("solc", shortVersion(compilerVersion));
  const left = new Set(leavesOf(settings ?? {}));
  for (const [path, name, unset] of NAMES) {
    // A whole object may be taken out.
    const leaf = [...left].find((one) => `${path.join(".")}.`.startsWith(`${one}.`));
    if (leaf === undefined) continue;
    const value = fieldAt(settings, ...path) ?? unset;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
      return undefined;
    values.set(name, value);
    if (leaf === path.join(".")) left.delete(leaf);
  }
  const isWhole = (leaf: string) => leaf === "debug" || leaf === "metadata";
  return [...left].every(isWhole) && values.size > 0 ? values : undefined;
}

function leavesOf(value: object, before = ""): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = asRecord(member);
    return inner ? leavesOf(inner, `${before}${name}.`) : [`${before}${name}`];
  });
}

function spellings(name: string): string[] {
  return [name, name.replaceAll("_", "-"), ...(name === "solc" ? ["solc_version", "solc-version"] : [])];
}

const HEADER = /^[ \t]*\[[ \t]*profile[ \t]*\.[ \t]*default[ \t]*\][ \t]*(?:#.*)?$/;

/** A key in the table of the default profile on a line of its own; it is put behind the header where it is not there. */
function withValue(text: string, name: string, value: Scalar): string | undefined {
  const lines = text.split("\n");
  const headers = lines.flatMap((line, at) => (HEADER.test(line.replace(/\r$/, "")) ? [at] : []));
  const [header] = headers;
  if (header === undefined || headers.length > 1) return undefined;
  const next = lines.findIndex((line, at) => at > header && /^[ \t]*\[/.test(line));
  const end = next < 0 ? lines.length : next;
  const key = new RegExp(
    `^([ \\t]*${name}[ \\t]*=[ \\t]*)(?:"[^"\\\\]*"|'[^']*'|true|false|[\\d_]+)([ \\t]*(?:#.*)?\\r?)$`,
  );
  const at = lines.findIndex((line, place) => place > header && place < end && key.test(line));
  const written = JSON.stringify(value);
  if (at >= 0)
    lines[at] = (lines[at] ?? "").replace(
      key,
      (_, before: string, behind: string) => `${before}${written}${behind}`,
    );
  else lines.splice(header + 1, 0, `${name} = ${written}${lines[header]?.endsWith("\r") ? "\r" : ""}`);
  return lines.join("\n");
}

async function parsed(text: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return asRecord((await toml.parser()).parse(text));
  } catch {
    return undefined;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  const [mine, theirs] = [asRecord(one), asRecord(other)];
  if (!mine || !theirs) return textOf(one) === textOf(other);
  const names = Object.keys(mine);
  return (
    names.length === Object.keys(theirs).length &&
    names.every((name) => Object.hasOwn(theirs, name) && isSame(fieldAt(mine, name), fieldAt(theirs, name)))
  );
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member));
}
