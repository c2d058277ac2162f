import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import type { Random } from "../../unit/random.ts";
import { diskFiles } from "../../../src/core/files/diskFiles.ts";
import { TestRepository } from "./repository.ts";

/** A commit of a generated history, and what was true when it was made. */
export interface MadeCommit {
  readonly id: string;
  readonly time: number;
  /** Where the contract lies, from the top. */
  readonly contractPath: string;
  readonly contractName: string;
  /** The version of the package that was installed. */
  readonly installed: string;
  /** The commit of the submodule. */
  readonly submodule: string;
}

const PRAGMA = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n";
const VERSIONS = ["1.0.0", "1.0.1", "2.0.0"];

/** The package that projects install, as a registry has it. */
function packageFiles(version: string): Record<string, string> {
  const step = VERSIONS.indexOf(version) + 3;
  return {
    "package.json": JSON.stringify({ name: "@acme/math", version }),
    "Steps.sol": `${PRAGMA}library Steps { function step(uint256 x) internal pure returns (uint256) { return x * ${step} + 1; } }\n`,
  };
}

/** A tool of projects, each with a history of its own. */
export type HistoryTool = "Foundry" | "Hardhat 2" | "plain" | "Vyper";

/** What the files of a project say. */
interface ProjectState {
  readonly contractPath: string;
  readonly limitsPath: string;
  readonly limit: number;
  readonly extra: number;
  readonly comment: number;
  readonly runs: number;
}

/** How the projects of a tool look. */
interface Dialect {
  readonly sources: string;
  readonly ending: string;
  /** What never changes. */
  readonly files: Readonly<Record<string, string>>;
  filesOf(state: ProjectState): Readonly<Record<string, string>>;
}

/** Solidity in a folder, with a token that is imported by a name. */
function solidity(sources: string, tokenImport: (contractPath: string) => string) {
  return {
    sources,
    ending: ".sol",
    filesOf: ({ contractPath, limitsPath, limit, extra, comment }: ProjectState) => {
      const functions = Array.from(
        { length: extra },
        (_one, at) => `function extra${at}() external view returns (uint256) { return total + ${at + 7}; }`,
      );
      return {
        [limitsPath]: `${PRAGMA}library Limits { uint256 internal constant MOST = ${limit}; }\n`,
        [contractPath]: `${PRAGMA}import {Limits} from "${seenFrom(contractPath, limitsPath)}";\nimport {Token} from "${tokenImport(contractPath)}";\nimport {Steps} from "@acme/math/Steps.sol";\n\n// Remark ${comment}.\ncontract Vault is Token {\n    function put(uint256 x) external {\n        require(x < Limits.MOST, "too much");\n        total += Steps.step(x);\n    }\n    ${functions.join("\n    ")}\n}\n`,
      };
    },
  };
}

function configured(
  dialect: Omit<Dialect, "files">,
  path: string,
  textOf: (runs: number) => string,
): Dialect {
  const filesOf = (state: ProjectState) => ({ [path]: textOf(state.runs), ...dialect.filesOf(state) });
  return { ...dialect, files: {}, filesOf };
}

const TOKEN = "lib/tokens/src/Token.sol";

const DIALECTS: Readonly<Record<HistoryTool, Dialect>> = {
  Foundry: {
    ...configured(
      solidity("src", () => "tokens/Token.sol"),
      "foundry.toml",
      (runs) =>
        `[profile.default]\nsrc = "src"\nlibs = ["lib"]\nsolc = "0.8.28"\noptimizer = true\noptimizer_runs = ${runs}\nauto_detect_remappings = false\n`,
    ),
    files: { "remappings.txt": "@acme/=node_modules/@acme/\ntokens/=lib/tokens/src/\n" },
  },
  "Hardhat 2": configured(
    solidity("contracts", (path) => seenFrom(path, TOKEN)),
    "hardhat.config.js",
    (runs) =>
      `module.exports = { solidity: { version: "0.8.28", settings: { optimizer: { enabled: true, runs: ${runs} } } } };\n`,
  ),
  plain: { ...solidity("contracts", (path) => seenFrom(path, TOKEN)), files: {} },
  Vyper: {
    sources: "contracts",
    ending: ".vy",
    files: {},
    filesOf({ contractPath, limitsPath, limit, extra, comment }) {
      const functions = Array.from(
        { length: extra },
        (_one, at) => `@external\n@view\ndef extra${at}() -> uint256:\n    return self.total + ${at + 7}\n`,
      );
      const limits = limitsPath.slice(0, -".vy".length).split("/");
      return {
        [limitsPath]: `# pragma version 0.4.3\n\nMOST: constant(uint256) = ${limit}\n`,
        [contractPath]: `# pragma version 0.4.3\n# Remark ${comment}.\nfrom ${limits.slice(0, -1).join(".")} import ${limits.at(-1)} as limits\n\ntotal: public(uint256)\n\n@external\ndef put(x: uint256):\n    assert x < limits.MOST, "too much"\n    self.total += x\n\n${functions.join("\n")}`,
      };
    },
  },
};

/**
 * A history of a project that real git makes: its contract changes with what it imports from the project, from a
 * submodule and from an installed package; files are renamed, moved and deleted, branches are merged.
 */
export class GeneratedHistory {
  readonly project = new TestRepository();
  readonly library = new TestRepository();
  readonly commits: MadeCommit[] = [];
  readonly #random: Random;
  readonly #dialect: Dialect;
  #contractPath: string;
  #limitsPath: string;
  #limit = 100;
  #extra = 0;
  #comment = 0;
  #runs = 200;
  #version = "1.0.0";
  #number = 0;
  #isWindows = false;

  constructor(random: Random, tool: HistoryTool = "Foundry") {
    this.#random = random;
    this.#dialect = DIALECTS[tool];
    this.#contractPath = this.#source("Vault");
    this.#limitsPath = this.#source("Limits");
    this.library.commit("Library", { "src/Token.sol": tokenSource(1) });
    const { project } = this;
    project.write({
      ...this.#dialect.files,
      ".gitignore": "node_modules/\nout/\ncache/\n",
      "package.json": JSON.stringify({ dependencies: { "@acme/math": "^1.0.0" } }),
      "README.md": "# Vault\n",
      [`${this.#dialect.sources}/Old.sol`]: `${PRAGMA}contract Old { uint256 public x; }\n`,
    });
    project.git("submodule", "--quiet", "add", this.library.root, "lib/tokens");
    this.#install();
    this.#commit("Begin");
  }

  /** Makes commits, until there are as many. */
  grow(count: number): void {
    const actions = [
      () => this.#changeLimit(),
      () => this.#changeLimit(),
      () => this.#unrelated(),
      () => this.#unrelated(),
      () => this.#changeComment(),
      () => this.#addFunction(),
      () => this.#changeSettings(),
      () => this.#rename(),
      () => this.#move(),
      () => this.#changeSubmodule(),
      () => this.#changePackage(),
      () => this.#merge(),
      () => this.#deleteOld(),
      () => this.#turnLineEnds(),
    ];
    while (this.commits.length < count) this.#random.oneOf(actions)();
  }

  /** Deletes the contract, as projects do that have a new one. */
  retire(): void {
    for (const path of [this.#contractPath, this.#limitsPath]) rmSync(join(this.project.root, path));
    this.project.commit("Retire the vault");
  }

  /** A fresh clone with a commit checked out, its submodule and its package; to be removed by the caller. */
  checkedOut({ id, installed }: MadeCommit, isOnWindows: boolean): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "checkout-")));
    const { project } = this;
    const ends = isOnWindows ? ["-c", "core.autocrlf=true"] : [];
    project.git(...ends, "clone", "-q", "--no-checkout", project.root, folder);
    project.git("-C", folder, ...ends, "checkout", "-q", id);
    project.git("-C", folder, ...ends, "submodule", "--quiet", "update", "--init");
    writeFiles(join(folder, "node_modules/@acme/math"), packageFiles(installed));
    return folder;
  }

  /** The input of the contract in a real checkout of a commit. */
  async inputOf(commit: MadeCommit, isOnWindows = false): Promise<CompilerInput> {
    const folder = this.checkedOut(commit, isOnWindows);
    try {
      const { contractPath, contractName } = commit;
      return await contractInput(
        diskFiles,
        [folder],
        { path: join(folder, contractPath), contractName, folder },
        // Where nothing names one, the deployed code does.
        contractPath.endsWith(".sol") ? { deployedCompilerVersion: "0.8.28" } : {},
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Installs a version of the package in the work tree, without a commit. */
  installNow(version: string): void {
    const folder = join(this.project.root, "node_modules/@acme/math");
    rmSync(folder, { recursive: true, force: true });
    writeFiles(folder, packageFiles(version));
  }

  remove(): void {
    this.project.remove();
    this.library.remove();
  }

  #source(name: string): string {
    return `${this.#dialect.sources}/${name}${this.#dialect.ending}`;
  }

  #commit(subject: string): void {
    const { project } = this;
    const files = this.#dialect.filesOf({
      contractPath: this.#contractPath,
      limitsPath: this.#limitsPath,
      limit: this.#limit,
      extra: this.#extra,
      comment: this.#comment,
      runs: this.#runs,
    });
    const ended = Object.entries(files).map(([path, text]) => [
      path,
      this.#isWindows ? text.replaceAll("\n", "\r\n") : text,
    ]);
    const id = project.commit(subject, Object.fromEntries(ended) as Record<string, string>);
    this.#note(id);
  }

  #note(id: string): void {
    this.commits.push({
      id,
      time: this.project.time,
      contractPath: this.#contractPath,
      // Vyper's are named by their files.
      contractName: this.#dialect.ending === ".vy" ? basename(this.#contractPath, ".vy") : "Vault",
      installed: this.#version,
      submodule: this.project.git("rev-parse", "HEAD:lib/tokens"),
    });
  }

  #install(): void {
    this.installNow(this.#version);
    const entry = { "node_modules/@acme/math": { version: this.#version } };
    this.project.write({ "package-lock.json": JSON.stringify({ lockfileVersion: 3, packages: entry }) });
  }

  #changeLimit(): void {
    this.#limit = 100 + this.#random.below(10_000);
    this.#commit("Change the limit");
  }

  #changeComment(): void {
    this.#comment++;
    this.#commit("Change a remark");
  }

  #addFunction(): void {
    this.#extra += this.#random.below(3) === 0 && this.#extra > 0 ? -1 : 1;
    this.#commit("Change the functions");
  }

  #unrelated(): void {
    this.project.write({
      [`docs/${this.#number++}.md`]: "text\n",
      [`${this.#dialect.sources}/Other.sol`]: `${PRAGMA}contract Other { uint256 x${this.#number}; }\n`,
    });
    this.#commit("Write documentation");
  }

  #changeSettings(): void {
    this.#runs = this.#random.oneOf([1, 200, 1_000, 10_000]);
    this.#commit("Change the optimizer");
  }

  #rename(): void {
    const to = this.#source(`Limits${this.#number++}`);
    renameSync(join(this.project.root, this.#limitsPath), join(this.project.root, to));
    this.#limitsPath = to;
    this.#commit("Rename the limits");
  }

  #move(): void {
    const to = this.#source(this.#random.oneOf(["Vault", "vaults/Vault", "TheVault", "core/v1/Vault"]));
    if (to === this.#contractPath) return;
    mkdirSync(dirname(join(this.project.root, to)), { recursive: true });
    renameSync(join(this.project.root, this.#contractPath), join(this.project.root, to));
    this.#contractPath = to;
    this.#commit("Move the vault");
  }

  #changeSubmodule(): void {
    const id = this.library.commit("Change the token", {
      "src/Token.sol": tokenSource(2 + this.#random.below(5)),
    });
    const place = join(this.project.root, "lib/tokens");
    this.project.git("-C", place, "fetch", "-q", "origin");
    this.project.git("-C", place, "checkout", "-q", id);
    this.#commit("Update the tokens");
  }

  #changePackage(): void {
    this.#version = this.#random.oneOf(VERSIONS);
    this.#install();
    this.#commit("Update the package");
  }

  #merge(): void {
    const branch = `side${this.#number++}`;
    this.project.git("checkout", "-q", "-b", branch);
    this.#changeLimit();
    this.project.git("checkout", "-q", "main");
    this.project.commit("Meanwhile", { [`docs/${branch}.md`]: "text\n" });
    const aside = this.commits.at(-1);
    // Of what was on main meanwhile the contract is as before the branch.
    const before = this.commits.at(-2);
    if (before && aside) this.commits.push({ ...before, id: this.project.head, time: this.project.time });
    this.project.merge(branch);
    this.#note(this.project.head);
  }

  #deleteOld(): void {
    rmSync(join(this.project.root, this.#dialect.sources, "Old.sol"), { force: true });
    this.#commit("Delete what is old");
  }

  #turnLineEnds(): void {
    this.#isWindows = !this.#isWindows;
    this.#commit("Turn the line ends");
  }
}

function tokenSource(step: number): string {
  return `${PRAGMA}abstract contract Token { uint256 public total; function mint() external { total += ${step}; } }\n`;
}

/** A path as an import in a file writes it. */
function seenFrom(file: string, path: string): string {
  const way = relative(dirname(file), path);
  return way.startsWith(".") ? way : `./${way}`;
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** A copy of a repository, as it lies there. */
export function copied(root: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "copy-")));
  cpSync(root, folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}
