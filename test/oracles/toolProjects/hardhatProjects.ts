import type { Random } from "../../unit/random.ts";
import { dependenciesOn, installPackages, relativeTo, type Manager, type Package } from "./packages.ts";
import { randomSettings, writeConfig, type CompilerEntry, type HardhatValues } from "./hardhatConfigs.ts";
import {
  besides,
  once,
  plain,
  some,
  sourceText,
  Tree,
  type Source,
  type ToolProject,
} from "./toolProject.ts";

/** Where a workspace's project is, and how its packages are installed. */
export function randomPlace(dice: Random): { root: string; manager: Manager } {
  const root = dice.pick(["", "", "packages/core", "apps/contracts"]);
  const manager =
    root === ""
      ? dice.pick<Manager>(["npm", "npm nested", "pnpm"])
      : dice.pick<Manager>(["npm", "npm nested", "yarn workspaces", "pnpm"]);
  return { root, manager };
}

/** A project of Hardhat, in a workspace or alone. */
export function randomHardhatProject(dice: Random, major: 2 | 3, versions: readonly string[]): ToolProject {
  const tree = new Tree();
  const more = besides(dice);
  const { root, manager } = randomPlace(dice);
  const compilers = randomCompilers(dice, versions);
  const pragma = pragmasFor(dice, compilers);
  const isHardhat3 = major === 3;
  const shared = isHardhat3 ? pragma : pragma;
  const packages = installPackages(dice, tree, { manager, root, pragma: shared, isHardhat3 });
  const sources = dice.pick(["contracts", "contracts", "src", "sol/main", "./contracts/"]);
  const plain = sources.replace(/^\.\/|\/$/g, "");
  const made = writeSources(dice, tree, { root, folder: plain, pragma, packages, major });
  const second = isHardhat3 && once(dice, 4);
  if (second) made.push(...writeSources(dice, tree, { root, folder: "more", pragma, packages, major }));
  const artifacts = dice.pick(["artifacts", "artifacts", "build/artifacts", "out"]);
  const cache = dice.pick(["cache", "cache", "build/cache"]);
  const remapped = isHardhat3 && once(dice, 3) ? remappings(dice, tree, root, plain, packages, pragma) : [];
  const profiles =
    isHardhat3 && once(dice, 2)
      ? {
          production: randomCompilers(dice, versions, compilers),
          ...(once(dice, 2) && { ci: randomCompilers(dice, versions, compilers) }),
        }
      : undefined;
  const values: HardhatValues = {
    major,
    compilers,
    overrides: overridesFor(dice, root, [...made, ...remapped], versions, compilers, major),
    paths: {
      ...((plain !== "contracts" || once(dice, 2) || second) && {
        sources: !isHardhat3
          ? sources
          : second
            ? { solidity: [sources, "more"] }
            : once(dice, 3)
              ? { solidity: sources }
              : sources,
      }),
      ...((artifacts !== "artifacts" || once(dice, 3)) && { artifacts }),
      ...((cache !== "cache" || once(dice, 3)) && { cache }),
    },
    more: isHardhat3 ? randomMore(dice, packages) : {},
    plugins: [],
    ...(profiles && { profiles }),
  };
  const config = writeConfig(dice, { ...values, ...sharedIn(root, more) });
  for (const [path, text] of Object.entries(config.files)) tree.put(`${root}/${path}`, text);
  tree.put(
    `${root}/package.json`,
    JSON.stringify({
      name: "@me/core",
      version: "1.0.0",
      ...(config.type && { type: config.type }),
      devDependencies: { hardhat: isHardhat3 ? "^3.0.0" : "^2.22.0" },
      dependencies: dependenciesOn(packages),
    }),
  );
  if (root !== "") workspaceFiles(tree, manager, root);
  const profile = profiles
    ? dice.pick(["default", "production"])
    : isHardhat3 && once(dice, 5)
      ? "production"
      : undefined;
  const needsConfig = isHardhat3 && /\.m[tj]s$/.test(config.name);
  return {
    shape: `Hardhat ${major}, ${config.how}, ${manager}`,
    files: tree.files,
    root,
    open: once(dice, 6) ? root : "",
    isComputed: config.isComputed,
    runs: [
      {
        tool: isHardhat3 ? "Hardhat 3" : "Hardhat 2",
        artifacts,
        outputs: [cache],
        ...(profile !== undefined && { profile }),
        ...(needsConfig && { config: config.name }),
      },
    ],
  };
}

/** Where the projects of a workspace keep what they share, if they do: as the project sees it. */
export function sharedIn(root: string, dice: Random): { shared?: string } {
  return root !== "" && once(dice, 2) ? { shared: "../../" } : {};
}

/** The files by which a workspace is known. */
export function workspaceFiles(tree: Tree, manager: Manager, root: string): void {
  const folders = [...new Set(["packages/*", `${root.split("/")[0] ?? ""}/*`])];
  if (manager === "pnpm")
    tree.put("pnpm-workspace.yaml", `packages:\n${folders.map((one) => `  - "${one}"\n`).join("")}`);
  tree.put(
    "package.json",
    JSON.stringify({
      name: "monorepo",
      private: true,
      ...(manager === "pnpm" ? {} : { workspaces: folders }),
    }),
  );
}

export function randomCompilers(
  dice: Random,
  versions: readonly string[],
  like?: readonly CompilerEntry[],
): CompilerEntry[] {
  const chosen = like
    ? like.map(({ version }) => version)
    : new Set([dice.oneOf(versions), ...some(dice, versions, 2)]);
  return [...chosen].map((version) => {
    const settings = randomSettings(dice, version);
    return settings ? { version, settings } : { version };
  });
}

/** Pragmas of which each goes with one of the compilers at least, most with all of the newest line. */
export function pragmasFor(dice: Random, compilers: readonly CompilerEntry[]): () => string {
  const versions = compilers.map(({ version }) => version);
  const oldest = versions.includes("0.7.6") ? ">=0.7.0" : ">=0.8.0";
  const all = [`${oldest} <0.9.0`, oldest, oldest];
  const strict =
    versions.length === 1 ? [versions[0] ?? "", `=${versions[0] ?? ""}`, `^${versions[0] ?? ""}`] : [];
  return () => (once(dice, 3) && strict.length > 0 ? dice.oneOf(strict) : dice.oneOf(all));
}

interface Sources {
  readonly root: string;
  readonly folder: string;
  readonly pragma: () => string;
  readonly packages: readonly Package[];
  readonly major?: 2 | 3;
  /** What else may be imported, by a path from the project's root. */
  readonly others?: readonly Source[];
  readonly ending?: string;
}

/** Writes sources of a project, which import one another and what the packages have. */
export function writeSources(
  dice: Random,
  tree: Tree,
  { root, folder, pragma, packages, others = [], ending = ".sol", major }: Sources,
): Source[] {
  const made: Source[] = [];
  for (let at = 0; at <= 1 + dice.below(3); at++) {
    const isLibrary = once(dice, 6);
    const name = tree.name("C");
    const below = dice.pick(["", "", "deep/", "deep/er/", "lib/", "build/"]);
    const inProject = `${folder}/${below}${name}${ending}`;
    const source: Source = { name, path: plain(`${root}/${inProject}`), isLibrary };
    const imports = [...made, ...others]
      .filter(() => once(dice, 3))
      .map((one) => {
        const path = root === "" ? one.path : one.path.slice(root.length + 1);
        // Hardhat 2 and forge take the path from the root, too.
        return { source: one, path: major !== 3 && once(dice, 4) ? path : relativeTo(inProject, path) };
      });
    for (const one of packages)
      if (once(dice, 2)) {
        const entry = dice.oneOf(one.entries);
        imports.push({ source: entry.source, path: `${one.name}/${entry.path}` });
      }
    tree.put(source.path, sourceText(dice, source, pragma(), imports));
    made.push(source);
  }
  return made;
}

/** Overrides for files, whose compiler goes with what they say. */
function overridesFor(
  dice: Random,
  root: string,
  made: readonly Source[],
  versions: readonly string[],
  compilers: readonly CompilerEntry[],
  major: number,
): Record<string, CompilerEntry> {
  if (!once(dice, 3)) return {};
  const chosen = some(dice, made, 2);
  const pool =
    compilers.length === 1
      ? compilers.map(({ version }) => version)
      : versions.filter((one) => one !== "0.7.6");
  return Object.fromEntries(
    chosen.map(({ path }) => {
      const version = dice.oneOf(pool);
      const settings = randomSettings(dice, version);
      const name = root === "" ? path : path.slice(root.length + 1);
      return [major === 3 ? name : name, settings ? { version, settings } : { version }];
    }),
  );
}

function randomMore(dice: Random, packages: readonly Package[]): Record<string, unknown> {
  return {
    ...(once(dice, 5) && { isolated: true }),
    ...(once(dice, 5) && {
      npmFilesToBuild: some(dice, packages, 2).map((one) => `${one.name}/${one.entries[0]?.path ?? ""}`),
    }),
    ...(once(dice, 6) && { splitTestsCompilation: true }),
  };
}

/** remappings.txt of a Hardhat 3 project, and files that import by it. */
function remappings(
  dice: Random,
  tree: Tree,
  root: string,
  sources: string,
  packages: readonly Package[],
  pragma: () => string,
): Source[] {
  const vendored: Source = { name: tree.name("V"), path: "", isLibrary: false };
  const file = `vendor/v/${vendored.name}.sol`;
  tree.put(`${root}/${file}`, sourceText(dice, vendored, pragma(), []));
  const [first] = packages;
  const entry = first?.entries[0];
  const lines = [
    dice.pick([
      "@v/=vendor/v/",
      "@v=vendor/v",
      `${sources}/:@v/=vendor/v/`,
      "v/v/:@v/=nowhere/\n@v/=vendor/v/",
    ]),
    ...(first && entry ? [`@first/=node_modules/${first.name}/`] : []),
    ...(once(dice, 2) ? ["# a comment", "unused/=vendor/unused/"] : []),
  ];
  tree.put(
    `${root}/${dice.pick(["remappings.txt", "remappings.txt", "vendor/../remappings.txt"])}`,
    `${lines.join("\n")}\n`,
  );
  const user: Source = { name: tree.name("R"), path: "", isLibrary: false };
  const path = plain(`${root}/${sources}/${user.name}.sol`);
  const imports = [
    { source: vendored, path: `@v/${vendored.name}.sol` },
    ...(first && entry && once(dice, 2)
      ? [{ source: entry.source, path: `@first/${entry.source.path.slice(first.folder.length + 1)}` }]
      : []),
  ];
  tree.put(path, sourceText(dice, user, pragma(), imports));
  return [{ ...user, path }];
}
