import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import type { CompilerInput, InputSource } from "../../src/core/sources/standardJsonInput.ts";
import type { FolderReader } from "../../src/core/files/folderReader.ts";
import { proofSize } from "../rig/proofSize.ts";
import { random } from "../unit/random.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import {
  build,
  builtContracts,
  OUTPUTS,
  writeLibraryProject,
  type BuildTool,
  type BuiltContract,
} from "./libraryProjects.ts";
import { oraclePackages } from "./oraclePackages.ts";
import { overlaidFolders } from "./overlaidFolders.ts";
import { hashesIn, hashesOf } from "./sourceHashes.ts";
import { errorsOf, solcPackages, SolcThreads, type SolcOutput } from "./solcPackages.ts";

const TOOLS: readonly [BuildTool, ...BuildTool[]] = ["Hardhat 2", "Hardhat 3", "Foundry"];
/** Each builds so many libraries for a minute: one of them in a sample, which small projects of all go beside. */
const BUILT = proofSize({
  sample: [random("which tool builds").pick(TOOLS)],
  whole: TOOLS,
});
const SOURCES: readonly InputSource[] = ["build-info", "metadata", "derived"];

/** Contracts of a project whose inputs are made, as many of each compiler as there are. */
const CONTRACTS = proofSize({ sample: 5, whole: Infinity });

/** Contracts of which each input is compiled for itself, not with those of the others. */
const ALONE = proofSize({ sample: 1, whole: 2 });

const packages = await oraclePackages();
const solcs = solcPackages(packages);
const setting = { packages, solcs };
const threads = new SolcThreads(solcs);
after(() => threads.stop());
const dice = random("contracts compiled alone");

/** The folder as it is when only one source of truth is there. */
function readerFor(source: InputSource, root: string, tool: BuildTool, built: BuiltContract): FolderReader {
  const hidden = OUTPUTS.map((folder) => join(root, folder));
  if (source === "derived") return overlaidFolders(diskFiles, { hidden });
  if (source === "build-info" || tool === "Foundry") return diskFiles;
  // Hardhat keeps metadata in its build record alone; people save it as `solc --metadata` does.
  const file = join(root, `artifacts/${built.contract}_meta.json`);
  return overlaidFolders(diskFiles, { hidden, files: { [file]: built.metadata } });
}

async function inputOf(
  source: InputSource,
  root: string,
  tool: BuildTool,
  built: BuiltContract,
): Promise<CompilerInput> {
  const reader = readerFor(source, root, tool, built);
  const contract = await findWorkspaceContract(reader, [root], `${built.path}:${built.contract}`);
  const { compiler } = JSON.parse(built.metadata) as { compiler: { version: string } };
  return contractInput(reader, [root], contract, {
    // As in the auxdata of the code on chain.
    deployedCompilerVersion: compiler.version.replace(/\+.*/, ""),
    sources: [source, "derived"],
  });
}

/**
 * True for what Hardhat 3 built with a package that is installed under another name than its own: metadata names it
 * by its own and doesn't say where it lies.
 */
function usesRenamedPackage(root: string, { metadata }: BuiltContract): boolean {
  return Object.keys(hashesIn(metadata)).some((name) => {
    const [, packageName, version] = /^npm\/((?:@[^/]+\/)?[^/@]+)@([^/]+)\//.exec(name) ?? [];
    if (packageName === undefined) return false;
    const manifest = readFileSync(join(root, "node_modules", packageName, "package.json"), "utf8");
    return (JSON.parse(manifest) as { version: string }).version !== version;
  });
}

/** The same text for settings that say the same in another order. */
function ordered(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, ordered(item)]),
  );
}

/** Inputs of one compiler with the same settings are one compilation. */
function compilationOf({ compilerVersion, stdJsonInput }: CompilerInput): string {
  const settings = { ...stdJsonInput.settings, outputSelection: undefined };
  return JSON.stringify([compilerVersion.split("+")[0], ordered(settings)]);
}

interface BuiltInput {
  readonly built: BuiltContract;
  readonly input: CompilerInput;
}

/** Compiles inputs of one compilation together and holds that solc writes the tool's metadata and code. */
async function compare(compilation: string, inputs: readonly BuiltInput[]): Promise<void> {
  const [version, settings] = JSON.parse(compilation) as [string, object];
  const sources: Record<string, object> = {};
  for (const { input } of inputs) Object.assign(sources, input.stdJsonInput.sources);
  const compile = async (output: string): Promise<SolcOutput> => {
    const input = {
      language: "Solidity",
      sources,
      settings: { ...settings, outputSelection: { "*": { "*": [output] } } },
    };
    const answer = await threads.compile(version, { input, lookIn: [] });
    assert.deepEqual(errorsOf(answer), [], `solc ${version}`);
    return answer;
  };
  const described = await compile("metadata");
  for (const { built } of inputs) {
    const { name, contract, metadata } = built;
    assert.equal(described.contracts?.[name]?.[contract]?.metadata, metadata, `${name}:${contract}`);
  }
  // Compilations of the same sources that write the same metadata differ in nothing that makes code.
  const known = JSON.stringify([version, ordered(sources), inputs.map(({ built }) => built.metadata)]);
  if (comparedCode.has(known)) return;
  comparedCode.add(known);
  const compiled = await compile("evm.bytecode.object");
  for (const { built } of inputs) {
    const { name, contract, code } = built;
    const ours = compiled.contracts?.[name]?.[contract]?.evm?.bytecode?.object;
    assert.ok(ours === code, `the code of ${name}:${contract} differs`);
  }
}

const comparedCode = new Set<string>();

/** Contracts of all the compilers that the tool used in turn, in the order in which they were. */
function chosen(contracts: readonly BuiltContract[]): BuiltContract[] {
  const versionOf = ({ metadata }: BuiltContract) =>
    (JSON.parse(metadata) as { compiler: { version: string } }).compiler.version;
  const counts = new Map<string, number>();
  const turns = contracts
    .map((built) => ({ built, order: dice.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ built }) => {
      const turn = counts.get(versionOf(built)) ?? 0;
      counts.set(versionOf(built), turn + 1);
      return { built, turn };
    })
    .sort((a, b) => a.turn - b.turn);
  const taken = new Set(turns.slice(0, CONTRACTS).map(({ built }) => built));
  return contracts.filter((one) => taken.has(one));
}

function drawn<T>(items: readonly T[], count: number): T[] {
  return Array.from({ length: count }, () => items[dice.below(items.length)]).filter(
    (item) => item !== undefined,
  );
}

for (const tool of TOOLS) {
  const skip = BUILT.includes(tool) ? false : "another tool was drawn, this one left to npm run test:long";
  describe(`A project of several libraries that ${tool} built`, { skip }, () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-libraries-")));
    let contracts: readonly BuiltContract[] = [];
    before(async () => {
      writeLibraryProject(root, tool, setting);
      await build(root, tool, setting);
      contracts = chosen(builtContracts(root, tool));
    });
    after(() => rmSync(root, { recursive: true, force: true }));

    for (const source of SOURCES) {
      it(`gives the code of its artifacts when the input comes from ${source}`, async () => {
        const inputs: BuiltInput[] = [];
        const exceptions: string[] = [];
        for (const built of contracts) {
          const input = await inputOf(source, root, tool, built);
          if (source === "metadata" && usesRenamedPackage(root, built)) {
            assert.equal(input.source, "derived");
            exceptions.push(`${input.contractIdentifier}: uses a package installed under another name`);
          } else {
            assert.equal(input.source, source);
          }
          assert.equal(input.contractIdentifier, `${built.name}:${built.contract}`);
          assert.deepEqual(hashesOf(input.stdJsonInput), hashesIn(built.metadata), input.contractIdentifier);
          inputs.push({ built, input });
        }
        const compilations = new Map<string, BuiltInput[]>();
        for (const one of inputs) {
          const compilation = compilationOf(one.input);
          compilations.set(compilation, [...(compilations.get(compilation) ?? []), one]);
        }
        for (const [compilation, ones] of compilations) await compare(compilation, ones);
        for (const one of drawn(inputs, ALONE)) await compare(compilationOf(one.input), [one]);
        console.log(`${tool}, from ${source}: ${inputs.length} contracts, ${compilations.size} compilations`);
        for (const exception of exceptions) console.log(`  derived all the same: ${exception}`);
        assert.ok(
          inputs.length >= Math.min(10, CONTRACTS) && exceptions.length < inputs.length / 4,
          "contracts were compared",
        );
      });
    }
  });
}
