import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob } from "node:path";
import { after, before, describe, it } from "node:test";
import { stringify as toToml } from "smol-toml";
import { stringify as toYaml } from "yaml";
import { contractInput, type ContractInputOptions } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/compilerInput/contractReference.ts";
import { misshapenSettings } from "../../../src/core/compilerInput/settingsShape.ts";
import type { CompilerInput } from "../../../src/core/compilerInput/standardJsonInput.ts";
import { diskFiles } from "../../../src/core/diskFiles.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { relativePath } from "../../../src/core/files.ts";
import { skippedFiles } from "../../../src/core/files/skippedFiles.ts";
import { walkFiles } from "../../../src/core/files/walk.ts";
import { rememberingReader } from "../../../src/core/projects/folderReader.ts";
import { workspaceDeployments } from "../../../src/core/projects/workspaceDeployments.ts";
import { readLocalBuild } from "../../../src/core/verification/prediction/localBuild.ts";
import { predict } from "../../../src/core/verification/prediction/predict.ts";
import { WorkspaceIndex } from "../../../src/core/workspace/workspaceIndex.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../random.ts";
import { HOSTILE_FORMATS, INNOCENT, INNOCENT_VYPER, type HostileFormat } from "./hostileFormats.ts";
import { HOSTILE_FILES, HOSTILE_VALUES, RAW, type HostileFile } from "./hostileValues.ts";

/** One file of one project, and what it is instead of what it should be. */
interface Cell {
  readonly format: HostileFormat;
  readonly what: string;
  readonly file: HostileFile;
}

const SECRET = "SECRET-that-lies-elsewhere";
/** Far more than any cell takes; a hang takes for ever. */
const LONGEST_MS = 30_000;

function written(format: HostileFormat, data: unknown): string {
  switch (format.notation) {
    case "json":
      return JSON.stringify(data, null, 2);
    case "toml":
      return toToml(data);
    case "yaml":
      return toYaml(data);
    case "script": {
      const text = JSON.stringify(data);
      const isModule = format.path.endsWith(".ts");
      const canary = 'require("fs").writeFileSync(process.env.CANARY || "pwned", "ran");\n';
      return isModule ? `import "./run";\nexport default ${text};\n` : `${canary}module.exports = ${text};\n`;
    }
    default:
      return String(data);
  }
}

/** The data with another value at the end of the names. */
function replaced(data: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(data))
    return data.map((item, at) => (String(at) === name ? replaced(item, rest, value) : (item as unknown)));
  const entries = new Map(Object.entries((data ?? {}) as Record<string, unknown>));
  entries.set(name, replaced(entries.get(name), rest, value));
  return Object.fromEntries(entries);
}

function cells(): Cell[] {
  return HOSTILE_FORMATS.flatMap((format) => [
    ...HOSTILE_FILES.map((file) => ({ format, what: file.name, file })),
    ...(format.keys ?? []).flatMap((key) =>
      HOSTILE_VALUES.flatMap(([name, value, raw]): Cell[] => {
        let text: string;
        try {
          text = written(format, replaced(format.valid, key, value));
        } catch {
          // The notation has no such value.
          return [];
        }
        const content =
          raw === undefined ? text : text.replace(`"${RAW}"`, () => raw).replace(RAW, () => raw);
        const what = `${key.join(".")} is ${name}`;
        return [
          {
            format,
            what,
            file: { name: what, isUnreadable: false, put: (path) => writeFile(path, content) },
          },
        ];
      }),
    ),
  ]);
}

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
  const reader = rememberingReader(diskFiles);
  const index = new WorkspaceIndex({
    files: diskFiles,
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
  await index.functions("0xa9059cbb");
  await workspaceDeployments(reader, [root], contracts);
  for (const { path } of skippedFiles(reader)) named.add(path);
  try {
    const found = await findWorkspaceContract(diskFiles, [root], contract);
    const input = await contractInput(diskFiles, [root], found, options);
    for (const { path } of input.findings) if (path !== undefined) named.add(path);
    await predict({ deployedCode: "0x6001600155", localBuild: await readLocalBuild(diskFiles, input) }, () =>
      Promise.resolve(undefined),
    );
    return { input, named: [...named] };
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    return { error, named: [...named] };
  }
}

async function projectOf(format: HostileFormat, at: string): Promise<{ root: string; canary: string }> {
  const root = join(place, at);
  const canary = join(place, `${at}.ran`);
  for (const [name, content] of Object.entries(format.files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content.replaceAll("CANARY", canary));
  }
  await mkdir(dirname(join(root, format.path)), { recursive: true });
  return { root, canary };
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

function requireSentence(error: LedgerLensError): void {
  assert.match(error.code, /^[a-z_]+$/);
  assert.ok(error.message.length > 10 && error.message.length < 2_000, `${error.message.length} characters`);
  assert.doesNotMatch(error.message, /\n|\bat .*\.ts:\d|undefined|\[object/, error.message);
}

function requireInnocent(input: CompilerInput): void {
  const content = input.contractIdentifier.includes(".vy") ? INNOCENT_VYPER : INNOCENT;
  const name = input.contractIdentifier.slice(0, input.contractIdentifier.lastIndexOf(":"));
  const isOlder = input.changedSinceBuild.length > 0;
  if (!isOlder && !name.endsWith(".fe")) assert.equal(input.stdJsonInput.sources[name]?.content, content);
  assert.deepEqual(misshapenSettings(input.stdJsonInput.settings, input.stdJsonInput.language), []);
  const whole = JSON.stringify([input.stdJsonInput, input.wholeBuild]);
  assert.ok(!whole.includes(SECRET), "what lies elsewhere would be sent");
  assert.ok(!whole.includes("root:x:0"), "a file of the system would be sent");
  for (const { sentence } of input.findings) assert.doesNotMatch(sentence, /\n|undefined|\[object/);
}

const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype).join();

async function check({ format, file }: Cell, at: string, without: Outcome): Promise<void> {
  const { root, canary } = await projectOf(format, at);
  const path = join(root, format.path);
  await file.put(path, Buffer.from(written(format, format.valid)), outside);
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
  assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), PROTOTYPE);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  assert.ok(!existsSync(canary) && !existsSync("pwned"), "a program of the workspace ran");
  await rm(root, { recursive: true, force: true });
}

describe(
  "A hostile workspace",
  { skip: process.platform === "win32" && "it has no devices in folders" },
  () => {
    const all = cells();
    const { below } = random("hostile workspaces");
    const size = proofSize({ sample: 150, whole: all.length });
    const chosen = new Set(all);
    while (chosen.size > size) {
      const cell = all[below(all.length)];
      if (cell) chosen.delete(cell);
    }
    console.log(`hostile workspaces: ${chosen.size} of ${all.length} cells (formats × values)`);

    for (const [number, format] of HOSTILE_FORMATS.entries()) {
      const own = [...chosen].filter((cell) => cell.format === format);
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
