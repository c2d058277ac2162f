import { DEPENDENCY_KINDS } from "../sources/packageAliases.ts";
import { joinPath, type FileReader } from "../files/fileReader.ts";
import { readJson, readText } from "../json/dataFile.ts";
import { asRecord, asText, field, fieldAt, parseJson } from "../json/looseData.ts";

/** What says which versions a package manager installs in a folder and below it. */
export interface LockFile {
  /** `package-lock.json`, and such. */
  readonly name: string;
  /**
   * The versions that a package may have at a place; none where nothing is said of it.
   *
   * @param place from the folder of the lock file: `node_modules/@openzeppelin/contracts`
   * @param name of the package
   */
  versionsAt(place: string, name: string): readonly string[];
}

/** Those of large repositories have some megabytes. */
const MAX_LOCK_BYTES = 16 * 1024 * 1024;

/**
 * The lock file in a folder. Without one, a manifest that asks for exact versions says as much of what it asks for itself.
 */
export async function lockFileIn(files: FileReader, folder: string): Promise<LockFile | undefined> {
  const text = (name: string) => readText(files, joinPath(folder, name), MAX_LOCK_BYTES);
  for (const name of ["npm-shrinkwrap.json", "package-lock.json"]) {
    const lock = await text(name);
    if (lock !== undefined) return { name, versionsAt: npmVersions(parseJson(lock)) };
  }
  const manifest = await readJson(files, joinPath(folder, "package.json"));
  const asked = (name: string) =>
    DEPENDENCY_KINDS.flatMap((kind) => asText(fieldAt(manifest, kind, name)) ?? []);
  const yarn = await text("yarn.lock");
  if (yarn !== undefined) {
    const entries = yarnEntries(yarn);
    return {
      name: "yarn.lock",
      versionsAt: (place, name) => yarnVersions(entries, name, isTop(place) ? asked(name) : []),
    };
  }
  const pnpm = await text("pnpm-lock.yaml");
  if (pnpm !== undefined)
    return { name: "pnpm-lock.yaml", versionsAt: (place, name) => pnpmVersions(pnpm, name, isTop(place)) };
  const bun = await text("bun.lock");
  if (bun !== undefined) return { name: "bun.lock", versionsAt: bunVersions(bun) };
  if (manifest === undefined) return undefined;
  return { name: "package.json", versionsAt: (_place, name) => asked(name) };
}

/** Whether the manifest beside the lock file asked for what lies there. */
function isTop(place: string): boolean {
  return place.split("/node_modules/").length === 1 && !place.includes("/.");
}

/** npm (docs.npmjs.com, "package-lock.json"): by place from version 2 of the form on, nested before. */
function npmVersions(lock: unknown): LockFile["versionsAt"] {
  const packages = asRecord(field(lock, "packages"));
  return (place) => {
    const entry = packages
      ? field(packages, place)
      : fieldAt(
          lock,
          ...place
            .split(/(?:^|\/)node_modules\//)
            .slice(1)
            .flatMap((name) => ["dependencies", name]),
        );
    const version = asText(field(entry, "version"));
    return version === undefined ? [] : [version];
  };
}

/** Of a `yarn.lock` the ranges of each entry with its version. */
interface YarnEntry {
  readonly keys: readonly string[];
  readonly version: string;
}

/** Both forms of it: `"a@^1.0.0", "a@^1.1.0":` and `"a@npm:^1.0.0, a@npm:^1.1.0":`, a `version` below. */
function yarnEntries(text: string): YarnEntry[] {
  const entries: YarnEntry[] = [];
  let keys: readonly string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^\S.*:$/.test(line))
      keys = line
        .slice(0, -1)
        .split(/,\s*/)
        .map((key) => key.replace(/^"|"$/g, ""));
    const version = /^ {2}version:? "?([^"\s]+)"?$/.exec(line)?.[1];
    if (version !== undefined) entries.push({ keys, version });
  }
  return entries;
}

function yarnVersions(
  entries: readonly YarnEntry[],
  name: string,
  asked: readonly string[],
): readonly string[] {
  const of = (isKey: (key: string) => boolean) =>
    entries.filter(({ keys }) => keys.some(isKey)).map(({ version }) => version);
  const exact = of((key) =>
    asked.some((range) => key === `${name}@${range}` || key === `${name}@npm:${range}`),
  );
  return exact.length > 0 ? exact : of((key) => key.startsWith(`${name}@`));
}

/**
 * pnpm (pnpm.io, "pnpm-lock.yaml"), by its lines, since reading megabytes of YAML takes seconds: what the manifests asked
 * for with its `version`, else every version among the packages: `'@a/b@1.0.0(peer)':`, `/@a/b@1.0.0:` or `/@a/b/1.0.0:`.
 */
function pnpmVersions(text: string, name: string, isTop: boolean): readonly string[] {
  const own = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const number = "(\\d[^\\s('\"_:]*)";
  const found = (form: string) =>
    [...text.matchAll(new RegExp(form, "gm"))].flatMap(([, version]) => version ?? []);
  const asked = isTop
    ? [
        ...found(`^ +['"]?${own}['"]?:\\r?\\n +specifier: .*\\r?\\n +version: ['"]?${number}`),
        ...found(`^ {2}['"]?${own}['"]?: ['"]?${number}`),
      ]
    : [];
  return asked.length > 0 ? asked : found(`^ {2}['"]?/?${own}[@/]${number}`);
}

/**
 * Bun from 1.2 on (bun.sh/docs, "Lockfile"), by its lines, since its JSON has trailing commas: a line for each place,
 * `"make-dir/semver": ["semver@6.3.1", …]`.
 */
function bunVersions(text: string): LockFile["versionsAt"] {
  const lines = [...text.matchAll(/^ +"([^"]+)": \["([^"]+)@(\d[^"]*)"/gm)];
  const entries = lines.map(([, place, name, version = ""]) => ({ place, name, version }));
  return (path, name) => {
    const place = path
      .split(/(?:^|\/)node_modules\//)
      .slice(1)
      .join("/");
    const own = entries.find((one) => one.place === place);
    return (own ? [own] : entries.filter((one) => one.name === name)).map(({ version }) => version);
  };
}
