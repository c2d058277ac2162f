import type { Random } from "../../unit/random.ts";
import { pragmasFor, workspaceFiles, writeSources } from "./hardhatProjects.ts";
import { dependenciesOn, installPackages, type Manager, type Package } from "./packages.ts";
import {
  besides,
  once,
  plain,
  seenFrom,
  some,
  sourceText,
  Tree,
  type Source,
  type ToolProject,
  type ToolRun,
} from "./toolProject.ts";

/** Lines of foundry.toml by profile. */
export interface FoundryLines {
  readonly default: string[];
  readonly others: Record<string, string[]>;
}

/** A project of Foundry, in a workspace or alone, with libraries of git, links and packages. */
export function randomFoundryProject(dice: Random, versions: readonly string[]): ToolProject {
  const tree = new Tree();
  const more = besides(dice);
  const root = dice.pick(["", "", "packages/core", "apps/contracts"]);
  const manager: Manager =
    root === ""
      ? dice.pick<Manager>(["npm", "pnpm"])
      : dice.pick<Manager>(["npm", "npm nested", "yarn workspaces", "pnpm"]);
  const version = dice.oneOf(versions.filter((one) => one !== "0.7.6"));
  const pragma = pragmasFor(dice, [{ version }]);
  const packages = once(dice, 2)
    ? installPackages(dice, tree, { manager, root, pragma, isHardhat3: false })
    : [];
  const lines: FoundryLines = { default: [], others: {} };
  const remappings: string[] = packages.map(
    (one) => `${one.name}/=${relativeFolder(root, importedFolder(tree, root, one))}/`,
  );
  const outside = new Set<string>();
  if (packages.some((one) => !importedFolder(tree, root, one).startsWith(root) || manager !== "npm"))
    outside.add("workspace");
  const libraries = gitLibraries(dice, tree, { root, pragma, remappings, outside });
  const src = dice.pick(["src", "src", "contracts", "code/main"]);
  const script = dice.pick(["script", "script", "scripts"]);
  if (src !== "src") lines.default.push(`src = "${src}"`);
  if (script !== "script") lines.default.push(`script = "${script}"`);
  const foreign = [...packages, ...libraries];
  const made = writeSources(dice, tree, { root, folder: src, pragma, packages: foreign });
  if (once(dice, 2))
    made.push(
      ...writeSources(dice, tree, {
        root,
        folder: "test",
        pragma,
        packages: foreign,
        others: made,
        ending: ".t.sol",
      }).slice(0, 2),
    );
  const scripts = once(dice, 2)
    ? writeSources(dice, tree, {
        root,
        folder: script,
        pragma,
        packages: foreign,
        others: made,
        ending: ".s.sol",
      })
    : [];
  made.push(...scripts.slice(0, 2));
  const runnable = scripts.filter(({ isLibrary }) => !isLibrary);
  const ran = runnable.length > 0 && once(more, 2) ? more.oneOf(runnable) : undefined;
  if (once(dice, 6)) linkedSources(dice, tree, root, src, pragma, outside);
  sharedSources(more, tree, { root, src, remappings, outside });
  if (once(dice, 3)) lines.default.push(`auto_detect_solc = false`);
  const isPinned = !once(dice, 3);
  if (isPinned) lines.default.push(`${dice.pick(["solc", "solc", "solc_version"])} = "${version}"`);
  lines.default.push(...settingLines(dice, version));
  if (packages.length > 0 && once(dice, 2))
    lines.default.push(`libs = ${JSON.stringify(["lib", "node_modules"].reverse())}`);
  const profile = otherProfiles(dice, lines, version);
  if (isPinned) for (const own of Object.values(lines.others)) own.push(...versionOfProfile(more, versions));
  if (once(dice, 2))
    restrictions(
      dice,
      lines,
      [...made, ...libraries.flatMap((one) => one.entries.map(({ source }) => source))],
      root,
      isPinned ? [version] : versions,
    );
  if (outside.size > 0) lines.default.push(`allow_paths = ["${root === "" ? "." : "../.."}"]`);
  placeRemappings(dice, tree, root, lines, remappings);
  const { out, outputs } = outputLines(dice, lines, profile);
  extension(dice, tree, root, lines, profile, more);
  tree.put(`${root}/foundry.toml`, tomlOf(lines));
  if (root !== "") workspaceFiles(tree, manager, root);
  // What a package manager installed is named, under its other name too, where it was asked for.
  if (packages.length > 0)
    tree.put(
      `${root}/package.json`,
      JSON.stringify({ name: "shop", version: "1.0.0", dependencies: dependenciesOn(packages) }),
    );
  const build: ToolRun = {
    tool: "Foundry",
    artifacts: out,
    outputs,
    ...(profile !== undefined && { profile }),
  };
  return {
    shape: `Foundry${packages.length > 0 ? `, ${manager}` : ""}${profile === undefined ? "" : ", profile"}${tomlOf(lines).includes("compilation_restrictions") ? ", restrictions" : ""}${ran ? ", script" : ""}`,
    files: tree.files,
    root,
    open: once(dice, 6) ? root : "",
    isComputed: false,
    runs: [
      build,
      ...(ran ? [{ ...build, script: `${seenFrom(root, ran.path).replace(/^\.\//, "")}:${ran.name}` }] : []),
    ],
  };
}

/** Where a package lies as the project sees it: through the link, where there is one. */
function importedFolder(tree: Tree, root: string, { name, folder }: Package): string {
  for (const place of [`${root}/node_modules/${name}`, `node_modules/${name}`])
    if (Object.keys(tree.files).some((path) => path === plain(place) || path.startsWith(`${plain(place)}/`)))
      return plain(place);
  return folder;
}

function relativeFolder(root: string, folder: string): string {
  return seenFrom(root, folder).replace(/^\.\//, "");
}

interface LibraryWorld {
  readonly root: string;
  readonly pragma: () => string;
  readonly remappings: string[];
  readonly outside: Set<string>;
}

/** Libraries as git submodules, some of them linked, some with libraries and remappings of their own. */
export function gitLibraries(
  dice: Random,
  tree: Tree,
  { root, pragma, remappings, outside }: LibraryWorld,
): Package[] {
  const libraries: Package[] = [];
  for (let at = dice.below(3); at > 0; at--) {
    const name = tree.name(dice.pick(["solmate", "tokens", "forge-kit", "lib-"]));
    const linked = root !== "" && once(dice, 4);
    const folder = linked ? `vendored/${name}` : `${root}/lib/${name}`;
    const base = dice.pick(["src", "src", "contracts"]);
    const inner = once(dice, 3) ? innerLibrary(dice, tree, folder, base, pragma) : undefined;
    const entries = Array.from({ length: 1 + dice.below(2) }, () => {
      const source: Source = { name: tree.name("L"), path: "", isLibrary: once(dice, 6) };
      const path = `${source.name}.sol`;
      const imports = inner && once(dice, 2) ? [inner] : [];
      tree.put(`${folder}/${base}/${path}`, sourceText(dice, source, pragma(), imports));
      return { path, source: { ...source, path: plain(`${folder}/${base}/${path}`) } };
    });
    if (linked) {
      tree.link(`${root}/lib/${name}`, folder);
      outside.add(folder);
    }
    if (once(dice, 4)) {
      const alias = tree.name("@alias");
      remappings.push(`${alias}/=lib/${name}/${base}/`);
      libraries.push({ name: alias, folder, wanted: "", entries });
    } else {
      libraries.push({ name, folder, wanted: "", entries });
    }
    if (once(dice, 12))
      remappings.push(`${dice.pick(["lib", "src"])}/${name}/:nothing/=lib/${name}/${base}/`);
  }
  return libraries;
}

/** A library that only one library has, by the library's own remappings. */
function innerLibrary(dice: Random, tree: Tree, folder: string, base: string, pragma: () => string) {
  const source: Source = { name: tree.name("I"), path: "", isLibrary: false };
  const short = tree.name("inner");
  const way = dice.below(3);
  if (way === 0) {
    tree.put(`${folder}/lib/${short}/src/${source.name}.sol`, sourceText(dice, source, pragma(), []));
    return { source, path: `${short}/${source.name}.sol` };
  }
  tree.put(`${folder}/deps/${short}/${source.name}.sol`, sourceText(dice, source, pragma(), []));
  const prefix = `${short}-own/`;
  if (way === 1) tree.put(`${folder}/remappings.txt`, `${prefix}=deps/${short}/\n`);
  else
    tree.put(
      `${folder}/foundry.toml`,
      `[profile.default]\nsrc = "${base}"\nremappings = ["${prefix}=deps/${short}/"]\n`,
    );
  return { source, path: `${prefix}${source.name}.sol` };
}

/** A folder of sources that lies elsewhere. */
function linkedSources(
  dice: Random,
  tree: Tree,
  root: string,
  src: string,
  pragma: () => string,
  outside: Set<string>,
): void {
  const source: Source = { name: tree.name("K"), path: "", isLibrary: false };
  const elsewhere = root === "" ? "kept/sources" : dice.pick([`${root}/kept/sources`, "kept/sources"]);
  tree.put(`${elsewhere}/${source.name}.sol`, sourceText(dice, source, pragma(), []));
  tree.link(`${root}/${src}/linked`, elsewhere);
  outside.add(elsewhere);
}

/**
 * Sources of a workspace that its projects import by a remapping that climbs, or by a link among the libraries, and one
 * that does: forge takes no import that climbs out of the project by itself.
 */
export function sharedSources(
  dice: Random,
  tree: Tree,
  { root, src, remappings, outside }: Omit<LibraryWorld, "pragma"> & { readonly src: string },
): void {
  if (root === "" || !once(dice, 3)) return;
  const [inner, shared, user] = ["S", "S", "U"].map((prefix): Source => ({
    name: tree.name(prefix),
    path: "",
    isLibrary: false,
  }));
  if (!inner || !shared || !user) return;
  const pragma = ">=0.8.0";
  const folder = dice.pick(["shared/sol", "libs"]);
  tree.put(`${folder}/${inner.name}.sol`, sourceText(dice, inner, pragma, []));
  const imports = once(dice, 2) ? [{ source: inner, path: `./${inner.name}.sol` }] : [];
  tree.put(`${folder}/${shared.name}.sol`, sourceText(dice, shared, pragma, imports));
  const others = [shared, ...(once(dice, 2) ? [inner] : [])];
  const prefix = tree.name("@shared");
  if (once(dice, 3)) {
    tree.link(`${root}/lib/${prefix}`, folder);
    remappings.push(`${prefix}/=lib/${prefix}/`);
  } else {
    remappings.push(`${prefix}/=${seenFrom(root, folder)}/`);
  }
  tree.put(
    `${root}/${src}/${user.name}.sol`,
    sourceText(
      dice,
      user,
      pragma,
      others.map((source) => ({ source, path: `${prefix}/${source.name}.sol` })),
    ),
  );
  outside.add(folder);
}

/** Another compiler for a profile, sometimes. */
export function versionOfProfile(dice: Random, versions: readonly string[]): string[] {
  const modern = versions.filter((one) => one !== "0.7.6");
  return once(dice, 3) ? [`solc = "${dice.oneOf(modern)}"`] : [];
}

/** What a profile sets of the compiler. */
export function settingLines(dice: Random, version: string): string[] {
  const patch = Number(version.split(".")[2] ?? 0);
  return [
    ...(once(dice, 2) ? [`optimizer = ${String(!once(dice, 4))}`] : []),
    ...(once(dice, 3)
      ? [
          `${once(dice, 3) ? "optimizer-runs" : "optimizer_runs"} = ${dice.pick(["1", "200", "20_000", "4294967295"])}`,
        ]
      : []),
    ...(patch >= 19 && once(dice, 5) ? ["via_ir = true"] : []),
    ...(once(dice, 3)
      ? [
          `evm_version = "${dice.pick(["berlin", "London", "istanbul", ...(patch >= 24 ? ["cancun", "shanghai"] : [])])}"`,
        ]
      : []),
    ...(patch >= 18 && once(dice, 10)
      ? ['bytecode_hash = "none"', "cbor_metadata = false"]
      : once(dice, 5)
        ? [`bytecode_hash = "${dice.pick(["none", "ipfs", "bzzr1"])}"`]
        : []),
    ...(once(dice, 8) ? ["use_literal_content = true"] : []),
    ...(once(dice, 8) ? ['libraries = ["src/Lib.sol:Lib:0x5fbdb2315678afecb367f032d93f642f64180aa3"]'] : []),
    ...(once(dice, 10) ? ['revert_strings = "strip"'] : []),
    ...(once(dice, 10) ? ["gas_limit = 9223372036854775807"] : []),
    ...(once(dice, 12) ? ['extra_output = ["storageLayout", "ir"]'] : []),
  ];
}

function otherProfiles(dice: Random, lines: FoundryLines, version: string): string | undefined {
  if (!once(dice, 2)) return undefined;
  lines.others["release"] = settingLines(dice, version);
  if (once(dice, 2)) lines.others["ci"] = settingLines(dice, version);
  return dice.pick([undefined, "release", "release"]);
}

/** Restrictions of files, by version and by settings, with the compiler profiles that they need. */
function restrictions(
  dice: Random,
  lines: FoundryLines,
  made: readonly Source[],
  root: string,
  versions: readonly string[],
): void {
  const pathOf = ({ path }: Source) => (root === "" ? path : path.slice(root.length + 1));
  const paths = () =>
    dice.pick<() => string>([
      () => pathOf(dice.oneOf(made)),
      () => `./${pathOf(dice.oneOf(made))}`,
      () => `${pathOf(dice.oneOf(made)).split("/")[0] ?? ""}/**`,
      () => `**/${dice.oneOf(made).name}*.sol`,
      () => `src/{deep,lib}/*.sol`,
      () => "lib/**",
      () => "test/**",
      () => "src/*.sol",
    ])();
  const profiles = [
    '{ name = "ir", via_ir = true }',
    '{ name = "few", optimizer = true, optimizer_runs = 5 }',
    '{ name = "old", evm_version = "berlin" }',
    '{ name = "both", via_ir = true, optimizer_runs = 3, evm_version = "berlin" }',
    '{ name = "bare", bytecode_hash = "None" }',
  ];
  const rules = Array.from({ length: 1 + dice.below(2) }, () => {
    const what = dice.pick<() => string>([
      () => "via_ir = true",
      () => "max_optimizer_runs = 10",
      () => "optimizer_runs = 5",
      () => 'max_evm_version = "istanbul"',
      () => 'evm_version = "berlin"',
      () => 'bytecode_hash = "None"',
      () =>
        `version = "${dice.pick(["<0.8.27", `=${dice.oneOf(versions)}`, "^0.8.19", ">=0.8.0, <0.8.28", "~0.8.19"])}"`,
      () => `version = ">=0.8.0", via_ir = true`,
    ])();
    return `{ paths = "${paths()}", ${what} }`;
  });
  const target = lines.others["release"] && once(dice, 4) ? lines.others["release"] : lines.default;
  if (!once(dice, 8)) target.push(`additional_compiler_profiles = [\n  ${profiles.join(",\n  ")}\n]`);
  target.push(`compilation_restrictions = [\n  ${rules.join(",\n  ")}\n]`);
}

/** Remappings in foundry.toml, in remappings.txt, or in both. */
function placeRemappings(
  dice: Random,
  tree: Tree,
  root: string,
  lines: FoundryLines,
  remappings: readonly string[],
): void {
  const inText = remappings.filter(() => once(dice, 2));
  const inToml = remappings.filter((one) => !inText.includes(one));
  if (inToml.length > 0 || once(dice, 4)) lines.default.push(`remappings = ${JSON.stringify(inToml)}`);
  if (inText.length > 0)
    tree.put(`${root}/remappings.txt`, inText.join(dice.pick(["\n", "\r\n"])) + dice.pick(["\n", ""]));
}

function outputLines(
  dice: Random,
  lines: FoundryLines,
  profile: string | undefined,
): { out: string; outputs: string[] } {
  const target =
    profile !== undefined && once(dice, 2) ? (lines.others[profile] ?? lines.default) : lines.default;
  const out = dice.pick(["out", "out", "build/forge", "artifacts"]);
  const cache = dice.pick(["cache", "cache", "cache_forge"]);
  if (out !== "out") target.push(`out = "${out}"`);
  if (cache !== "cache") target.push(`cache_path = "${cache}"`);
  const outputs = [cache];
  if (once(dice, 2)) target.push("build_info = true");
  if (once(dice, 4)) {
    target.push(`build_info_path = "records"`);
    outputs.push("records");
  }
  return { out, outputs };
}

/** Moves some lines to a file that the configuration extends. */
function extension(
  dice: Random,
  tree: Tree,
  root: string,
  lines: FoundryLines,
  profile: string | undefined,
  more: Random,
): void {
  if (!once(dice, 4)) return;
  const moved = lines.default.filter((line) => !line.includes("[\n") && once(dice, 2));
  const kept = lines.default.filter((line) => !moved.includes(line));
  lines.default.length = 0;
  const strategy = dice.pick(["extend-arrays", "replace-arrays"]);
  const inside = dice.pick(["base.toml", "config/base.toml"]);
  const path = root !== "" && once(more, 2) ? "../../base.toml" : inside;
  lines.default.push(
    dice.pick([
      `extends = "${path}"`,
      `extends = { path = "${path.startsWith(".") ? "" : "./"}${path}", strategy = "${strategy}" }`,
    ]),
    ...kept,
  );
  const repeated = kept.some((line) => line.startsWith("optimizer_runs")) ? ["optimizer_runs = 12345"] : [];
  tree.put(
    `${root}/${path}`,
    [
      "[profile.default]",
      ...moved,
      ...repeated,
      ...(profile === undefined
        ? []
        : [`[profile.${profile}]`, ...(once(dice, 2) ? ["use_literal_content = true"] : [])]),
      "",
    ].join("\n"),
  );
}

export function tomlOf(lines: FoundryLines): string {
  return [
    "[profile.default]",
    ...lines.default,
    "",
    ...Object.entries(lines.others).flatMap(([name, own]) => [`[profile.${name}]`, ...own, ""]),
  ].join("\n");
}

/** Some of the packages. */
export function someOf(dice: Random, packages: readonly Package[]): Package[] {
  return some(dice, packages, packages.length);
}
