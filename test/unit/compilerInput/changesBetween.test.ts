import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { diskFiles } from "../../../src/core/files/diskFiles.ts";
import { openFile } from "../../../src/core/files/fileReader.ts";
import type { FolderReader } from "../../../src/core/files/folderReader.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { openedDisk } from "../../rig/rememberedDisk.ts";
import { random, type Random } from "../random.ts";

/** What a file may be, in turn; texts of one length are hardest to tell apart. */
type Variants = readonly [string, ...string[]];

interface ChangingProject {
  readonly name: string;
  readonly files: Readonly<Record<string, Variants>>;
  /** Folders that are exchanged. */
  readonly folders: readonly (readonly [string, string])[];
  readonly contracts: readonly [string, ...string[]];
}

const A = "import {X} from './X.sol'; contract A {}";
const record = (format: string, a: string, version = "0.8.20") =>
  JSON.stringify({
    _format: format,
    solcVersion: version,
    input: {
      language: "Solidity",
      sources: { "src/A.sol": { content: a }, "src/X.sol": { content: "contract X {}" } },
      settings: {},
    },
    output: { contracts: { "src/A.sol": { A: { metadata: version, evm: {} } } } },
  });
const OWN: Readonly<Record<string, Variants>> = {
  "src/A.sol": [
    A,
    A.replace("{}", "{ }").replace(" {X}", "{X}"),
    A.replace("X.sol", "Y.sol"),
    "contract A {}",
  ],
  "src/X.sol": ["contract X {}", "contract Y {}", "contract X{ }", "pragma solidity ^0.8.0;"],
  "src/Y.sol": ["import 'dep/D.sol'; contract X {}", "import 'dap/D.sol'; contract X {}"],
  "src/deep/B.sol": ["pragma solidity 0.8.19; contract B {}", "pragma solidity 0.8.18; contract B {}"],
};
const HARDHAT_PACKAGES: Readonly<Record<string, Variants>> = {
  "node_modules/dep/package.json": ['{"name":"dep","version":"1.0.0"}', '{"name":"dep","version":"2.0.0"}'],
  "node_modules/dep/D.sol": ["contract D {}", "contract E {}", 'import "dap/D.sol"; contract D {}'],
  "node_modules/dap/package.json": ['{"name":"dap","version":"1.0.0"}', '{"name":"dup","version":"1.0.0"}'],
  "node_modules/dap/D.sol": ["contract F {}", "contract G {}"],
};
const SWAPPED_PACKAGES = [
  ["node_modules/dep", "node_modules/dap"],
  ["src/deep", "elsewhere"],
] as const;

const PROJECTS: readonly ChangingProject[] = [
  {
    name: "Foundry",
    contracts: ["src/A.sol:A", "src/deep/B.sol:B"],
    files: {
      ...OWN,
      "foundry.toml": [
        "[profile.default]",
        "[profile.default]\nvia_ir = true",
        "[profile.default]\nsolc = '0.8.20'",
      ],
      "remappings.txt": ["dep/=lib/one/src/", "dep/=lib/two/src/", "dap/=lib/two/src/"],
      "lib/one/src/D.sol": ["contract D {}", "contract E {}"],
      "lib/two/src/D.sol": ["contract F {}", "contract G {}"],
      "lib/dap/contracts/D.sol": ["contract H {}", "contract I {}"],
      "lib/two/foundry.toml": ["[profile.default]\nsrc='src'", "[profile.default]\nsrc='sol'"],
      "lib/two/remappings.txt": ["dap/=src/", "dip/=src/"],
    },
    folders: [
      ["lib/one", "lib/two"],
      ["lib/one/src", "lib/two/src"],
      ["src/deep", "elsewhere"],
    ],
  },
  {
    name: "Foundry with records",
    contracts: ["src/A.sol:A"],
    files: {
      ...OWN,
      "foundry.toml": ["[profile.default]", "[profile.default]\nout = 'dist'"],
      "lib/dep/src/D.sol": ["contract D {}", "contract E {}"],
      "out/build-info/1.json": [
        record("ethers-rs-sol-build-info-1", A),
        record("ethers-rs-sol-build-info-1", A, "0.8.21"),
        record("ethers-rs-sol-build-info-1", A.replace("{}", "{ }").replace(" {X}", "{X}")),
        "{",
      ],
      "dist/build-info/1.json": [record("ethers-rs-sol-build-info-1", A, "0.8.24")],
    },
    folders: [
      ["out", "dist"],
      ["out/build-info", "dist/build-info"],
    ],
  },
  {
    name: "Hardhat 2 with a record",
    contracts: ["src/A.sol:A", "src/deep/B.sol:B"],
    files: {
      ...OWN,
      ...HARDHAT_PACKAGES,
      "hardhat.config.js": [
        'module.exports = { solidity: "0.8.20", paths: { sources: "src" } };',
        'module.exports = { solidity: "0.8.19", paths: { sources: "src" } };',
      ],
      "artifacts/build-info/1.json": [
        record("hh-sol-build-info-1", A),
        record("hh-sol-build-info-1", A, "0.8.21"),
        record("hh-sol-build-info-1", A.replace("X.sol", "Y.sol")),
      ],
      "artifacts/src/A.sol/A.dbg.json": ['{"buildInfo":"../../build-info/1.json"}', "{}"],
    },
    folders: SWAPPED_PACKAGES,
  },
  {
    name: "Hardhat 3",
    contracts: ["src/A.sol:A", "src/deep/B.sol:B"],
    files: {
      ...OWN,
      ...HARDHAT_PACKAGES,
      "package.json": ['{"name":"p","type":"module"}'],
      "node_modules/hardhat/package.json": ['{"name":"hardhat","version":"3.0.0"}'],
      "hardhat.config.ts": [
        'export default { solidity: { compilers: [{ version: "0.8.20" }, { version: "0.8.19" }] }, paths: { sources: "src" } };',
        'export default { solidity: { compilers: [{ version: "0.8.28" }, { version: "0.8.18" }] }, paths: { sources: "src" } };',
      ],
    },
    folders: SWAPPED_PACKAGES,
  },
  {
    name: "Ape",
    contracts: ["src/a.vy:a"],
    files: {
      "ape-config.yaml": ["vyper:\n  version: 0.4.0\n", "vyper:\n  version: 0.4.3\n"],
      "src/a.vy": ["from mate import m\n", "from mate import n\n", "import src.b as b"],
      "src/b.vy": ["x: uint256", "y: uint256"],
      ".venv/pyvenv.cfg": ["version = 3.11.2"],
      ".venv/lib/python3.11/site-packages/mate/m.vy": ["import src.b as b", "import src.c as b"],
      ".venv/lib/python3.11/site-packages/mate/n.vy": ["x: uint128", "x: uint160"],
    },
    folders: [[".venv/lib/python3.11/site-packages/mate", "src"]],
  },
];

/** A project on a disk, and what happens to it. */
class Changes {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "changes-")));
  readonly #project: ChangingProject;
  readonly #random: Random;

  constructor(project: ChangingProject, random: Random) {
    this.#project = project;
    this.#random = random;
    this.restore();
  }

  contract(): string {
    return this.#random.pick(this.#project.contracts);
  }

  /** Makes everything as it was in the beginning. */
  restore(): string {
    for (const name of readdirSync(this.root)) rmSync(join(this.root, name), { recursive: true });
    for (const [path, [first]] of Object.entries(this.#project.files)) this.#write(path, first);
    return "restore all";
  }

  /** Does one thing, and says what. */
  change(): string {
    // So many changes break most projects.
    if (this.#random.below(6) === 0) return this.restore();
    const path = this.#random.oneOf(Object.keys(this.#project.files));
    const text = this.#random.pick(this.#project.files[path] ?? [""]);
    const place = join(this.root, path);
    // A link in a circle has none, either.
    const before = existsSync(place) ? statSync(place) : undefined;
    const keepTime = (file: string) => before && utimesSync(file, before.atime, before.mtime);
    try {
      switch (this.#random.below(11)) {
        case 0:
          rmSync(place, { force: true });
          return `delete ${path}`;
        case 1:
          this.#write(path, text);
          keepTime(place);
          return `write ${path}, its time kept`;
        case 2:
          this.#write(`${path}.new`, text);
          keepTime(`${place}.new`);
          renameSync(`${place}.new`, place);
          return `put another file in the place of ${path}, its time kept`;
        case 3:
          this.#write(`${path}.target`, text);
          rmSync(place, { force: true });
          symlinkSync(`${place}.target`, place);
          return `link ${path}`;
        case 4: {
          const [one, other] = this.#random.oneOf(this.#project.folders);
          this.#exchange(one, other);
          return `exchange ${one} and ${other}`;
        }
        case 5: {
          // The same size where a text has as many of one kind of line end as of the other.
          const kept = readFileSync(place, "latin1");
          const isWindows = kept.includes("\r\n");
          writeFileSync(
            place,
            isWindows ? kept.replaceAll("\r\n", "\n") : `${kept}\n`.replaceAll("\n", "\r\n"),
          );
          keepTime(place);
          return `other line endings in ${path}, its time kept`;
        }
        case 6: {
          const other = this.#random.oneOf(Object.keys(this.#project.files));
          this.#exchange(path, other, false);
          return `exchange the files ${path} and ${other}`;
        }
        case 7: {
          const [one, other] = this.#random.oneOf(this.#project.folders);
          this.#link(one, other);
          return `a link to ${other} in the place of ${one}, or back`;
        }
        default:
          this.#write(path, text);
          return `write ${path}`;
      }
    } catch (error) {
      // A folder that is gone, or a link in a circle, is a change as well.
      if (error instanceof Error && "code" in error) return `${path}: ${String(error.code)}`;
      throw error;
    }
  }

  #write(path: string, text: string): void {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }

  /** Puts a link to a folder in the place of another one, which is kept aside; where there is one, takes it away again. */
  #link(one: string, other: string): void {
    const [place, kept] = [join(this.root, one), join(this.root, `${one}.kept`)];
    if (lstatSync(place).isSymbolicLink()) {
      rmSync(place);
      renameSync(kept, place);
    } else {
      renameSync(place, kept);
      symlinkSync(join(this.root, other), place);
    }
  }

  #exchange(one: string, other: string, areFolders = true): void {
    const [a, b, aside] = [one, other, "aside"].map((name) => join(this.root, name));
    if (a === undefined || b === undefined || aside === undefined) return;
    if (areFolders) mkdirSync(b, { recursive: true });
    renameSync(a, aside);
    renameSync(b, a);
    renameSync(aside, b);
  }
}

/** The disk, and how many files were opened. */
function counted(files: FolderReader): { readonly files: FolderReader; readonly opened: () => number } {
  let opened = 0;
  return {
    files: { ...files, open: (path, largest) => (opened++, openFile(files, path, largest)) },
    opened: () => opened,
  };
}

/** A disk that can't tell states apart, so that nothing is remembered of it. */
const FORGETFUL: FolderReader = {
  read: (path, largest) => diskFiles.read(path, largest),
  open: async (path, largest) => {
    const opened = await openFile(diskFiles, path, largest);
    return opened && { bytes: opened.bytes, realPath: opened.realPath };
  },
  list: (path) => diskFiles.list(path),
  realPath: (path) => diskFiles.realPath(path),
  namesInDiskOrder: (path) => diskFiles.namesInDiskOrder?.(path) ?? Promise.resolve(undefined),
  modified: (path) => diskFiles.modified?.(path) ?? Promise.resolve(undefined),
};

/** The input, or why there is none. */
async function made(files: FolderReader, root: string, contract: string): Promise<unknown> {
  try {
    const found = await findWorkspaceContract(files, [root], contract);
    return await contractInput(files, [root], found);
  } catch (error) {
    if (error instanceof LedgerLensError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("Files that change between two inputs", () => {
  const roots: string[] = [];
  after(() => roots.forEach((root) => rmSync(root, { recursive: true, force: true })));

  describe("behind the back of what is remembered", () => {
    const A_TOO = "contract  A {}";
    const same = "contract A { }";
    assert.equal(A_TOO.length, same.length);
    /** What a file was is put in its place again, its times, too, as far as a program can. */
    const disguised = (place: string, change: () => void) => {
      const { atime, mtime } = statSync(place);
      change();
      utimesSync(place, atime, mtime);
    };
    const ways: Readonly<Record<string, (root: string) => void>> = {
      "another text of the same size and time": (root) =>
        disguised(join(root, "src/A.sol"), () => writeFileSync(join(root, "src/A.sol"), same)),
      "another file in its place, of the same size and time": (root) =>
        disguised(join(root, "src/A.sol"), () => {
          writeFileSync(join(root, "A.new"), same);
          renameSync(join(root, "A.new"), join(root, "src/A.sol"));
        }),
      "a link to another file in its place": (root) => {
        writeFileSync(join(root, "src/Other.sol"), same);
        rmSync(join(root, "src/A.sol"));
        symlinkSync(join(root, "src/Other.sol"), join(root, "src/A.sol"));
      },
      "a link to another folder in the place of its own": (root) => {
        // The very same file is there, elsewhere: only where it lies has changed.
        renameSync(join(root, "src"), join(root, "..", `${basename(root)}-outside`));
        symlinkSync(join(root, "..", `${basename(root)}-outside`), join(root, "src"));
      },
      "two linked folders exchanged": (root) => {
        rmSync(join(root, "lib/linked"));
        symlinkSync(join(root, "lib/two"), join(root, "lib/linked"));
      },
      "line feeds for the line ends of Windows": (root) =>
        disguised(join(root, "src/X.sol"), () => writeFileSync(join(root, "src/X.sol"), "contract X {}\n  ")),
      "another remapping of the same size and time": (root) =>
        disguised(join(root, "remappings.txt"), () =>
          writeFileSync(join(root, "remappings.txt"), "dep/=lib/two/src/\n"),
        ),
    };
    const files = {
      "foundry.toml": "[profile.default]\nsolc = '0.8.20'\n",
      "remappings.txt": "dep/=lib/one/src/\n",
      "src/A.sol": A_TOO,
      "src/X.sol": "contract X {}\r\n ",
      "src/B.sol":
        "import './A.sol'; import './X.sol'; import 'dep/D.sol'; import '../lib/linked/src/D.sol'; contract B {}",
      "lib/one/src/D.sol": "contract D {}",
      "lib/two/src/D.sol": "contract E {}",
    };
    for (const [way, change] of Object.entries(ways))
      it(`is seen: ${way}`, async () => {
        const root = realpathSync(mkdtempSync(join(tmpdir(), "changes-")));
        roots.push(root, `${root}-outside`);
        for (const [path, text] of Object.entries(files)) {
          mkdirSync(dirname(join(root, path)), { recursive: true });
          writeFileSync(join(root, path), text);
          // In whole seconds, which can be set again to the last digit.
          utimesSync(join(root, path), 1_700_000_000, 1_700_000_000);
        }
        symlinkSync(join(root, "lib/one"), join(root, "lib/linked"));
        // Now every state is settled, so that it is remembered.
        await setTimeout(150);
        const windows = [openedDisk(), openedDisk()].map(counted);
        const all = () => Promise.all(windows.map((window) => made(window.files, root, "src/B.sol:B")));
        const before = await made(FORGETFUL, root, "src/B.sol:B");
        assert.deepEqual(await all(), [before, before]);
        const opened = windows.map((window) => window.opened());
        assert.deepEqual(await all(), [before, before]);
        for (const [at, window] of windows.entries())
          assert.ok(window.opened() < 2 * (opened[at] ?? 0), "nothing was remembered");
        change(root);
        const expected = await made(FORGETFUL, root, "src/B.sol:B");
        assert.notDeepEqual(expected, before, "the change changes nothing");
        assert.deepEqual(await all(), [expected, expected]);
      });
  });

  it("are seen as if nothing had ever been remembered", async () => {
    const numbers = random("changes between inputs");
    const cold = counted(FORGETFUL);
    // Windows on one folder, each with a memory of its own, and now and then a new one in the place of another.
    const windows = [openedDisk(), openedDisk()].map(counted);
    let opened = 0;
    const projects = PROJECTS.map((project) => ({ name: project.name, on: new Changes(project, numbers) }));
    roots.push(...projects.map(({ on }) => on.root));
    const done = projects.map((): string[] => []);
    let [inputs, asked] = [0, 0];
    const steps = proofSize({ sample: 4, whole: 600 });
    for (let step = 0; step < steps; step++) {
      // Now and then the clock of the file system goes on, so that files are settled; the other times they are not.
      const isPause = numbers.below(2) === 0;
      if (isPause) await setTimeout(120);
      for (const [at, { name, on }] of projects.entries()) {
        for (let change = isPause ? 0 : numbers.below(3); change > 0; change--) done[at]?.push(on.change());
        const contract = on.contract();
        const expected = await made(cold.files, on.root, contract);
        if (typeof expected !== "string") inputs++;
        const window = numbers.below(windows.length);
        if (numbers.below(20) === 0) {
          opened += windows[window]?.opened() ?? 0;
          windows[window] = counted(openedDisk());
        }
        // One alone, or both at once.
        const asking = numbers.below(3) === 0 ? windows : windows.slice(window, window + 1);
        const answers = await Promise.all(asking.map(({ files }) => made(files, on.root, contract)));
        asked += answers.length;
        const story = `${name}, ${contract} after: ${done[at]?.slice(-12).join("; ") ?? ""}`;
        for (const found of answers) assert.deepEqual(found, expected, story);
      }
    }
    for (const window of windows) opened += window.opened();
    const [perInput, perColdInput] = [opened / asked, cold.opened() / (done.length * steps)];
    console.log(
      `${inputs} inputs among changes; files opened for each: ${perInput.toFixed(1)} against ${perColdInput.toFixed(1)}`,
    );
    assert.ok(perInput < perColdInput, "nothing was remembered");
  });
});
