import type { Random } from "../../unit/random.ts";
import type { Tree } from "./toolProject.ts";
import { once, sourceText, type Source } from "./toolProject.ts";

/** A package that a project imports. */
export interface Package {
  /** The name that it is imported by. */
  readonly name: string;
  /** Its folder, below the workspace. */
  readonly folder: string;
  /** What a manifest that depends on it says: its version, or its own name where it is installed under another one. */
  readonly wanted: string;
  /** What can be imported of it: the path to write after the name, and the file. */
  readonly entries: readonly { readonly path: string; readonly source: Source }[];
}

/** How the packages of a workspace are installed. */
export type Manager = "npm" | "npm nested" | "yarn workspaces" | "pnpm";

export interface PackageWorld {
  readonly manager: Manager;
  /** The project, below the workspace. */
  readonly root: string;
  readonly pragma: () => string;
  /** True for Hardhat 3, which reads `exports` and finds what a package depends on from the package. */
  readonly isHardhat3: boolean;
}

const NAMES = ["@acme/base", "solid", "@deep/d", "tokens-lib", "@openzeppelin/contracts", "solady"] as const;
const FOLDERS = ["", "", "contracts", "src", "src/token", "contracts/utils"] as const;

/** Packages of the registry and of the workspace, as the manager puts them on the disk. */
export function installPackages(dice: Random, tree: Tree, world: PackageWorld): Package[] {
  const packages: Package[] = [];
  const names = new Set<string>();
  for (let at = 0; at <= dice.below(3); at++) names.add(dice.pick(NAMES));
  for (const name of names) packages.push(registryPackage(dice, tree, world, name, packages));
  if (world.root !== "")
    for (let at = dice.below(3); at > 0; at--) packages.push(sibling(dice, tree, world, packages));
  return packages;
}

function registryPackage(
  dice: Random,
  tree: Tree,
  world: PackageWorld,
  name: string,
  others: readonly Package[],
): Package {
  const version = `${1 + dice.below(4)}.${dice.below(9)}.0`;
  const { root, manager } = world;
  const own = `${root}/node_modules/${name}`;
  if (manager === "pnpm") {
    const store = `node_modules/.pnpm/${name.replace("/", "+")}@${version}/node_modules`;
    const used = others.filter(() => once(dice, 2));
    // pnpm puts what a package depends on beside it.
    for (const one of used)
      if (one.folder.startsWith("node_modules/")) tree.link(`${store}/${one.name}`, one.folder);
    const made = fill(dice, tree, world, { name, folder: `${store}/${name}`, version }, used);
    tree.link(own, made.folder);
    return made;
  }
  const hoisted = manager === "yarn workspaces" || once(dice, 2) ? `node_modules/${name}` : own;
  const folder = manager === "npm nested" ? own : hoisted;
  if (manager === "npm nested" && root !== "" && once(dice, 2))
    // Another version lies above, for another package.
    fill(dice, tree, world, { name, folder: `node_modules/${name}`, version: "9.9.9" }, []);
  const used = others.filter(() => once(dice, 2));
  const nested = manager === "npm nested" && once(dice, 2) ? [nestedPackage(dice, tree, world, folder)] : [];
  return fill(dice, tree, world, { name, folder, version }, [...(world.isHardhat3 ? nested : []), ...used]);
}

/** What only one package has, below its own folder. */
function nestedPackage(dice: Random, tree: Tree, world: PackageWorld, above: string): Package {
  const name = dice.pick(["inner", "@inner/one", "solady"]);
  return fill(dice, tree, world, { name, folder: `${above}/node_modules/${name}`, version: "0.0.7" }, []);
}

/** A package of the workspace that is linked where a dependency would lie. */
function sibling(dice: Random, tree: Tree, world: PackageWorld, others: readonly Package[]): Package {
  const short = tree.name("shared");
  const name = dice.pick([`@me/${short}`, short]);
  const folder = `packages/${short}`;
  // Only what lies above it is found from it, or what is linked.
  const found = others.filter((one) => world.manager === "pnpm" || !one.folder.startsWith(world.root));
  const used = found.filter(() => once(dice, 3));
  for (const one of used)
    if (world.manager === "pnpm") tree.link(`${folder}/node_modules/${one.name}`, one.folder);
  const made = fill(dice, tree, world, { name, folder, version: "0.1.0" }, used);
  const links = world.manager === "yarn workspaces" || (world.manager === "npm" && once(dice, 2));
  tree.link(links ? `node_modules/${name}` : `${world.root}/node_modules/${name}`, folder);
  return made;
}

interface Described {
  readonly name: string;
  readonly folder: string;
  readonly version: string;
}

/** Writes a package's manifest and sources, which import each other and the packages that it depends on. */
function fill(
  dice: Random,
  tree: Tree,
  world: PackageWorld,
  { name, folder, version }: Described,
  dependencies: readonly Package[],
): Package {
  const base = dice.pick(FOLDERS);
  const entries: { path: string; source: Source }[] = [];
  for (let at = 0; at <= 1 + dice.below(2); at++) {
    const contract = tree.name("P");
    const below = [base, at > 0 && once(dice, 3) ? "more" : "", `${contract}.sol`].filter(Boolean).join("/");
    const source: Source = { name: contract, path: `${folder}/${below}`, isLibrary: once(dice, 6) };
    const relative = entries.filter(() => once(dice, 2)).slice(0, 1);
    const foreign = dependencies.flatMap((one) => one.entries.slice(0, 1).map((entry) => ({ one, entry })));
    const imports = [
      ...relative.map((entry) => ({ source: entry.source, path: relativeTo(below, entry.path) })),
      ...foreign
        .filter(() => once(dice, 2))
        .map(({ one, entry }) => ({ source: entry.source, path: `${one.name}/${entry.path}` })),
    ];
    tree.put(source.path, sourceText(dice, source, world.pragma(), imports));
    entries.push({ path: below, source });
  }
  const exported = world.isHardhat3 && base !== "" && once(dice, 3) ? exportsOf(dice, base) : undefined;
  const isRenamed = once(dice, 10) && !folder.startsWith("packages/");
  tree.put(
    `${folder}/package.json`,
    JSON.stringify({
      name: isRenamed ? `${name}-original` : name,
      version,
      dependencies: dependenciesOn(dependencies),
      ...(exported && { exports: exported.field }),
    }),
  );
  return {
    name,
    folder,
    wanted: isRenamed ? `npm:${name}-original@${version}` : version,
    entries: exported ? entries.map((one) => ({ ...one, path: exported.written(one.path) })) : entries,
  };
}

/** What a manifest says of the packages that it depends on. */
export function dependenciesOn(packages: readonly Package[]): Record<string, string> {
  return Object.fromEntries(packages.map(({ name, wanted }) => [name, wanted]));
}

function exportsOf(dice: Random, base: string): { field: object; written: (path: string) => string } {
  const short = (path: string) => path.slice(base.length + 1);
  return dice.pick<{ field: object; written: (path: string) => string }>([
    { field: { "./*": "./*" }, written: (path: string) => path },
    { field: { "./*.sol": `./${base}/*.sol` }, written: short },
    {
      field: {
        "./*.sol": { node: "./none/*.sol", default: `./${base}/*.sol` },
        "./package.json": "./package.json",
      },
      written: short,
    },
    {
      field: { "./api/*": [{ import: "./none/*" }, `./${base}/*`] },
      written: (path: string) => `api/${short(path)}`,
    },
  ]);
}

/** The import of a file of the package by another one. */
export function relativeTo(from: string, to: string): string {
  const up = from.split("/").length - 1;
  const shared = from.split("/").slice(0, -1);
  const parts = to.split("/");
  let common = 0;
  while (common < shared.length && shared[common] === parts[common]) common++;
  return `${up > common ? "../".repeat(up - common) : "./"}${parts.slice(common).join("/")}`;
}
