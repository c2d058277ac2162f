import { contractInput } from "../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../src/core/sources/standardJsonInput.ts";
import { rememberedDisk } from "../test/rig/rememberedDisk.ts";
import { numbers, writeAll, type BenchedLayout } from "./inputProjects.ts";

/** A contract and its input. */
interface Built {
  readonly path: string;
  readonly name: string;
  readonly input: CompilerInput;
}

const COMPILER = { solcVersion: "0.8.28", solcLongVersion: "0.8.28+commit.7893614a" };
/** What fills a record up. */
const NODE = { id: 1, nodeType: "Identifier", src: "1:2:3", name: "yyyyyyyy" };

/**
 * Writes the records of a build of all contracts as their tool does, with the artifacts that name them, filled up to so
 * many bytes with syntax trees as the compiler writes them.
 */
export async function writeRecord(
  root: string,
  layout: BenchedLayout,
  contracts: readonly string[],
  bytes: number,
): Promise<void> {
  const built: Built[] = [];
  for (const contract of contracts) {
    const found = await findWorkspaceContract(rememberedDisk, [root], contract);
    const [path = "", name = ""] = contract.split(":");
    built.push({ path, name, input: await contractInput(rememberedDisk, [root], found) });
  }
  const sources = Object.assign({}, ...built.map(({ input }) => input.stdJsonInput.sources)) as object;
  const input = { language: "Solidity", sources, settings: built[0]?.input.stdJsonInput.settings };
  const compiled = outputsOf(built);
  const besides = JSON.stringify({ input, compiled }).length;
  const count = Math.max(0, Math.floor((bytes - besides) / JSON.stringify(NODE).length));
  const output = {
    contracts: compiled,
    sources: { all: { ast: Array.from({ length: count }, () => NODE) } },
  };
  const files =
    layout.name === "Hardhat 2"
      ? hardhat2Files(built, input, output)
      : layout.name === "Hardhat 3"
        ? hardhat3Files(built, input, output)
        : foundryFiles(built, input, output);
  const texts = Object.entries(files).map(([path, json]) => [path, JSON.stringify(json)] as const);
  await writeAll(root, Object.fromEntries(texts));
}

function outputsOf(built: readonly Built[]): object {
  const random = numbers();
  const compiled: Record<string, Record<string, unknown>> = {};
  for (const { name, input } of built) {
    const { settings, sources } = input.stdJsonInput;
    const code = { object: "60".repeat(1_000 + random(12_000)), opcodes: "", sourceMap: "" };
    const metadata = JSON.stringify({ settings, sources: Object.keys(sources) });
    (compiled[unitOf(input)] ??= {})[name] = {
      abi: [],
      metadata,
      evm: { bytecode: code, deployedBytecode: code },
    };
  }
  return compiled;
}

/** The source unit name of the contract. */
function unitOf({ contractIdentifier }: CompilerInput): string {
  return contractIdentifier.slice(0, contractIdentifier.lastIndexOf(":"));
}

type Files = Record<string, object>;

function hardhat2Files(built: readonly Built[], input: object, output: object): Files {
  const record = { _format: "hh-sol-build-info-1", ...COMPILER, input, output };
  const files: Files = { "artifacts/build-info/1.json": record };
  for (const { path, name } of built) {
    const artifact = { contractName: name, sourceName: path, abi: [] };
    files[`artifacts/${path}/${name}.json`] = { _format: "hh-sol-artifact-1", ...artifact };
    const buildInfo = `${"../".repeat(path.split("/").length)}build-info/1.json`;
    files[`artifacts/${path}/${name}.dbg.json`] = { _format: "hh-sol-dbg-1", buildInfo };
  }
  return files;
}

function hardhat3Files(built: readonly Built[], input: object, output: object): Files {
  const userSourceNameMap = Object.fromEntries(built.map((one) => [one.path, unitOf(one.input)]));
  const record = { _format: "hh3-sol-build-info-1", ...COMPILER, input, userSourceNameMap };
  const files: Files = {
    "artifacts/build-info/1.json": record,
    "artifacts/build-info/1.output.json": { _format: "hh3-sol-build-info-output-1", output },
  };
  for (const { path, name } of built) {
    const artifact = { contractName: name, sourceName: path, abi: [], buildInfoId: "1" };
    files[`artifacts/${path}/${name}.json`] = { _format: "hh3-artifact-1", ...artifact };
  }
  return files;
}

function foundryFiles(built: readonly Built[], input: object, output: object): Files {
  const record = { _format: "ethers-rs-sol-build-info-1", ...COMPILER, source_id_to_path: {}, input, output };
  const index: Record<string, { artifacts: Record<string, object> }> = {};
  const files: Files = {
    "out/build-info/1.json": record,
    "cache/solidity-files-cache.json": { files: index },
  };
  for (const { path, name } of built) {
    files[`out/${path.slice(path.lastIndexOf("/") + 1)}/${name}.json`] = { abi: [] };
    (index[path] ??= { artifacts: {} }).artifacts[name] = { "0.8.28": { default: { build_id: "1" } } };
  }
  return files;
}
