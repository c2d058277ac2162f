import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../../src/core/concurrency/clock.ts";
import { contractInput } from "../../../../src/core/compilerInput/contractInput.ts";
import {
  searchDeployedCommit,
  type CommitSearchResult,
} from "../../../../src/core/deployedCommit/deployedCommitSearch.ts";
import { LocalVerifier } from "../../../../src/core/compilers/localVerifier.ts";
import { isVyperRelease, vyperFiles, vyperVersion } from "../../../../src/core/compilers/vyperPrograms.ts";
import { lastAuxdata } from "../../../../src/core/evm/auxdata.ts";
import { codeBytes } from "../../../../src/core/evm/hex.ts";
import { openHistory } from "../../../../src/core/git/gitHistory.ts";
import { findWorkTree } from "../../../../src/core/git/repositoryFolders.ts";
import { completeSolcVersion } from "../../../../src/core/languages/solidity/solcReleases.ts";
import { findWorkspaceContract, placesNamed } from "../../../../src/core/languages/workspaceContract.ts";
import { deployedSigns } from "../../../../src/core/matching/deployedSigns.ts";
import { keepResult, keptResult } from "../../../rig/keptResults.ts";
import { installedCompilers } from "../../../sandbox/installedCompilers.ts";
import { SolidityCompilers } from "../../../sandbox/solidityCompilers.ts";
import { VyperCompilers } from "../../../sandbox/vyperCompilers.ts";
import { vyperEnvironment } from "../../../sandbox/vyperEnvironment.ts";
import { startCompilerPrograms, type CompilerPrograms } from "../../compilerPrograms.ts";
import { diskFiles } from "../../../../src/core/files/diskFiles.ts";
import { lockedPackages, oraclePackages } from "../../oraclePackages.ts";
import { solcPackages } from "../../solcPackages.ts";
import type { Tool } from "../../toolProjects/toolProject.ts";
import { ToolHome } from "../../toolProjects/toolRuns.ts";
import { TestRepository } from "../repository.ts";

/** What is deployed: the runtime code in hex with `0x`. */
export type Code = string;

/** What is looked for. */
export interface Sought {
  /** `path/to/File.sol:Name`, below the folder. */
  readonly contract: string;
  readonly code: Code;
  /** The open folder; the top of the repository unless said. */
  readonly folder?: string;
  /** In milliseconds since 1970; `null` where the chain does not tell. */
  readonly at?: number | null;
  readonly from?: string;
  readonly limitSeconds?: number;
}

/** The compilers and tools of strangers, and our search. */
export class StrangersWorld {
  readonly packages: string;
  readonly #base = realpathSync(mkdtempSync(join(tmpdir(), "strangers-")));
  readonly #plugins: string;
  readonly #solcs: ReadonlyMap<string, string>;
  readonly #compilers: SolidityCompilers;
  readonly #vyper = new VyperCompilers();
  readonly #installed: ReturnType<typeof installedCompilers>;
  readonly #verifier: LocalVerifier;
  #programs: CompilerPrograms | undefined;
  #home: ToolHome | undefined;
  #folders = 0;

  private constructor(packages: string, plugins: string) {
    this.packages = packages;
    this.#plugins = plugins;
    this.#solcs = solcPackages(packages);
    this.#compilers = new SolidityCompilers(this.#solcs);
    this.#installed = installedCompilers(this.#solcs);
    this.#verifier = new LocalVerifier(this.#installed.compilers);
  }

  static async start(): Promise<StrangersWorld> {
    const plugins = join(import.meta.dirname, "../../toolProjects/packages");
    return new StrangersWorld(await oraclePackages(), await lockedPackages(plugins, "--legacy-peer-deps"));
  }

  async stop(): Promise<void> {
    await this.#installed.stop();
    await this.#compilers.stop();
    await this.#programs?.stop();
    rmSync(this.#base, { recursive: true, force: true });
  }

  /** A folder that there is not yet. */
  newFolder(): string {
    return join(this.#base, String(this.#folders++));
  }

  repository(): TestRepository {
    return new TestRepository(this.newFolder());
  }

  /** Puts folders of a real package of npm into a place. */
  unpack(name: string, place: string, folders: readonly string[]): void {
    for (const folder of ["package.json", ...folders])
      cpSync(join(this.packages, "node_modules", name, folder), join(place, folder), { recursive: true });
  }

  /** What solc makes of files as they lie on the disk, by the name that the tool gives to each. */
  async compiled(
    root: string,
    version: string,
    files: Readonly<Record<string, string>>,
    settings: object,
    contract: string,
  ): Promise<Code> {
    const sources = Object.fromEntries(
      Object.entries(files).map(([name, path]) => [
        name,
        { content: readFileSync(join(root, path), "utf8") },
      ]),
    );
    const output = await this.#compilers.compile(version, {
      language: "Solidity",
      sources,
      settings: {
        ...settings,
        outputSelection: { "*": { "*": ["metadata", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
      },
    });
    const [name = "", contractName = ""] = contract.split(/:(?=[^:]*$)/);
    const object = output?.contracts?.[name]?.[contractName]?.evm.deployedBytecode.object;
    assert.ok(object, JSON.stringify(output?.errors?.map(({ message }) => message)));
    return `0x${object}`;
  }

  /** What Vyper makes of files as they lie on the disk. */
  async compiledVyper(
    root: string,
    version: string,
    files: readonly string[],
    contract: string,
  ): Promise<Code> {
    const sources = Object.fromEntries(
      files.map((name) => [name, { content: readFileSync(join(root, name), "utf8") }]),
    );
    const outputSelection = { [contract]: ["evm.bytecode.object", "evm.deployedBytecode.object"] };
    const interfaces = {};
    const output = await this.#vyper.compile(version, {
      language: "Vyper",
      sources,
      interfaces,
      settings: { outputSelection },
    });
    const object = Object.values(output?.contracts?.[contract] ?? {})[0]?.evm.deployedBytecode.object;
    assert.ok(object, JSON.stringify(output?.errors));
    return object.startsWith("0x") ? object : `0x${object}`;
  }

  /** What a real tool builds of the files of a folder that git knows or that lie in `node_modules`. */
  async built(root: string, tool: Tool, contract: string): Promise<Code> {
    const key = ["stranger's build", tool, treeHash(root), contract] as const;
    const kept = keptResult(key);
    if (kept !== undefined) return kept;
    this.#programs ??= await startCompilerPrograms(this.#solcs);
    if (!this.#home) {
      mkdirSync(join(this.#base, "home"));
      this.#home = new ToolHome(join(this.#base, "home"), {
        packages: this.packages,
        plugins: this.#plugins,
        programs: this.#programs,
        solcs: this.#solcs,
      });
    }
    const copy = this.newFolder();
    cpSync(root, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.startsWith(join(root, ".git/")),
    });
    const artifacts = tool === "Foundry" ? "out" : "artifacts";
    const run = { tool, artifacts, outputs: [] };
    if (tool !== "Foundry")
      this.#home.write(copy, { shape: "", files: {}, root: "", open: "", runs: [run], isComputed: false });
    const { built, output } = await this.#home.build(copy, run);
    assert.ok(built, output);
    const [name] = globSync(`${artifacts}/**/${contract}.json`, { cwd: copy });
    assert.ok(name, output);
    const { deployedBytecode } = JSON.parse(readFileSync(join(copy, name), "utf8")) as {
      deployedBytecode: string | { object: string };
    };
    const code = typeof deployedBytecode === "string" ? deployedBytecode : deployedBytecode.object;
    rmSync(copy, { recursive: true });
    keepResult(key, code);
    return code;
  }

  /** Searches as the editor does. */
  async search(
    repository: { readonly root: string; readonly time: number },
    sought: Sought,
  ): Promise<CommitSearchResult> {
    const {
      contract,
      code,
      folder = repository.root,
      at = repository.time,
      from,
      limitSeconds = 60,
    } = sought;
    const workTree = await findWorkTree(folder);
    assert.ok(workTree, "no work tree");
    const history = await openHistory("git", workTree);
    try {
      const auxdata = lastAuxdata(codeBytes(code));
      const evidence = {
        deployedCompilerVersion: auxdata?.compilerVersion,
        ...(contract.includes(".sol:") && { deployedSigns: deployedSigns(codeBytes(code)) }),
      };
      const deployed = { chainId: "1", address: `0x${"11".repeat(20)}`, runtimeCode: code };
      return await searchDeployedCommit({
        history,
        disk: diskFiles,
        root: workTree.root,
        contract: placesNamed([folder], contract)[0],
        deployed,
        deployedAt: at ?? undefined,
        from,
        limitMs: limitSeconds * 1000,
        clock: systemClock,
        inputOf: async (files, { path, contractName }) => {
          const found = await findWorkspaceContract(files, [folder], `${path}:${contractName}`);
          return contractInput(files, [folder], found, { ...evidence, staleBuild: "skip" });
        },
        verdictOf: (input, signal) =>
          this.#verifier.verify(input, deployed, {
            signal,
            vyper: (version) => vyperProgram(this.#base, version),
          }),
      });
    } finally {
      await history.dispose();
    }
  }

  /** Holds that a commit is found. */
  async finds(
    repository: { readonly root: string; readonly time: number },
    sought: Sought,
    commit: string,
    verdict?: "exact_match" | "match",
  ): Promise<CommitSearchResult> {
    const result = await this.search(repository, sought);
    assert.equal(result.found?.commit.id, commit, `another commit is found; ${wordsOf(result)}`);
    if (verdict !== undefined) assert.equal(result.found.verdict, verdict);
    return result;
  }

  /** Holds that nothing is found, and what is said to be missing. */
  async findsNone(
    repository: { readonly root: string; readonly time: number },
    sought: Sought,
    missing?: RegExp,
  ): Promise<CommitSearchResult> {
    const result = await this.search(repository, sought);
    assert.equal(result.found, undefined, `found ${result.found?.commit.subject ?? ""}`);
    if (missing) assert.match(result.missing.join(" "), missing, wordsOf(result));
    else assert.deepEqual(result.missing, []);
    return result;
  }
}

function wordsOf({ found, tried, missing, isCut, commits, seconds }: CommitSearchResult): string {
  return JSON.stringify({
    found: found && `${found.commit.subject} (${found.verdict})`,
    tried: tried.map(({ commit, verdict, distance, reason }) => [commit.subject, verdict, distance, reason]),
    missing,
    isCut,
    commits,
    seconds,
  });
}

/** By the interpreter: what a script names as its own is another path once its environment was moved. */
export async function vyperProgram(folder: string, version: string) {
  const release = version.split("+")[0] ?? "";
  const environment = vyperEnvironment(release);
  assert.ok("bin" in environment, "no Vyper");
  const path = join(folder, `vyper-${release}`);
  writeFileSync(path, `#!/bin/sh\nexec "${environment.bin}/python" "${environment.bin}/vyper" "$@"\n`);
  chmodSync(path, 0o755);
  const [file] = await vyperFiles({ path, searchPath: "", workspace: [] });
  const said = file === undefined ? undefined : await vyperVersion(file);
  assert.ok(file !== undefined && said !== undefined && isVyperRelease(said, version), `no Vyper ${version}`);
  return { file, version: said };
}

/** All files below a folder but those of git, by their names and contents; links by what they say. */
export function treeHash(root: string): string {
  const hash = createHash("sha256");
  const paths = globSync("**/*", { cwd: root, exclude: (name) => name === ".git" });
  for (const path of paths.sort()) {
    const place = join(root, path);
    const found = lstatSync(place);
    if (found.isDirectory()) continue;
    hash.update(`${path}\0${String(found.mode)}\0`);
    hash.update(found.isSymbolicLink() ? readlinkSync(place) : readFileSync(place));
  }
  return hash.digest("hex");
}

/** The full name of a release of solc. */
export const solc = completeSolcVersion;
