import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { stringify as toToml } from "smol-toml";
import { stringify as toYaml } from "yaml";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { skippedFiles } from "../../../src/core/files/skippedFiles.ts";
import { rememberingReader } from "../../../src/core/files/folderReader.ts";
import { workspaceDeployments } from "../../../src/core/workspace/workspaceDeployments.ts";
import { readLocalBuild } from "../../../src/core/compilerInput/localBuildReader.ts";
import { placedContractsInPieces } from "../../../src/core/workspace/contracts.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { below, memoryFolders } from "../../unit/files/memoryFolders.ts";
import { random } from "../../unit/random.ts";
import { HOSTILE_FORMATS, type HostileFormat } from "./hostileFormats.ts";
import { checkKeys } from "./keyVariants.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";

const ROOT = "/w";
/** One of so many variants is tried. */
const ONE_OF = proofSize({ sample: 108, whole: 1 });
const dice = random("keys of workspaces");

/** All that commands make of a folder and need no network for. */
async function told(
  files: Readonly<Record<string, string | Uint8Array>>,
  contract: string,
  options: ContractInputOptions = {},
): Promise<unknown> {
  const reader = rememberingReader(memoryFolders(below(ROOT, files)));
  const path = `${ROOT}/${contract.slice(0, contract.lastIndexOf(":"))}`;
  const source = files[contract.slice(0, contract.lastIndexOf(":"))];
  const contracts = atOnce(placedContractsInPieces(path, typeof source === "string" ? source : "")).map(
    ({ name }) => ({
      name,
      path,
    }),
  );
  const deployments = await workspaceDeployments(reader, [ROOT], contracts);
  const skipped = skippedFiles(reader);
  try {
    const found = await findWorkspaceContract(reader, [ROOT], contract);
    const input = await contractInput(reader, [ROOT], found, options);
    return { deployments, skipped, input, build: await readLocalBuild(reader, input) };
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    return { deployments, skipped, error: `${error.code}: ${error.message}` };
  }
}

function written({ notation, path }: HostileFormat, json: string): string {
  switch (notation) {
    case "toml":
      return toToml(JSON.parse(json));
    case "yaml":
      return toYaml(JSON.parse(json));
    case "script":
      return path.endsWith(".ts") ? `export default ${json};` : `module.exports = ${json};`;
    default:
      return json;
  }
}

const DATA = new Set(["json", "toml", "yaml", "script"]);

/** A build record by this name that was compiled for so many runs. */
function recordOf(format: string, name: string, runs: number): string {
  const { valid } = formatOf(`build record of ${format}`);
  const { input, ...record } = valid as { readonly input: { readonly settings: object } };
  const [content] = Object.values((input as unknown as { sources: object }).sources) as unknown[];
  return JSON.stringify({
    ...record,
    id: name,
    input: {
      ...input,
      sources: {
        [format === "Hardhat 3" ? "project/contracts/Innocent.sol" : "contracts/Innocent.sol"]: content,
      },
      settings: { ...input.settings, optimizer: { enabled: true, runs } },
    },
  });
}

function formatOf(name: string): HostileFormat {
  const format = HOSTILE_FORMATS.find((one) => one.name === name);
  assert.ok(format, name);
  return format;
}

/** What has to be there as well, so that a file says something. */
const BESIDE = new Map<string, Readonly<Record<string, string>>>([
  [
    "dbg.json",
    {
      "artifacts/build-info/1.json": recordOf("Hardhat", "1", 7),
      "artifacts/build-info/2.json": recordOf("Hardhat", "2", 9),
    },
  ],
  [
    "artifact of Hardhat 3",
    {
      "artifacts/build-info/1.json": recordOf("Hardhat 3", "1", 7),
      "artifacts/build-info/2.json": recordOf("Hardhat 3", "2", 9),
    },
  ],
  [
    "cache of Foundry",
    {
      "out/build-info/1.json": recordOf("Foundry", "1", 7),
      "out/build-info/2.json": recordOf("Foundry", "2", 9),
    },
  ],
  [
    "artifact of Ignition",
    {
      "ignition/deployments/chain-1/deployed_addresses.json": JSON.stringify({
        "M#Innocent": `0x${"12".repeat(20)}`,
      }),
    },
  ],
]);

/** What says more than the example that a person would have. */
const EXAMPLES = new Map<string, unknown>([
  ["fe.toml", { ingot: { name: "vault", version: "1.0.0" }, dependencies: { other: { path: "../other" } } }],
]);

describe("A file of a workspace with keys that every object inherits", () => {
  for (const format of HOSTILE_FORMATS.filter(({ notation }) => DATA.has(notation)))
    it(`is read as with any other keys: ${format.name}`, async () => {
      const others = { ...format.files, ...BESIDE.get(format.name) };
      const options = format.contract.includes(".fe:") ? { compilerVersion: "26.0.0-alpha.12" } : {};
      await checkKeys(
        format.name,
        EXAMPLES.get(format.name) ?? format.valid,
        (json) => told({ ...others, [format.path]: written(format, json) }, format.contract, options),
        () => dice.below(ONE_OF) === 0,
      );
    });

  for (const format of HOSTILE_FORMATS) {
    const outer = format.valid as { readonly metadata?: unknown } | undefined;
    if (typeof outer?.metadata !== "string") continue;
    const metadata = JSON.parse(outer.metadata) as unknown;
    it(`is read as with any other keys: the metadata in ${format.name}`, async () => {
      await checkKeys(
        `metadata in ${format.name}`,
        metadata,
        (json) =>
          told(
            { ...format.files, [format.path]: JSON.stringify({ ...outer, metadata: json }) },
            format.contract,
          ),
        () => dice.below(ONE_OF) === 0,
      );
    });
  }

  const journal = formatOf("journal of Ignition");
  const lines = [
    { type: "DEPLOYMENT_INITIALIZE", chainId: 1 },
    {
      type: "DEPLOYMENT_EXECUTION_STATE_INITIALIZE",
      futureId: "M#Innocent",
      contractName: "Innocent",
      artifactId: "M#Innocent",
      constructorArgs: [{ _kind: "bigint", value: "1" }, { a: ["b"] }],
      libraries: { L: `0x${"12".repeat(20)}` },
    },
    {
      type: "TRANSACTION_CONFIRM",
      futureId: "M#Innocent",
      hash: `0x${"34".repeat(32)}`,
      receipt: { contractAddress: `0x${"12".repeat(20)}`, status: "SUCCESS" },
    },
    {
      type: "DEPLOYMENT_EXECUTION_STATE_COMPLETE",
      futureId: "M#Innocent",
      result: { type: "SUCCESS", address: `0x${"12".repeat(20)}` },
    },
  ];
  it("is read as with any other keys: the journal of Ignition", async () => {
    const folder = "ignition/deployments/chain-1";
    await checkKeys("the journal of Ignition", lines, (json) =>
      told(
        {
          ...journal.files,
          [`${folder}/deployed_addresses.json`]: JSON.stringify({ "M#Innocent": `0x${"12".repeat(20)}` }),
          [`${folder}/journal.jsonl`]: linesOf(JSON.parse(json))
            .map((line) => JSON.stringify(line))
            .join("\n"),
        },
        journal.contract,
      ),
    );
  });

  it("is read as with any other keys: what the columns of moccasin's database hold", async () => {
    const database = formatOf("database of moccasin");
    const row = {
      tx_dict: { chainId: 1, data: "0x" },
      receipt_dict: { transactionHash: `0x${"34".repeat(32)}` },
      constructor_args: [1, { a: "b" }],
    };
    await checkKeys(
      "the database of moccasin",
      row,
      (json) =>
        told({ ...database.files, ".deployments.db": rowsOf(JSON.parse(json) as object) }, database.contract),
      () => dice.below(ONE_OF) === 0,
    );
  });
});

function linesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** A database as titanoboa makes it; each field of the row is a column, which holds JSON. */
function rowsOf(row: object): Uint8Array {
  const columns = { contract_address: `0x${"12".repeat(20)}`, contract_name: "Innocent", ...asTexts(row) };
  const folder = mkdtempSync(join(tmpdir(), "ledger-lens-keys-"));
  try {
    const path = join(folder, "d.db");
    const database = new DatabaseSync(path);
    const names = Object.keys(columns).map((name) => `"${name}"`);
    database.exec(
      `CREATE TABLE deployments(deployment_id integer primary key, ${names.join(" text, ")} text)`,
    );
    database
      .prepare(`INSERT INTO deployments(${names.join()}) VALUES(${names.map(() => "?").join()})`)
      .run(...Object.values(columns));
    database.close();
    return new Uint8Array(readFileSync(path));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function asTexts(row: object): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, JSON.stringify(value)]));
}

describe("Settings with keys that every object inherits", () => {
  it("are read as with any other keys where a folder has no tool", async () => {
    const settings = {
      optimizer: { enabled: true, runs: 7, details: { yul: true } },
      remappings: ["a/=b/"],
      evmVersion: "paris",
      viaIR: true,
      metadata: { bytecodeHash: "none" },
      libraries: { "L.sol": { L: `0x${"12".repeat(20)}` } },
    };
    await checkKeys("settings", settings, (json) =>
      told({ "A.sol": "pragma solidity ^0.8.0; contract A {}" }, "A.sol:A", {
        defaultSettings: JSON.parse(json) as Record<string, unknown>,
      }),
    );
  });
});
