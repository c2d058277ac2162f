import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";
import { after, before, describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { rememberedDisk } from "../../rig/rememberedDisk.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { relativePath } from "../../../src/core/files/fileReader.ts";
import { skippedFiles } from "../../../src/core/files/skippedFiles.ts";
import { walkFiles } from "../../../src/core/files/walk.ts";
import { rememberingReader } from "../../../src/core/files/folderReader.ts";
import { workspaceDeployments } from "../../../src/core/workspace/workspaceDeployments.ts";
import { readLocalBuild } from "../../../src/core/compilerInput/localBuildReader.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import { WorkspaceIndex } from "../../../src/core/workspace/workspaceIndex.ts";
import { proofSize } from "../../rig/proofSize.ts";
import {
  innocentSource,
  putHostileFile,
  requireHarmless,
  requireNothingHappened,
  requireSentence,
  sampleOfCells,
  SECRET,
  writeProject,
  type HostileCell,
  type HostileProject,
} from "./hostileCells.ts";
import { HOSTILE_FORMATS, type HostileFormat } from "./hostileFormats.ts";
import { HOSTILE_VALUES } from "./hostileValues.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";

/** Far more than any cell takes; a hang takes for ever. */
const LONGEST_MS = 30_000;

let place = "";
let outside = "";
before(async () => {
  place = await mkdtemp(join(tmpdir(), "ledger-lens-hostile-"));
  outside = join(place, "elsewhere.json");
  await writeFile(outside, JSON.stringify({ token: SECRET }));
});
after(() => rm(place, { recursive: true, force: true }));

/** What the job of a workspace comes to. */
interface Outcome {
  readonly input?: CompilerInput;
  readonly error?: LedgerLensError;
  /** The names of what was left out. */
  readonly named: readonly string[];
}

/** All that commands do with a folder and need no network for. */
async function job(root: string, contract: string, options: ContractInputOptions = {}): Promise<Outcome> {
  const named = new Set<string>();
  const reader = rememberingReader(rememberedDisk);
  const index = new WorkspaceIndex({
    files: rememberedDisk,
    folders: () => [root],
    finder: {
      find: async (include, exclude) =>
        (await walkFiles(reader, root, "")).filter((path) => {
          const name = relativePath(path, root) ?? "";
          return matchesGlob(name, include) && !matchesGlob(name, exclude);
        }),
    },
  });
  const contracts = await index.contracts();
  await index.members("function", "0xa9059cbb");
  await workspaceDeployments(reader, [root], contracts);
  for (const { path } of skippedFiles(reader)) named.add(path);
  try {
    const found = await findWorkspaceContract(rememberedDisk, [root], contract);
    const input = await contractInput(rememberedDisk, [root], found, options);
    for (const { path } of input.findings) if (path !== undefined) named.add(path);
    await predict(
      { deployedCode: "0x6001600155", localBuild: await readLocalBuild(rememberedDisk, input) },
      () => Promise.resolve(undefined),
    );
    return { input, named: [...named] };
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    return { error, named: [...named] };
  }
}

function projectOf(format: HostileFormat, at: string): Promise<HostileProject> {
  return writeProject(format, join(place, at), join(place, `${at}.ran`));
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It does not end.")), LONGEST_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function requireInnocent(input: CompilerInput): void {
  const name = input.contractIdentifier.slice(0, input.contractIdentifier.lastIndexOf(":"));
  const isOlder = input.changedSinceBuild.length > 0;
  if (!isOlder && !name.endsWith(".fe"))
    assert.equal(input.stdJsonInput.sources[name]?.content, innocentSource(name));
  requireHarmless(input.stdJsonInput, input.wholeBuild);
  for (const { sentence } of input.findings) assert.doesNotMatch(sentence, /\n|undefined|\[object/);
}

async function check(cell: HostileCell, at: string, without: Outcome): Promise<void> {
  const { format, file } = cell;
  const project = await projectOf(format, at);
  const { root } = project;
  const path = join(root, format.path);
  await putHostileFile(cell, root, outside);
  const outcome = await within(job(root, format.contract));
  if (outcome.error) requireSentence(outcome.error);
  if (outcome.input) requireInnocent(outcome.input);
  assert.ok(
    outcome.input ?? (format.isConfiguration === true || without.error),
    `${outcome.error?.message ?? ""} (${outcome.error?.code ?? ""})`,
  );
  if (file.isUnreadable && format.isNamed) {
    assert.ok(
      outcome.named.includes(path) || outcome.error?.message.includes(format.path),
      "it is not named",
    );
    if (!format.isConfiguration) assert.deepEqual(outcome.input?.stdJsonInput, without.input?.stdJsonInput);
  }
  requireNothingHappened(project);
  await rm(root, { recursive: true, force: true });
}

describe(
  "A hostile workspace",
  { skip: process.platform === "win32" && "it has no devices in folders" },
  () => {
    const chosen = sampleOfCells("hostile workspaces", proofSize({ sample: 50, whole: Infinity }));

    for (const [number, format] of HOSTILE_FORMATS.entries()) {
      const own = chosen.filter((cell) => cell.format === format);
      it(`with ${format.name} in ${own.length} ways`, async () => {
        const { root } = await projectOf(format, `${number}`);
        const without = await job(root, format.contract);
        for (const [at, cell] of own.entries()) {
          try {
            await check(cell, `${number}-${at}`, without);
          } catch (error) {
            throw new Error(`${format.name}: ${cell.what}`, { cause: error });
          }
        }
      });
    }
  },
);

describe("Settings of the workspace for a folder without a tool", () => {
  it("are taken as far as a compiler would take them", async () => {
    const format = HOSTILE_FORMATS.find(({ name }) => name.startsWith("metadata of Remix"));
    assert.ok(format);
    const { root } = await projectOf(format, "settings");
    let count = 0;
    for (const key of [
      "remappings",
      "optimizer",
      "evmVersion",
      "viaIR",
      "libraries",
      "metadata",
      "__proto__",
    ])
      for (const [name, value] of HOSTILE_VALUES) {
        count++;
        const outcome = await job(root, format.contract, {
          defaultSettings: Object.fromEntries([[key, value]]),
        });
        assert.ok(outcome.input, `${key} is ${name}: ${outcome.error?.message ?? ""}`);
        requireInnocent(outcome.input);
      }
    console.log(`settings: ${count} cells`);
  });
});
