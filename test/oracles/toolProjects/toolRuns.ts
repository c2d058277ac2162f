import { spawn } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import type { CompilerOutput } from "../../sandbox/solidityCompilers.ts";
import type { CompilerPrograms } from "../compilerPrograms.ts";
import { writeTree } from "../writeTree.ts";
import { forgeProgram } from "../forgeProgram.ts";
import type { Tool, ToolProject, ToolRun } from "./toolProject.ts";

/** What the tools run with. */
export interface ToolParts {
  /** The folder of the oracle packages. */
  readonly packages: string;
  /** The folder of the packages of Hardhat's plugin for Foundry. */
  readonly plugins: string;
  readonly programs: CompilerPrograms;
  /** The `soljson.js` of each short version. */
  readonly solcs: ReadonlyMap<string, string>;
}

/** A home in which the tools find every compiler that is installed, so that none asks the network. */
export class ToolHome {
  readonly #folder: string;
  readonly #packages: string;
  readonly #plugins: string;

  /** @param folder an empty one */
  constructor(folder: string, { packages, plugins, programs, solcs }: ToolParts) {
    this.#folder = folder;
    this.#packages = packages;
    this.#plugins = plugins;
    const { versions } = programs.compilers;
    const builds = versions.map((version) => {
      const longVersion = completeSolcVersion(version);
      return {
        version,
        longVersion,
        build: longVersion.split("+")[1],
        path: `solc-v${longVersion}`,
        keccak256: "",
        sha256: "",
        urls: [],
        url: "none",
      };
    });
    const list = JSON.stringify({
      builds,
      releases: Object.fromEntries(builds.map(({ version, path }) => [version, path])),
    });
    for (const kept of ["compilers-v2", "compilers-v3"])
      for (const platform of ["linux-amd64", "linux-arm64", "wasm"]) {
        const place = join(folder, "cache/hardhat-nodejs", kept, platform);
        writeTree(place, { "list.json": list });
        for (const { version, path } of builds)
          if (platform === "wasm") symlinkSync(solcs.get(version) ?? "", join(place, path));
          else copyFileSync(programs.program(version), join(place, path));
      }
    for (const version of versions) {
      mkdirSync(join(folder, ".svm", version), { recursive: true });
      copyFileSync(programs.program(version), join(folder, ".svm", version, `solc-${version}`));
    }
    // What Hardhat 2 reads configurations of TypeScript with: the types are taken out, and nothing is checked.
    const typescript = join(repositoryRoot, "node_modules/typescript");
    writeTree(join(folder, "modules"), {
      typescript: `->${typescript}`,
      "ts-node/package.json": '{ "name": "ts-node", "version": "10.9.2", "main": "index.js" }',
      "ts-node/index.js": "",
      "ts-node/register/transpile-only.js": `
const { transpileModule, ModuleKind, ScriptTarget } = require(${JSON.stringify(typescript)});
const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true };
for (const extension of [".ts", ".cts"])
  require.extensions[extension] = (module, file) =>
    module._compile(transpileModule(require("fs").readFileSync(file, "utf8"), { compilerOptions }).outputText, file);
`,
    });
    mkdirSync(join(folder, "bin"));
    symlinkSync(forgeProgram(packages), join(folder, "bin/forge"));
  }

  /** Writes a project into a folder, with the tools that it depends on. */
  write(folder: string, project: ToolProject): void {
    const plugins: Record<string, number> = {};
    const files = Object.entries(project.files).filter(([path, text]) => {
      const [, major] = /^\$PLUGIN(\d)$/.exec(text) ?? [];
      if (major !== undefined) plugins[path] = Number(major);
      return major === undefined;
    });
    writeTree(folder, Object.fromEntries(files));
    const root = join(folder, project.root);
    const majors = project.runs.flatMap(({ tool }) =>
      tool === "Foundry" ? [] : [tool === "Hardhat 2" ? 2 : 3],
    );
    for (const major of new Set(majors)) this.#putHardhat(root, major);
    for (const [path, major] of Object.entries(plugins)) this.#putPlugin(root, join(folder, path), major);
  }

  /** What others see of Hardhat's package: as a whole it is there only while it runs, for its size. */
  #putHardhat(root: string, major: number): void {
    const real = join(this.#packages, `node_modules/hardhat-${major}`);
    const { version } = readJson(join(real, "package.json")) as { version: string };
    writeTree(join(root, "node_modules/hardhat"), {
      "package.json": JSON.stringify({ name: "hardhat", version }),
      "console.sol": readFileSync(join(real, "console.sol"), "utf8"),
    });
  }

  /** Hardhat's plugin for Foundry, the real one, with what it depends on. */
  #putPlugin(root: string, folder: string, major: number): void {
    const modules = join(this.#plugins, "node_modules");
    cpSync(join(modules, `hardhat-foundry-${major}`), folder, { recursive: true });
    // It gives forge half a second, which a busy machine may not have.
    const waits = join(folder, "dist/src/internal/foundry/forge.js");
    if (existsSync(waits))
      writeFileSync(waits, readFileSync(waits, "utf8").replaceAll("_MS = 500", "_MS = 60000"));
    if (major === 2) {
      writeTree(join(root, "node_modules/picocolors"), {
        "package.json": '{ "name": "picocolors", "version": "1.1.1" }',
        "index.js": `module.exports = require(${JSON.stringify(join(modules, "picocolors"))});`,
      });
      return;
    }
    const used = { "hardhat-errors": ["index"], "hardhat-utils": ["error", "fs"] };
    for (const [name, files] of Object.entries(used)) {
      const real = join(modules, "@nomicfoundation", name);
      writeTree(join(root, "node_modules/@nomicfoundation", name), {
        "package.json": JSON.stringify({
          name: `@nomicfoundation/${name}`,
          version: "3.0.0",
          type: "module",
          exports: Object.fromEntries(
            files.map((file) => [file === "index" ? "." : `./${file}`, `./${file}.js`]),
          ),
        }),
        ...Object.fromEntries(
          files.map((file) => [
            `${file}.js`,
            `export * from ${JSON.stringify(join(real, `dist/src/${file}.js`))};`,
          ]),
        ),
      });
    }
  }

  /** Builds a project with a tool; what it said, and whether it did. */
  async build(
    root: string,
    { tool, profile, config, script }: ToolRun,
  ): Promise<{ readonly built: boolean; readonly output: string }> {
    const cli = join(
      this.#packages,
      "node_modules",
      tool === "Hardhat 2" ? "hardhat-2/internal/cli/bootstrap.js" : "hardhat-3/dist/src/cli.js",
    );
    const command =
      tool === "Foundry"
        ? [
            join(this.#folder, "bin/forge"),
            // What every contract here can be asked.
            ...(script === undefined ? ["build"] : ["script", script, "--sig", "total()"]),
            "--offline",
          ]
        : tool === "Hardhat 2"
          ? [process.execPath, cli, "compile"]
          : [
              process.execPath,
              cli,
              ...(config === undefined ? [] : ["--config", config]),
              "build",
              ...(profile === undefined ? [] : ["--build-profile", profile]),
            ];
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      HOME: this.#folder,
      XDG_CACHE_HOME: join(this.#folder, "cache"),
      XDG_DATA_HOME: join(this.#folder, "data"),
      XDG_CONFIG_HOME: join(this.#folder, "config"),
      NODE_PATH: join(this.#folder, "modules"),
      PATH: `${join(this.#folder, "bin")}:${process.env["PATH"] ?? ""}`,
      HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
      HARDHAT_TELEMETRY_ENABLED: "false",
      FOUNDRY_DISABLE_NIGHTLY_WARNING: "1",
      NO_COLOR: "1",
      NODE_OPTIONS: "",
      ...(tool === "Foundry" && { FOUNDRY_PROFILE: profile ?? "default" }),
    };
    const [program = "", ...args] = command;
    if (tool === "Foundry") return run(program, args, root, env);
    const [place, away] = [join(root, "node_modules/hardhat"), join(this.#folder, "away")];
    renameSync(place, away);
    symlinkSync(join(this.#packages, `node_modules/hardhat-${tool === "Hardhat 2" ? 2 : 3}`), place);
    try {
      return await run(program, args, root, env);
    } finally {
      unlinkSync(place);
      renameSync(away, place);
    }
  }
}

/** Runs a program; whether it ended well, and what it said. */
async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly built: boolean; readonly output: string }> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { built: code === 0, output };
}

/** A contract as a tool built it. */
export interface Built {
  readonly tool: Tool;
  /** The file on disk, relative to the project. */
  readonly path: string;
  readonly contract: string;
  /** As solc wrote it. */
  readonly metadata: string;
  /** Runtime code in hex, without `0x`; empty for what was compiled along with another file and has no artifact. */
  readonly runtime: string;
}

/** The contracts with code that a run wrote artifacts of. */
export async function builtBy(
  root: string,
  { tool, artifacts }: ToolRun,
  { compilers }: CompilerPrograms,
): Promise<Built[]> {
  const records = new Map<string, Promise<CompilerOutput | undefined>>();
  // Hardhat 3 doesn't ask for the metadata, so what it gave its compiler is given again.
  const outputOf = (path: string) => {
    const { solcVersion, input } = readJson(path) as LooseRecord;
    const settings = { ...input.settings, outputSelection: { "*": { "*": ["metadata"] } } };
    const known = records.get(path) ?? compilers.compile(solcVersion, { ...input, settings });
    records.set(path, known);
    return known;
  };
  const paths = globSync(`${artifacts}/**/*.json`, { cwd: root }).filter(
    (path) =>
      !path.includes("/build-info/") &&
      !path.endsWith(".dbg.json") &&
      !basename(path).startsWith("solidity-"),
  );
  const built = paths.sort().map(async (path): Promise<Built[]> => {
    const artifact = readJson(join(root, path)) as LooseArtifact;
    const { deployedBytecode, contractName = "", sourceName = "", inputSourceName, buildInfoId } = artifact;
    const runtime = (
      typeof deployedBytecode === "string" ? deployedBytecode : (deployedBytecode?.object ?? "")
    ).replace(/^0x/, "");
    if (runtime === "") return [];
    if (tool === "Foundry") {
      const { rawMetadata } = artifact;
      // An artifact of Hardhat in the same folder.
      if (rawMetadata === undefined) return [];
      const { settings } = JSON.parse(rawMetadata) as {
        settings: { compilationTarget: Record<string, string> };
      };
      const [[name, contract] = ["", ""]] = Object.entries(settings.compilationTarget);
      return [{ tool, path: name, contract, metadata: rawMetadata, runtime }];
    }
    if (artifact.rawMetadata !== undefined) return [];
    const name = inputSourceName ?? sourceName;
    const debug = join(root, path.replace(/\.json$/, ".dbg.json"));
    const record =
      buildInfoId === undefined
        ? join(root, dirname(path), (readJson(debug) as { buildInfo: string }).buildInfo)
        : join(root, `${artifacts}/build-info/${buildInfoId}.json`);
    const output = await outputOf(record);
    const metadata = output?.contracts?.[name]?.[contractName]?.metadata;
    if (metadata === undefined) throw new Error(`${record} does not give ${name}:${contractName} again.`);
    const own = name.replace(/^project\//, "");
    return [
      {
        tool,
        path: placeOf(root, own, sourceName),
        contract: contractName,
        metadata,
        runtime,
      },
    ];
  });
  const withArtifacts = (await Promise.all(built)).flat();
  return [...withArtifacts, ...(await alongWith(root, records, withArtifacts))];
}

/** Where a file lies that Hardhat has a name for: in the project, in a package, or in a library that is remapped. */
function placeOf(root: string, own: string, sourceName: string): string {
  const packaged = UPWARDS.map((up) => `${up}node_modules/${sourceName}`);
  const [known] = [own, ...packaged].filter((one) => existsSync(join(root, one)));
  const found = known ?? inPackage(root, own) ?? inLibrary(root, basename(sourceName));
  if (found === undefined) throw new Error(`${sourceName} lies nowhere.`);
  return found;
}

/** The folders in which Node looks for packages, from a project that lies in a folder of a workspace. */
const UPWARDS = ["", "../", "../../"] as const;

/** Where a file of a library lies, by its name that no other has: in one that is a link, too. */
function inLibrary(root: string, file: string): string | undefined {
  return namesIn(join(root, "lib"))
    .flatMap((library) => filesBelow(root, `lib/${library}`))
    .find((path) => basename(path) === file);
}

/** The files below a folder, behind every link, by paths from the root. */
function filesBelow(root: string, folder: string): string[] {
  return namesIn(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    return statSync(join(root, path)).isDirectory() ? filesBelow(root, path) : [path];
  });
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Where a file of `npm/<name>@<version>/…` lies: a package may be installed under another name than its own. */
function inPackage(root: string, sourceName: string): string | undefined {
  const [, name, version, path = ""] = /^npm\/((?:@[^/]+\/)?[^/@]+)@([^/]+)\/(.*)$/.exec(sourceName) ?? [];
  if (name === undefined) return undefined;
  const folders = UPWARDS.flatMap((up) =>
    [name, ...installedIn(join(root, up))].map((one) => `${up}node_modules/${one}`),
  ).filter((one) => {
    const place = join(root, one, "package.json");
    if (!existsSync(place)) return false;
    const manifest = readJson(place) as { readonly name?: string; readonly version?: string };
    return manifest.name === name && (version === "local" || manifest.version === version);
  });
  return folders.map((one) => `${one}/${path}`).find((one) => existsSync(join(root, one)));
}

/** The names under which packages are installed, links among them. */
function installedIn(root: string): string[] {
  const modules = join(root, "node_modules");
  return namesIn(modules).flatMap((name) =>
    name.startsWith("@") ? namesIn(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}

/** What Hardhat compiled because something imports it, and wrote no artifact of: it is deployed from there, too. */
async function alongWith(
  root: string,
  records: ReadonlyMap<string, Promise<CompilerOutput | undefined>>,
  built: readonly Built[],
): Promise<Built[]> {
  const [first] = built;
  if (first?.tool !== "Hardhat 3") return [];
  const outputs = await Promise.all(records.values());
  return outputs.flatMap((output) =>
    Object.entries(output?.contracts ?? {}).flatMap(([name, contracts]) => {
      const path = inPackage(root, name) ?? name.replace(/^project\//, "");
      if (!existsSync(join(root, path))) return [];
      return Object.entries(contracts).map(([contract, { metadata }]): Built => ({
        tool: "Hardhat 3",
        path,
        contract,
        metadata,
        runtime: "",
      }));
    }),
  );
}

interface LooseArtifact {
  readonly deployedBytecode?: string | { readonly object?: string };
  readonly contractName?: string;
  readonly sourceName?: string;
  readonly inputSourceName?: string;
  readonly buildInfoId?: string;
  readonly rawMetadata?: string;
}

interface LooseRecord {
  readonly solcVersion: string;
  readonly input: { readonly settings: object };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
