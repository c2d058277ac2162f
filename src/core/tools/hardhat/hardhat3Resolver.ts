import { isInside, joinPath, relativePath, type FileReader } from "../../files/fileReader.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { LARGEST_CONFIGURATION_BYTES, readText } from "../../json/dataFile.ts";
import { asRecord, asText, readJson } from "../../json/looseData.ts";
import { findPackage } from "../project.ts";
import { parseRemapping, selectRemapping, type Remapping } from "../../languages/solidity/remapping.ts";
import type { ImportResolver, SourceUnit } from "../../languages/solidity/solidityClosure.ts";
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
  readonly #files: FileReader;
  readonly #finder: SourceFinder;
  readonly #root: string;
  readonly #packages = new Map<string, NamedPackage>();
  readonly #dependencies = new Map<string, Promise<NamedPackage | undefined>>();
  readonly #remappings = new Map<string, Set<string>>();
  readonly #userRemappings = new Map<string, Promise<readonly Remapping[]>>();

  constructor(files: FileReader, root: string, sources: AdmittedSources) {
    this.#files = files;
    this.#root = root;
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
    const packaged = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\/(.+)$/.exec(path);
    if (!packaged) return `project/${relativePath(path, this.#root) ?? path}`;
    const [, folder = "", name = "", relative = ""] = packaged;
    const found = await this.#register(folder, name);
    return `${found.prefix}/${relative}`;
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
      target = best.target.startsWith("npm/") ? best.target : below(from.prefix, best.target);
    }
    this.#add(importer, { ...best, target });
    return target + importPath.slice(best.prefix.length);
  }

  #userRemappingsOf(owner: NamedPackage): Promise<readonly Remapping[]> {
    let known = this.#userRemappings.get(owner.prefix);
    if (!known) this.#userRemappings.set(owner.prefix, (known = readUserRemappings(this.#files, owner)));
    return known;
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
    return found ? this.#register(await this.#files.realPath(found.folder), name) : undefined;
  }

  async #register(folder: string, name: string): Promise<NamedPackage> {
    const manifest =
      asRecord(await readJson(this.#files, joinPath(folder, "package.json"), LARGEST_CONFIGURATION_BYTES)) ??
      {};
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

/** The path in a package that an import of `subpath` leads to, by the package's `exports`. */
function exportedPath({ exports }: NamedPackage, name: string, subpath: string): string {
  const map =
    asRecord(exports) ??
    (PACKAGES_BELOW_SRC.has(name) ? { "./src/*.sol": "./src/*.sol", "./*.sol": "./src/*.sol" } : undefined);
  if (!map) return subpath;
  let best: { length: number; path: string } | undefined;
  for (const [pattern, target] of Object.entries(map)) {
    const path =
      asText(target) ?? asText(asRecord(target)?.["default"]) ?? asText(asRecord(target)?.["import"]);
    if (path === undefined) continue;
    const asked = `./${subpath}`;
    const star = pattern.indexOf("*");
    if (star < 0) {
      if (pattern === asked) return path.slice(2);
      continue;
    }
    const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
    if (!asked.startsWith(before) || !asked.endsWith(after) || asked.length < before.length + after.length)
      continue;
    if (best && best.length >= before.length) continue;
    const matched = asked.slice(before.length, asked.length - after.length);
    best = { length: before.length, path: path.replaceAll("*", matched).slice(2) };
  }
  return best?.path ?? subpath;
}

/** The remappings of a package's `remappings.txt`, of several with one context and prefix the first. */
async function readUserRemappings(
  files: FileReader,
  { folder, prefix: root }: NamedPackage,
): Promise<Remapping[]> {
  const text = await readText(files, joinPath(folder, "remappings.txt"));
  if (text === undefined) return [];
  const seen = new Set<string>();
  const slashed = (text: string) => (text.endsWith("/") ? text : `${text}/`);
  return (
    text
      .split("\n")
      .map((line) => line.trim())
      .flatMap((line) => (line === "" || line.startsWith("#") ? [] : (parseRemapping(line) ?? [])))
      .map(({ context, prefix, target }) => ({
        context: context.startsWith("npm/") ? context : below(root, context),
        prefix: slashed(prefix),
        target: slashed(target),
      }))
      // A remapping that says what Node's look-up says anyway is none.
      .filter(
        ({ prefix, target }) =>
          target.replace(/^(?:\.\.\/)*node_modules\//, "") !== prefix || !target.includes("node_modules/"),
      )
      .filter(({ context, prefix }) => {
        const key = `${context}:${prefix}`;
        return !seen.has(key) && seen.add(key);
      })
  );
}

/** A path below a package, normalised, its closing slash kept. */
function below(prefix: string, path: string): string {
  const joined = joinPath("/", `${prefix}/${path}`).slice(1);
  return path === "" || path.endsWith("/") ? `${joined}/` : joined;
}
