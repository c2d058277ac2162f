import { foldersUpwards, isInside, joinPath, parentFolder, relativePath } from "../../files/fileReader.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { walkFolders } from "../../files/walk.ts";
import { LARGEST_CONFIGURATION_BYTES, readJson, readText } from "../../json/dataFile.ts";
import { ownValue } from "../../json/ownValue.ts";
import { asRecord, asText } from "../../json/looseData.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { forgeRemappings } from "./forgeRemappings.ts";
import type { HardhatConfig } from "./hardhatConfig.ts";
import { findPackage } from "../nodePackages.ts";
import {
  parseRemapping,
  remappingsIn,
  selectRemapping,
  type Remapping,
} from "../../languages/solidity/remapping.ts";
import { REMAPPINGS_FILE } from "../../languages/solidity/solidity.ts";
import type { ImportResolver, SourceUnit } from "../../languages/solidity/solidityClosure.ts";
import { packagedPath } from "../../sources/packagedPath.ts";
import { SourceFinder, type SourceLookup } from "../../sources/sourceLookup.ts";
import { resolveImportPath } from "../../sources/sourceUnitName.ts";

/** A package as Hardhat 3 names it: its folder on disk and the source unit names below it. */
interface NamedPackage {
  /** `project`, or `npm/<name>@<version>`. */
  readonly prefix: string;
  readonly folder: string;
  readonly exports: unknown;
}

/** A package whose files are meant to be imported by the path below `src`, which its manifest doesn't say. */
const PACKAGES_BELOW_SRC = new Set(["forge-std"]);

/**
 * Finds what is imported as Hardhat 3 does (packages/hardhat/src/internal/builtin-plugins/solidity/build-system/
 * resolver): the project's own files are named `project/…`, those of a package `npm/<name>@<version>/…`, each
 * package finds its dependencies from its own folder, and every dependency that is used becomes a remapping with
 * the importing package as context.
 */
export class Hardhat3Resolver implements ImportResolver {
  readonly #files: FolderReader;
  readonly #finder: SourceFinder;
  readonly #root: string;
  readonly #packages = new Map<string, NamedPackage>();
  readonly #dependencies = new Map<string, Promise<NamedPackage | undefined>>();
  readonly #remappings = new Map<string, Set<string>>();
  readonly #userRemappings = new Map<string, Promise<readonly Remapping[]>>();

  readonly #readsForge: boolean;

  constructor(
    files: FolderReader,
    { root, readsForge }: Pick<HardhatConfig, "root" | "readsForge">,
    sources: AdmittedSources,
  ) {
    this.#files = files;
    this.#root = root;
    this.#readsForge = readsForge;
    this.#finder = new SourceFinder(sources, { project: root });
    this.#packages.set("project", { prefix: "project", folder: root, exports: undefined });
  }

  /** The remappings by which these units found what they import, in Hardhat's form and order. */
  remappingsOf(units: Iterable<Pick<SourceUnit, "name">>): string[] {
    const used = new Set<string>();
    for (const { name } of units)
      for (const remapping of this.#remappings.get(name) ?? []) used.add(remapping);
    return [...used].sort();
  }

  /** The source unit name of a file that is compiled for itself. */
  async entryName(path: string): Promise<string> {
    const packaged = packagedPath(path);
    if (!packaged) {
      const own = relativePath(path, this.#root);
      return own === undefined ? this.#siblingName(path) : `project/${own}`;
    }
    // A package of the workspace is linked, and named by where it lies.
    const found = await this.#register(packaged.folder, packaged.name);
    return `${found.prefix}/${packaged.path}`;
  }

  /** The source unit name of a file of another package of the workspace. */
  async #siblingName(path: string): Promise<string> {
    for (const folder of foldersUpwards(parentFolder(path))) {
      const manifest = asRecord(
        await readJson(this.#files, joinPath(folder, "package.json"), LARGEST_CONFIGURATION_BYTES),
      );
      const name = asText(manifest?.["name"]);
      if (name === undefined) continue;
      const { prefix } = await this.#register(folder, name);
      return `${prefix}/${relativePath(path, folder) ?? path}`;
    }
    return `project/${path}`;
  }

  async nameOf(importPath: string, importer: SourceUnit): Promise<string> {
    if (/^\.\.?\//.test(importPath)) return resolveImportPath(importPath, importer.name);
    const from = this.#packageOf(importer.name);
    const user = await this.#userRemapped(from, importPath, importer.name);
    if (user !== undefined) return user;
    const parts = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(importPath);
    if (!parts) return importPath;
    const [, name = "", subpath = ""] = parts;
    const dependency = await this.#dependency(from, name);
    if (!dependency) return importPath;
    const exported = exportedPath(dependency, name, subpath);
    if (exported !== subpath) {
      const target = `${dependency.prefix}/${exported}`;
      this.#add(importer.name, { context: `${from.prefix}/`, prefix: importPath, target });
      return target;
    }
    this.#add(importer.name, {
      context: `${from.prefix}/`,
      prefix: `${name}/`,
      target: `${dependency.prefix}/`,
    });
    return `${dependency.prefix}/${subpath}`;
  }

  async find(name: string): Promise<SourceLookup> {
    const owner = this.#packageOf(name);
    if (!name.startsWith(`${owner.prefix}/`)) return this.#finder.find(name);
    const path = joinPath(owner.folder, name.slice(owner.prefix.length + 1));
    return (await this.#finder.at(path)) ?? { lookedIn: [path] };
  }

  /** What a package's own `remappings.txt` makes of an import: a file of the package, or of one it depends on. */
  async #userRemapped(from: NamedPackage, importPath: string, importer: string): Promise<string | undefined> {
    const listed = await this.#userRemappingsOf(from);
    const best = selectRemapping(listed, importPath, importer);
    if (!best) return undefined;
    const inPackages = /^(?:\.\.\/)*node_modules\/((?:@[^/]+\/)?[^/]+)(\/.*)$/.exec(best.target);
    let target: string;
    if (inPackages) {
      const [, name = "", rest = ""] = inPackages;
      const dependency = await this.#dependency(from, name);
      if (!dependency) return undefined;
      target = `${dependency.prefix}${rest}`;
    } else {
      target = best.target;
    }
    this.#add(importer, { ...best, target });
    return target + importPath.slice(best.prefix.length);
  }

  #userRemappingsOf(owner: NamedPackage): Promise<readonly Remapping[]> {
    let known = this.#userRemappings.get(owner.prefix);
    if (!known) this.#userRemappings.set(owner.prefix, (known = this.#readUserRemappings(owner)));
    return known;
  }

  /**
   * The remappings of a package: of every `remappings.txt` in it, whose paths are relative to that file, then those
   * that forge lists where a plugin asks it. Of several with one context and prefix the first counts.
   */
  async #readUserRemappings({ folder, prefix: root }: NamedPackage): Promise<Remapping[]> {
    const walked = await walkFolders(this.#files, folder, {
      // Hardhat, too, looks at how the name ends, whatever precedes (`#defaultReadPackageRemappings` in
      // dist/src/internal/builtin-plugins/solidity/build-system/resolver/remapped-npm-packages-graph.js of its package).
      enters: (name) => !name.endsWith("node_modules"),
    });
    const below = walked.filter(({ entries }) => entries.some(({ name }) => name === REMAPPINGS_FILE));
    const paths = below.map(({ path }) => joinPath(path, REMAPPINGS_FILE)).sort();
    const texts = await Promise.all(paths.map((path) => readText(this.#files, path)));
    const listed = texts.map((text = "", at) => ({
      place: relativePath(parentFolder(paths[at] ?? ""), folder) ?? "",
      lines: withoutComments(text),
    }));
    const forge = await forgeRemappings(this.#files, { readsForge: this.#readsForge, root: folder });
    listed.push({ place: "", lines: forge });
    return uniqueRemappings(listed.flatMap(({ place, lines }) => userRemappings(lines, root, place)));
  }

  #add(importer: string, { context, prefix, target }: Remapping): void {
    let used = this.#remappings.get(importer);
    if (!used) this.#remappings.set(importer, (used = new Set()));
    used.add(`${context}:${prefix}=${target}`);
  }

  #packageOf(name: string): NamedPackage {
    const prefix = /^npm\/(?:@[^/]+\/)?[^/@]+@[^/]+(?=\/)/.exec(name)?.[0] ?? "project";
    return this.#packages.get(prefix) ?? { prefix, folder: this.#root, exports: undefined };
  }

  #dependency(from: NamedPackage, name: string): Promise<NamedPackage | undefined> {
    const key = `${from.prefix}:${name}`;
    let known = this.#dependencies.get(key);
    if (!known) this.#dependencies.set(key, (known = this.#findDependency(from, name)));
    return known;
  }

  async #findDependency(from: NamedPackage, name: string): Promise<NamedPackage | undefined> {
    const found = await findPackage(this.#files, from.folder, name);
    // What a package imports is looked up where it really lies, which is how pnpm keeps packages apart.
    return found ? this.#register(found.folder, name) : undefined;
  }

  /** A package is named by where it really lies: pnpm and workspaces link it. */
  async #register(at: string, name: string): Promise<NamedPackage> {
    const folder = (await this.#files.realPath(at)) ?? at;
    const manifest =
      asRecord(await readJson(this.#files, joinPath(folder, "package.json"), LARGEST_CONFIGURATION_BYTES)) ??
      {};
    // Hardhat looks for the bare text, in the name of any folder (`#isPackageJsonFromMonorepo` in
    // dist/src/internal/builtin-plugins/solidity/build-system/resolver/remapped-npm-packages-graph.js of its package).
    const isLocal = !folder.includes("node_modules") && !isInside(folder, this.#root);
    const version = isLocal ? "local" : (asText(manifest["version"]) ?? "");
    const prefix = folder === this.#root ? "project" : `npm/${asText(manifest["name"]) ?? name}@${version}`;
    const known = this.#packages.get(prefix);
    if (known) return known;
    const registered = { prefix, folder, exports: manifest["exports"] };
    this.#packages.set(prefix, registered);
    return registered;
  }
}

/** The file that `<package>/<path>` names for a project, absolute; `undefined` where no such package is installed. */
export async function packagePath(
  files: FolderReader,
  root: string,
  file: string,
): Promise<string | undefined> {
  const [, name = "", subpath = ""] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(file) ?? [];
  const found = name === "" ? undefined : await findPackage(files, root, name);
  return found && joinPath(found.folder, exportedPath({ exports: found.manifest["exports"] }, name, subpath));
}

/**
 * The path in a package that an import of `subpath` leads to, by the package's `exports`: as the package
 * `resolve.exports` has it, of whose conditions Hardhat asks for `default` alone.
 */
function exportedPath({ exports }: Pick<NamedPackage, "exports">, name: string, subpath: string): string {
  const written =
    exports ??
    (PACKAGES_BELOW_SRC.has(name) ? { "./src/*.sol": "./src/*.sol", "./*.sol": "./src/*.sol" } : undefined);
  const map = asRecord(written);
  // Without paths it says what the package itself is, not its files.
  if (!map || !Object.keys(map).every((key) => key.startsWith("."))) return subpath;
  const asked = `./${subpath}`;
  const plain = exportTarget(ownValue(map, asked));
  if (plain !== undefined) return plain.slice(2);
  let best: { length: number; path: string } | undefined;
  for (const [pattern, target] of Object.entries(map)) {
    const path = exportTarget(target);
    const matched = matchedPart(pattern, asked);
    if (path === undefined || matched === undefined || (best && pattern.length < best.length)) continue;
    const isFolder = !path.includes("*") && path.endsWith("/");
    best = { length: pattern.length, path: isFolder ? path + matched : path.replaceAll("*", matched) };
  }
  return best?.path.slice(2) ?? subpath;
}

/** What an exported path leads to: the first of several, and of conditions the first one that applies. */
function exportTarget(target: unknown): string | undefined {
  if (Array.isArray(target)) {
    for (const one of target) {
      const found = exportTarget(one);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return asText(target) ?? (asRecord(target) ? exportTarget(asRecord(target)?.["default"]) : undefined);
}

/** What an asked path has where the pattern has `*`, or below the pattern's folder. */
function matchedPart(pattern: string, asked: string): string | undefined {
  if (pattern.endsWith("/") && asked.startsWith(pattern)) return asked.slice(pattern.length);
  const star = pattern.indexOf("*");
  if (star < 0) return undefined;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (!asked.startsWith(before) || !asked.endsWith(after) || asked.length <= before.length + after.length)
    return undefined;
  return asked.slice(before.length, asked.length - after.length);
}

/** The remappings of a `remappings.txt` as Hardhat reads it, which takes a line that begins with `#` for a comment; forge does not. */
function withoutComments(text: string): string[] {
  return remappingsIn(text).filter((line) => !line.startsWith("#"));
}

/** Remappings as they stand in a folder of a package, by the names of Hardhat. */
function userRemappings(lines: readonly string[], root: string, place: string): Remapping[] {
  const slashed = (text: string) => (text.endsWith("/") ? text : `${text}/`);
  const placed = (path: string) => below(place === "" ? root : `${root}/${place}`, path);
  return (
    lines
      .flatMap((line) => parseRemapping(line) ?? [])
      .map(({ context, prefix, target }) => ({ context, prefix: slashed(prefix), target: slashed(target) }))
      .map(({ context, prefix, target }) => ({
        context: context.startsWith("npm/") ? context : placed(context),
        prefix,
        // A package of the project or of a folder above it is found as any package is.
        target: IN_PACKAGES.test(target) || target.startsWith("npm/") ? target : placed(target),
      }))
      // A remapping that says what Node's look-up says anyway is none.
      .filter(({ prefix, target }) => target.replace(IN_PACKAGES, "") !== prefix || !IN_PACKAGES.test(target))
  );
}

const IN_PACKAGES = /^(?:\.\.\/)*node_modules\//;

/** The first of several with one context and prefix. */
function uniqueRemappings(remappings: readonly Remapping[]): Remapping[] {
  const seen = new Set<string>();
  return remappings.filter(({ context, prefix }) => {
    const key = `${context}:${prefix}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** A path below a package, normalised, its closing slash kept. */
function below(prefix: string, path: string): string {
  const joined = joinPath("/", `${prefix}/${path}`).slice(1);
  return path === "" || path.endsWith("/") ? `${joined}/` : joined;
}
