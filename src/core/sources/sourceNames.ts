import { splitIdentifier } from "./contractIdentifier.ts";
import { ownValue } from "../json/ownValue.ts";
import { plainSource } from "./sourceText.ts";
import type { StandardJsonInput } from "./standardJsonInput.ts";

/** Other names for source units: the name of before, and the one in its place. A unit that is not named keeps its own. */
export type SourceNames = Readonly<Record<string, string>>;

/** The name of a unit by other names. */
export function renamedSource(name: string, names: SourceNames): string {
  return ownValue(names, name) ?? name;
}

/** `<source unit name>:<contract name>` by other names. */
export function renamedIdentifier(identifier: string, names: SourceNames): string {
  const { file, name } = splitIdentifier(identifier);
  return file === "" ? identifier : `${renamedSource(file, names)}:${name}`;
}

/** An input whose files go by other names, also where its settings name them; every content stays as it was. */
export function withSourceNames(input: StandardJsonInput, names: SourceNames): StandardJsonInput {
  const renamed = (value: unknown) =>
    Object.fromEntries(
      Object.entries(value as object).map(([name, member]: [string, unknown]) => [
        renamedSource(name, names),
        member,
      ]),
    );
  const settings = Object.entries(input.settings).map(([name, value]) => [
    name,
    BY_FILE.has(name) && typeof value === "object" && value !== null ? renamed(value) : value,
  ]);
  return {
    ...input,
    sources: renamed(input.sources) as StandardJsonInput["sources"],
    settings: Object.fromEntries(settings) as StandardJsonInput["settings"],
  };
}

/** The settings of standard JSON input whose members are source units. */
const BY_FILE: ReadonlySet<string> = new Set(["libraries", "outputSelection"]);

/**
 * How the files of one input are called in another one of the same files, told by what is in them, and where several have
 * that, by the end of the name; line endings count for nothing.
 *
 * @returns only those that have another name; `undefined` where none has, or where the files are other ones
 */
export function namesBetween(
  before: StandardJsonInput["sources"],
  after: StandardJsonInput["sources"],
): SourceNames | undefined {
  const left = new Map(Object.entries(after));
  const names: [string, string][] = [];
  const open = Object.entries(before).filter(([name]) => !left.delete(name));
  const texts = [...left].map(([name, { content }]) => ({ name, text: plainSource(content) }));
  for (const [name, { content }] of open) {
    const text = plainSource(content);
    const alike = texts.filter((one) => one.text === text && left.has(one.name));
    const [best] = alike.sort((a, b) => commonEnd(b.name, name) - commonEnd(a.name, name));
    if (!best) return undefined;
    left.delete(best.name);
    names.push([name, best.name]);
  }
  return names.length > 0 ? Object.fromEntries(names) : undefined;
}

function commonEnd(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length++;
  return length;
}
