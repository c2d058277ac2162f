import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { buildRecordOf } from "../../../src/core/compilerInput/buildRecord.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { readCustomFees } from "../../../src/core/ledger/tokens/customFees.ts";
import { readLedgerKey } from "../../../src/core/ledger/tokens/ledgerKey.ts";
import { statusError } from "../../../src/core/ledger/requests/ledgerError.ts";
import { selectableNetwork } from "../../../src/core/ledger/references/network.ts";
import { readSchedule } from "../../../src/core/ledger/schedules/schedule.ts";
import { parseJson } from "../../../src/core/json/looseData.ts";
import { readStatusSummaryInPieces } from "../../../src/core/status/statusSummary.ts";
import { readMetadata } from "../../../src/core/matching/compilerMetadata.ts";
import { inServiceOrder } from "../../../src/core/matching/serviceVariations.ts";
import { withChanges } from "../../../src/core/matching/resubmission.ts";
import { readAbi } from "../../../src/core/evm/abiEntry.ts";
import { readArtifactBytes } from "../../../src/core/workspace/artifact.ts";
import { inputFrom } from "../../unit/compilerInput/inputFrom.ts";
import { checkKeys } from "./keyVariants.ts";
import { INHERITED_NAMES, sharedObjects } from "./prototypes.ts";
import { TEXT_READERS } from "./textReaders.ts";

const shared = sharedObjects();
const NETWORK = selectableNetwork("testnet");
const ADDRESS = `0x${"ab".repeat(20)}`;
type Loose = Record<string, unknown>;

const INPUT = {
  language: "Solidity",
  sources: { "src/A.sol": { content: "pragma solidity 0.8.28; contract A {}" } },
  settings: {
    optimizer: { enabled: true, runs: 200 },
    libraries: { "L.sol": { L: ADDRESS } },
    remappings: ["a/=b/"],
  },
};
const ABI = [
  {
    type: "function",
    name: "f",
    inputs: [{ name: "a", type: "tuple", components: [{ name: "x", type: "uint256" }] }],
    outputs: [],
  },
];
const OUTPUT = {
  contracts: { "src/A.sol": { A: { abi: ABI, metadata: "{}", evm: { bytecode: { object: "6001" } } } } },
};
const RECORD = {
  _format: "hh-sol-build-info-1",
  id: "1",
  solcVersion: "0.8.28",
  solcLongVersion: "0.8.28+commit.7893614a",
  input: INPUT,
  output: OUTPUT,
};

const FORMATS: readonly (readonly [name: string, example: unknown, read: (json: string) => unknown])[] = [
  ["a build record of Hardhat 2", RECORD, (json) => buildRecordOf(parseJson(json), "/w/b.json")],
  [
    "a build record of Hardhat 3",
    { ...RECORD, _format: "hh3-sol-build-info-1", userSourceNameMap: { "src/A.sol": "project/src/A.sol" } },
    (json) => buildRecordOf(parseJson(json), "/w/b.json"),
  ],
  [
    "a build record of Foundry",
    {
      id: "1",
      source_id_to_path: { 0: "src/A.sol" },
      language: "Solidity",
      input: { ...INPUT, version: "0.8.28" },
      output: OUTPUT,
    },
    (json) => buildRecordOf(parseJson(json), "/w/b.json"),
  ],
  [
    "a standard JSON input",
    INPUT,
    (json) =>
      buildRecordOf(
        { _format: "hh-sol-build-info-1", solcVersion: "0.8.28", input: parseJson(json) },
        "/w/b.json",
      ),
  ],
  ["an ABI", ABI, (json) => readAbi(parseJson(json))],
  [
    "an artifact",
    {
      abi: ABI,
      bytecode: { object: "0x60" },
      deployedBytecode: { object: "0x60" },
      metadata: { settings: { compilationTarget: { "A.sol": "A" } } },
    },
    (json) => readArtifactBytes({ path: "/w/out/A.sol/A.json", bytes: new TextEncoder().encode(json) }),
  ],
  [
    "metadata",
    {
      compiler: { version: "0.8.28" },
      language: "Solidity",
      settings: INPUT.settings,
      sources: { "A.sol": { keccak256: "0x", urls: [] } },
      version: 1,
    },
    (json) => [readMetadata(json), inServiceOrder(parseJson(json))],
  ],
  [
    "changes of settings",
    { optimizer: { runs: 7 }, libraries: { "L.sol": { L: null, M: ADDRESS } }, viaIR: true },
    (json) =>
      withChanges(
        { compilerVersion: "0.8.28", contractIdentifier: "A.sol:A", stdJsonInput: INPUT as never },
        { settings: parseJson(json) as never },
      ),
  ],
  [
    "custom fees",
    {
      fixed_fees: [{ amount: 1, denominating_token_id: "0.0.1" }],
      royalty_fees: [{ amount: { numerator: 1, denominator: 2 } }],
    },
    (json) => readCustomFees(parseJson(json)),
  ],
  ["a key of the ledger", { _type: "ED25519", key: "ab" }, (json) => readLedgerKey(parseJson(json))],
  [
    "an error of the ledger",
    { _status: { messages: [{ message: "a", detail: "b" }] } },
    (json) => statusError(400, parseJson(json), "token 0.0.1", NETWORK),
  ],
  [
    "a schedule",
    {
      schedule_id: "0.0.1",
      signatures: [{ public_key_prefix: "a", consensus_timestamp: "1.2" }],
      admin_key: { _type: "ED25519", key: "ab" },
      transaction_body: "",
    },
    (json) => readSchedule(parseJson(json) as Loose, NETWORK),
  ],
  [
    "a status summary",
    {
      page: { id: "a" },
      components: [{ id: "1", name: "a", status: "operational" }],
      incidents: [],
      scheduled_maintenances: [],
      status: { indicator: "none", description: "" },
    },
    (json) => atOnce(readStatusSummaryInPieces(parseJson(json), "The status page")),
  ],
];

for (const [name, example, read] of FORMATS)
  it(`${name} with keys that every object inherits is read as with any other keys`, async () => {
    assert.ok((await checkKeys(name, example, read)) >= 5);
  });

it("texts with such names in the place of each word touch nothing that objects share", async () => {
  let count = 0;
  for (const reader of TEXT_READERS)
    for (const example of reader.examples)
      for (const hostile of INHERITED_NAMES)
        for (const { index, 0: word } of example.matchAll(/[A-Za-z_@][\w-]*/g)) {
          const text = example.slice(0, index) + hostile + example.slice(index + word.length);
          try {
            await reader.read(text);
          } catch (error) {
            if (!(error instanceof LedgerLensError))
              assert.fail(new Error(`${reader.name} failed for ${text}`, { cause: error }));
          }
          shared.assertUntouched(`${reader.name}: ${text}`);
          count++;
        }
  console.log(`texts: ${count} variants`);
});

it("sources with such names are sent under them", async () => {
  for (const name of INHERITED_NAMES) {
    const input = await inputFrom(
      "/w",
      {
        "foundry.toml": "[profile.default]",
        [`${name}.sol`]: "library L {}",
        "src/A.sol": `pragma solidity 0.8.28; import "${name}.sol"; contract A {}`,
      },
      "src/A.sol:A",
    );
    assert.deepEqual(Object.keys(input.stdJsonInput.sources).sort(), [`${name}.sol`, "src/A.sol"].sort());
    shared.assertUntouched(name);
  }
});
