import type { Random } from "../../unit/random.ts";
import {
  gitLibraries,
  settingLines,
  sharedSources,
  tomlOf,
  versionOfProfile,
  type FoundryLines,
} from "./foundryProjects.ts";
import { writeConfig, type HardhatValues } from "./hardhatConfigs.ts";
import {
  pragmasFor,
  randomCompilers,
  randomPlace,
  sharedIn,
  workspaceFiles,
  writeSources,
} from "./hardhatProjects.ts";
import { dependenciesOn, installPackages } from "./packages.ts";
import { besides, once, Tree, type ToolProject, type ToolRun } from "./toolProject.ts";

/** A project that has a configuration of Hardhat and one of Foundry. */
export function randomPairedProject(dice: Random, major: 2 | 3, versions: readonly string[]): ToolProject {
  const tree = new Tree();
  const more = besides(dice);
  const { root, manager: drawn } = randomPlace(dice);
  const manager = drawn === "npm nested" ? "npm" : drawn;
  const modern = versions.filter((one) => one !== "0.7.6");
  const compilers = randomCompilers(dice, modern);
  const pragma = pragmasFor(dice, compilers);
  const packages = installPackages(dice, tree, { manager, root, pragma, isHardhat3: false });
  const sameFolder = once(dice, 2);
  // Hardhat's plugin reads forge's remappings, and takes forge's folder of sources.
  const hasPlugin = once(dice, 2);
  const src = sameFolder ? "contracts" : dice.pick(["src", "src", "foundry/src"]);
  const remappings = packages.map((one) => `${one.name}/=node_modules/${one.name}/`);
  const lines: FoundryLines = { default: [], others: {} };
  const outside = new Set<string>();
  const libraries = gitLibraries(dice, tree, { root, pragma, remappings, outside });
  for (const line of remappings.filter((one) => one.includes(":")))
    remappings.splice(remappings.indexOf(line), 1);
  const hardhatOnly = !sameFolder && !(hasPlugin && major === 2) && !once(dice, 4);
  // What Hardhat compiles may only import what Hardhat finds.
  const shared = sameFolder || (hasPlugin && major === 2);
  const made = writeSources(dice, tree, {
    root,
    folder: src,
    pragma,
    packages: shared && !hasPlugin ? packages : [...packages, ...libraries],
    major: 3,
  });
  if (hardhatOnly) writeSources(dice, tree, { root, folder: "contracts", pragma, packages, major: 3 });
  if (once(dice, 2))
    writeSources(dice, tree, {
      root,
      folder: "test",
      pragma,
      packages,
      others: made,
      ending: ".t.sol",
      major: 3,
    });
  if (once(dice, 2))
    writeSources(dice, tree, {
      root,
      folder: "script",
      pragma,
      packages,
      others: made,
      ending: ".s.sol",
      major: 3,
    });
  const version = once(dice, 3) ? dice.oneOf(modern) : (compilers[0]?.version ?? "");
  lines.default.push(
    `src = "${src}"`,
    `libs = ${JSON.stringify(dice.pick([["node_modules", "lib"], ["lib"], ["lib", "node_modules"]]))}`,
  );
  lines.default.push(`${dice.pick(["solc", "solc_version"])} = "${version}"`, ...settingLines(dice, version));
  lines.default.push(`cache_path = "${dice.pick(["cache_forge", "cache"])}"`);
  // Hardhat imports nothing that lies above its root by a remapping of forge's.
  if (!shared) sharedSources(more, tree, { root, src, remappings, outside });
  if (root !== "" || outside.size > 0) lines.default.push(`allow_paths = ["${root === "" ? "." : "../.."}"]`);
  const places = dice.pick(["foundry.toml", "remappings.txt"]);
  const written = remappings.map((one) => (root === "" ? one : atRoot(tree, root, one)));
  if (places === "foundry.toml") lines.default.push(`remappings = ${JSON.stringify(written)}`);
  else tree.put(`${root}/remappings.txt`, `${written.join("\n")}\n`);
  if (once(dice, 2)) lines.default.push("build_info = true");
  if (once(dice, 3))
    lines.others["release"] = [
      ...settingLines(dice, version),
      ...(once(dice, 2) ? ['src = "contracts"'] : []),
      ...versionOfProfile(more, modern),
    ];
  const profile = lines.others["release"] && once(dice, 2) ? "release" : undefined;
  tree.put(`${root}/foundry.toml`, tomlOf(lines));

  const plugin = "@nomicfoundation/hardhat-foundry";
  const without = once(dice, 4);
  const values: HardhatValues = {
    major,
    compilers,
    overrides: {},
    paths: {
      ...((hasPlugin && major === 2) || (sameFolder && once(dice, 2))
        ? {}
        : once(dice, 2)
          ? { sources: "contracts" }
          : {}),
      ...(once(dice, 2) && { cache: "cache_hardhat" }),
    },
    more: {},
    plugins: hasPlugin ? [plugin] : [],
  };
  const config = without
    ? withoutCompiler(dice, major)
    : writeConfig(dice, { ...values, ...sharedIn(root, more) });
  for (const [path, text] of Object.entries(config.files)) tree.put(`${root}/${path}`, text);
  if (hasPlugin && !without) tree.put(`${root}/node_modules/${plugin}`, `$PLUGIN${major}`);
  tree.put(
    `${root}/package.json`,
    JSON.stringify({
      name: "paired",
      version: "1.0.0",
      ...(config.type && { type: config.type }),
      dependencies: dependenciesOn(packages),
      devDependencies: { hardhat: major === 3 ? "^3.0.0" : "^2.22.0" },
    }),
  );
  if (root !== "") workspaceFiles(tree, manager, root);
  const forge: ToolRun = {
    tool: "Foundry",
    artifacts: "out",
    outputs: ["cache_forge"],
    ...(profile !== undefined && { profile }),
  };
  const hardhat: ToolRun = {
    tool: major === 3 ? "Hardhat 3" : "Hardhat 2",
    artifacts: "artifacts",
    outputs: ["cache", "cache_hardhat"],
    ...(major === 3 && /\.m[tj]s$/.test(config.name) && { config: config.name }),
  };
  return {
    shape: `Hardhat ${major} and Foundry, ${without ? "no compiler in Hardhat's" : config.how}${hasPlugin && !without ? ", plugin" : ""}${sameFolder ? ", one folder" : ""}`,
    files: tree.files,
    root,
    open: once(dice, 6) ? root : "",
    isComputed: config.isComputed,
    runs: without ? [forge] : [forge, hardhat],
  };
}

/** The remapping of a package as it is seen from a project of a workspace, hoisted or not. */
function atRoot(tree: Tree, root: string, remapping: string): string {
  const [, name = ""] = /=node_modules\/(.*)\/$/.exec(remapping) ?? [];
  if (name === "") return remapping;
  const own = `${root}/node_modules/${name}`;
  const isOwn = Object.keys(tree.files).some((path) => path === own || path.startsWith(`${own}/`));
  return isOwn ? remapping : remapping.replace("=", "=../../");
}

/** Hardhat for deployments alone: its configuration names no compiler, or takes it from the command line. */
function withoutCompiler(
  dice: Random,
  major: 2 | 3,
): { name: string; files: Record<string, string>; type?: "module"; isComputed: boolean; how: string } {
  const name = `hardhat.config.${major === 3 ? "ts" : dice.pick(["js", "ts"])}`;
  const networks = `networks: { local: { url: "http://127.0.0.1:8545"${major === 3 ? ', type: "http"' : ""} } }`;
  const solidity = dice.pick([
    "",
    "",
    `solidity: process.argv[5],`,
    `solidity: { version: require("yargs").argv.solc },`,
  ]);
  const text =
    major === 3
      ? `import { defineConfig } from "hardhat/config";\nexport default defineConfig({ ${solidity.includes("yargs") ? "" : solidity} ${networks} });\n`
      : name.endsWith("ts")
        ? `import { HardhatUserConfig } from "hardhat/config";\nconst config: HardhatUserConfig = { ${solidity} ${networks} };\nexport default config;\n`
        : `module.exports = { ${solidity} ${networks} };\n`;
  return {
    name,
    files: { [name]: text },
    ...(major === 3 && { type: "module" as const }),
    isComputed: false,
    how: "none",
  };
}
