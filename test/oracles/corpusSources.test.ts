import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, it } from "node:test";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { UnresolvedImportError } from "../../src/core/languages/solidity/solidityClosure.ts";
import type { CompilerInput } from "../../src/core/sources/standardJsonInput.ts";
import { LedgerLensError } from "../../src/core/errors.ts";
import { proofSize } from "../rig/proofSize.ts";
import { random, type Random } from "../unit/random.ts";
import { LIBRARIES, LIBRARY_REMAPPINGS, libraryFiles, type LibraryFile } from "./corpus.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { oraclePackages } from "./oraclePackages.ts";
import { overlaidFolders } from "./overlaidFolders.ts";
import { hashesIn, hashesOf } from "./sourceHashes.ts";
import { errorsOf, solcPackages, SolcThreads, type SolcOutput } from "./solcPackages.ts";

/** Files that are drawn of each library in each project; `CORPUS=all` takes them all, in some minutes. */
const DRAWN = process.env["CORPUS"] === "all" ? Infinity : proofSize({ sample: 4, whole: 32 });

/** Contracts that have to be compared of so many files. */
const MIN_COMPARED = proofSize({ sample: 16, whole: 120 });

/** Files that solc is given at once. */
const TOGETHER = 40;

/** A project that uses the libraries: what its tool is told. The libraries are in its `node_modules`. */
interface ProjectSetUp {
  readonly tool: string;
  readonly files: Readonly<Record<string, string>>;
  /** The source unit name of a library's file. */
  readonly nameOf: (path: string) => string;
  readonly remappings: readonly string[];
}

/** What was derived for a contract, or how it was refused. */
interface Derived {
  readonly file: LibraryFile;
  readonly contract: string;
  readonly input?: CompilerInput;
  readonly refusal?: LedgerLensError;
}

const packages = await oraclePackages();
const solcs = solcPackages(packages);
const threads = new SolcThreads(solcs);

function setUps(): readonly ProjectSetUp[] {
  const compilers = [...solcs.keys()].map((version) => `{ version: "${version}" }`).join(", ");
  return [
    {
      tool: "Hardhat 2",
      files: {
        "hardhat.config.js": `module.exports = { solidity: { compilers: [${compilers}] } };\n`,
        "package.json": `{ "devDependencies": { "hardhat": "^2.29.1" } }\n`,
      },
      nameOf: (path) => path,
      remappings: [],
    },
    {
      tool: "Foundry",
      files: {
        "foundry.toml": `[profile.default]\nlibs = ["node_modules"]\nauto_detect_remappings = false\nremappings = ${JSON.stringify(LIBRARY_REMAPPINGS)}\n`,
      },
      nameOf: (path) => `node_modules/${path}`,
      remappings: LIBRARY_REMAPPINGS,
    },
  ];
}

async function derive({ files }: ProjectSetUp, drawn: readonly LibraryFile[]): Promise<Derived[]> {
  const laid = Object.fromEntries(Object.entries(files).map(([name, text]) => [join(packages, name), text]));
  const reader = overlaidFolders(diskFiles, { files: laid });
  const derived: Derived[] = [];
  for (const file of drawn) {
    for (const contract of file.contracts) {
      try {
        const named = `node_modules/${file.path}:${contract}`;
        const found = await findWorkspaceContract(reader, [packages], named);
        const input = await contractInput(reader, [packages], found, { sources: ["derived"] });
        derived.push({ file, contract, input });
      } catch (error) {
        if (!(error instanceof LedgerLensError)) throw error;
        derived.push({ file, contract, refusal: error });
      }
    }
  }
  return derived;
}

/** Compiles files with one solc, which asks for the rest itself; what one file breaks is compiled without it. */
async function compileFiles(
  version: string,
  paths: readonly string[],
  { nameOf, remappings }: ProjectSetUp,
  together = TOGETHER,
): Promise<Map<string, SolcOutput>> {
  const outputs = new Map<string, SolcOutput>();
  const groups = Array.from({ length: Math.ceil(paths.length / together) }, (_, at) =>
    paths.slice(at * together, (at + 1) * together),
  );
  for (let group = groups.shift(); group; group = groups.shift()) {
    const sources = group.map((path) => {
      const content = readFileSync(join(packages, "node_modules", path), "utf8");
      return [nameOf(path), { content }] as const;
    });
    // Metadata alone needs no code generation.
    const settings = { remappings, outputSelection: { "*": { "*": ["metadata"] } } };
    const output = await threads.compile(version, {
      input: { language: "Solidity", sources: Object.fromEntries(sources), settings },
      lookIn: [packages, join(packages, "node_modules")],
    });
    const half = group.length >> 1;
    if (half > 0 && errorsOf(output).length > 0) groups.unshift(group.slice(0, half), group.slice(half));
    else for (const path of group) outputs.set(path, output);
  }
  return outputs;
}

/** The release that a file insists on. */
function exactPragma({ path }: LibraryFile): string | undefined {
  const text = readFileSync(join(packages, "node_modules", path), "utf8");
  return /^pragma solidity =?(\d+\.\d+\.\d+);/m.exec(text)?.[1];
}

function draw<T>(dice: Random, items: readonly T[], count: number): T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (left.length > 0 && drawn.length < count) drawn.push(...left.splice(dice.below(left.length), 1));
  return drawn;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function counted(items: readonly string[]): string {
  const groups = groupBy(items, (item) => item);
  return [...groups].map(([item, { length }]) => `${item} ${length}`).join(", ") || "none";
}

describe("The contracts of widely used libraries", () => {
  const dice = random("libraries");
  afterEach(() => threads.stop());
  for (const setUp of setUps()) {
    it(`have in a ${setUp.tool} project the sources that solc names in their metadata`, async () => {
      const drawn = Object.keys(LIBRARIES).flatMap((library) =>
        draw(dice, libraryFiles(packages, library), DRAWN),
      );
      const derived = await derive(setUp, drawn);
      const shortVersion = ({ input }: Derived) => input?.compilerVersion.split("+")[0] ?? "";
      const same: string[] = [];
      const absent: string[] = [];
      const broken: string[] = [];
      for (const [version, ones] of groupBy(derived, shortVersion)) {
        if (version === "") continue;
        if (!solcs.has(version)) {
          absent.push(...ones.map(() => version));
          continue;
        }
        const outputs = await compileFiles(version, [...new Set(ones.map(({ file }) => file.path))], setUp);
        await threads.stop();
        for (const { file, contract, input } of ones) {
          const output = outputs.get(file.path);
          const metadata = output?.contracts?.[setUp.nameOf(file.path)]?.[contract]?.metadata;
          if (metadata === undefined || !input) {
            const [reason = `no contract ${contract}`] = errorsOf(output ?? {});
            broken.push(`${file.path}:${contract} by solc ${version}: ${reason}`);
            continue;
          }
          assert.equal(input.contractIdentifier, `${setUp.nameOf(file.path)}:${contract}`);
          assert.deepEqual(hashesOf(input.stdJsonInput), hashesIn(metadata), input.contractIdentifier);
          same.push(file.library);
        }
      }
      console.log(`${setUp.tool}: ${same.length} contracts have solc's sources (${counted(same)})`);
      console.log(`  not compared, as the pragma asks for a solc that is not here: ${counted(absent)}`);
      for (const one of broken) console.log(`  not compared, as solc rejects it: ${one}`);
      assert.ok(same.length >= MIN_COMPARED, `only ${same.length} contracts were compared`);
      for (const library of Object.keys(LIBRARIES)) assert.ok(same.includes(library), library);
      // A library that says it compiles by any newer solc, and does not.
      assert.deepEqual(
        broken.filter((one) => !one.startsWith("@uniswap/v3-core/contracts/libraries/TickBitmap.sol")),
        [],
      );
    });

    it(`are refused in a ${setUp.tool} project for the imports that solc does not find either`, async () => {
      const drawn = ["@uniswap/v4-core", "@chainlink/contracts"].flatMap((library) =>
        draw(dice, libraryFiles(packages, library), DRAWN),
      );
      const refused = (await derive(setUp, drawn)).filter(
        ({ refusal }) => refusal instanceof UnresolvedImportError,
      );
      const named = groupBy(refused, ({ file }) => exactPragma(file) ?? "0.8.37");
      let compared = 0;
      for (const [version, ones] of named) {
        if (!solcs.has(version)) continue;
        const outputs = await compileFiles(
          version,
          [...new Set(ones.map(({ file }) => file.path))],
          setUp,
          1,
        );
        for (const { file, refusal } of ones) {
          const errors = errorsOf(outputs.get(file.path) ?? {});
          // A file that solc does not read for its pragma is not followed any further.
          if (errors.some((message) => message.includes("requires different compiler version"))) continue;
          const missing = errors.flatMap((message) => /^Source "(.+?)" not found/.exec(message)?.[1] ?? []);
          const ours = refusal instanceof UnresolvedImportError ? refusal.imports : [];
          assert.deepEqual(new Set(ours.map(({ name }) => name)), new Set(missing), file.path);
          compared++;
        }
      }
      console.log(
        `${setUp.tool}: ${compared} contracts of ${refused.length} are refused as solc refuses them`,
      );
      if (refused.length > 10) assert.ok(compared > refused.length / 4, "most refusals were compared");
    });
  }
});
