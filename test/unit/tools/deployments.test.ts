import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import type { RecordedDeployment } from "../../../src/core/tools/deployment.ts";
import { skippedFiles } from "../../../src/core/files/skippedFiles.ts";
import { UnreadableFile } from "../../../src/core/files/unreadableFile.ts";
import { rememberingReader } from "../../../src/core/files/folderReader.ts";
import { findProject } from "../../../src/core/tools/project.ts";
import { projectDeployments } from "../../../src/core/tools/projectDeployments.ts";
import { workspaceDeployments } from "../../../src/core/workspace/workspaceDeployments.ts";
import { unreadableRecords, unreadableRecordsSentence } from "../../../src/core/tools/unreadableRecords.ts";
import { random } from "../random.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import { boaDatabase } from "./boaDatabase.ts";
import { sqliteRows } from "./sqliteRows.ts";
import { proofSize } from "../../rig/proofSize.ts";

const ROOT = "/home/me/vault";
const ADDRESS = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const OTHER = "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512";
const HASH = "0x8e53673e0e827db6d4b724830b3c2320ce825d671ad3fc2a49e2c68525833eca";

async function deploymentsOf(
  files: Record<string, string | Uint8Array>,
): Promise<Omit<RecordedDeployment, "record" | "alsoIn">[]> {
  const reader = memoryFolders(below(ROOT, files));
  const found = await projectDeployments(reader, await findProject(reader, ROOT, `${ROOT}/x/A.sol`));
  return found.map(({ record: _record, alsoIn: _alsoIn, ...rest }) => rest);
}

describe("What a project deployed", () => {
  it("is in Foundry's broadcasts, with what a factory made and without dry runs", async () => {
    // The form of forge 1.7.1.
    const run = {
      transactions: [
        {
          hash: HASH,
          transactionType: "CREATE",
          contractName: "Vault",
          contractAddress: ADDRESS,
          arguments: ["42"],
          additionalContracts: [
            { transactionType: "CREATE", contractName: "Share", address: OTHER, initCode: "0x60" },
          ],
        },
        {
          hash: HASH,
          transactionType: "CALL",
          contractName: "Vault",
          contractAddress: ADDRESS,
          arguments: null,
          additionalContracts: [],
        },
      ],
      timestamp: 1795249227660,
      chain: 296,
    };
    const found = await deploymentsOf({
      "foundry.toml": "",
      "broadcast/Deploy.s.sol/296/run-latest.json": JSON.stringify(run),
      "broadcast/Deploy.s.sol/296/run-1795249227660.json": JSON.stringify(run),
      "broadcast/Deploy.s.sol/296/dry-run/run-latest.json": JSON.stringify({ ...run, chain: 1 }),
      "broadcast/Broken.s.sol/1/run-latest.json": "{",
    });
    const common = {
      chainId: "296",
      creationTransactionHash: HASH,
      recordedBy: "foundry",
      when: 1795249227660,
    };
    assert.deepEqual(found, [
      { ...common, address: ADDRESS, contract: "Vault", constructorArguments: ["42"] },
      { ...common, address: OTHER, contract: "Share", creationCode: "0x60" },
    ]);
  });

  it("is told by Foundry's receipts, in the order of nonces, where hashes were noted at the wrong transaction", async () => {
    // forge 1.7.1 sends transactions at the same time, and notes hashes as they come back.
    const [FIRST, SECOND, THIRD] = ["11", "22", "33"].map((digits) => `0x${digits.repeat(32)}`);
    const SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    const DEPLOYER = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
    const sent = (
      hash: string | undefined,
      nonce: string,
      name: string,
      address: string,
      to: string | null,
    ) => ({
      hash,
      transactionType: to === null ? "CREATE" : "CREATE2",
      contractName: name,
      contractAddress: address,
      transaction: { from: SENDER, to, nonce, input: to === null ? "0x6001" : `0x${"00".repeat(32)}6002` },
    });
    const mined = (hash: string | undefined, block: string, to: string | null, status = "0x1") => ({
      status,
      transactionHash: hash,
      blockNumber: block,
      transactionIndex: "0x0",
      from: SENDER,
      to,
      contractAddress: to === null ? OTHER : null,
    });
    const run = {
      transactions: [
        sent(SECOND, "0x9", "Twice", ADDRESS, DEPLOYER),
        sent(THIRD, "0xa", "Vault", OTHER, null),
        sent(FIRST, "0xb", "Failed", `0x${"ab".repeat(20)}`, DEPLOYER),
      ],
      receipts: [
        mined(SECOND, "0x10", null),
        mined(FIRST, "0xf", DEPLOYER),
        mined(THIRD, "0x11", DEPLOYER, "0x0"),
      ],
      chain: 296,
    };
    const found = await deploymentsOf({
      "foundry.toml": "",
      "broadcast/Deploy.s.sol/296/run-latest.json": JSON.stringify(run),
    });
    assert.deepEqual(
      found.map((one) => [one.contract, one.creationTransactionHash, one.creationCode]),
      [
        ["Twice", FIRST, "0x6002"],
        ["Vault", SECOND, "0x6001"],
      ],
    );
    // With a receipt missing, what disagrees with the receipts is left out rather than told wrongly.
    const partial = { ...run, receipts: [mined(THIRD, "0x10", DEPLOYER), mined(SECOND, "0x11", DEPLOYER)] };
    const some = await deploymentsOf({
      "foundry.toml": "",
      "broadcast/Deploy.s.sol/296/run-latest.json": JSON.stringify(partial),
    });
    assert.deepEqual(
      some.map((one) => [one.contract, one.creationTransactionHash]),
      [
        ["Twice", SECOND],
        ["Vault", undefined],
        ["Failed", FIRST],
      ],
    );
  });

  it("is nothing of a transaction that failed, of which forge keeps no receipt", async () => {
    const SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    const [MADE, FAILED] = ["11", "22"].map((digits) => `0x${digits.repeat(32)}`);
    const sent = (
      hash: string | undefined,
      nonce: string,
      contractName: string,
      contractAddress: string,
    ) => ({
      hash,
      transactionType: "CREATE",
      contractName,
      contractAddress,
      transaction: { from: SENDER, to: null, nonce, input: "0x6001" },
    });
    const receipt = {
      status: "0x1",
      transactionHash: MADE,
      blockNumber: "0x1",
      transactionIndex: "0x0",
      from: SENDER,
      to: null,
      contractAddress: ADDRESS,
    };
    const run = {
      transactions: [sent(MADE, "0x0", "Vault", ADDRESS), sent(FAILED, "0x1", "Picky", OTHER)],
      receipts: [receipt],
      pending: [] as (string | undefined)[],
      chain: 296,
    };
    const names = async (record: object) => {
      const files = {
        "foundry.toml": "",
        "broadcast/Deploy.s.sol/296/run-latest.json": JSON.stringify(record),
      };
      return (await deploymentsOf(files)).map(({ contract, awaits }) => [contract, awaits]);
    };
    assert.deepEqual(await names(run), [["Vault", undefined]]);
    // What is still waited for is not known to have failed.
    assert.deepEqual(await names({ ...run, pending: [FAILED] }), [
      ["Vault", "others"],
      ["Picky", "itself"],
    ]);
    assert.deepEqual(await names({ ...run, receipts: [] }), []);
  });

  it("is in Foundry's records of scripts for several chains and other functions", async () => {
    const run = (chain: number, address: string) => ({
      transactions: [
        { hash: HASH, transactionType: "CREATE", contractName: "Vault", contractAddress: address },
      ],
      chain,
    });
    const found = await deploymentsOf({
      "foundry.toml": '[profile.default]\n[profile.prod]\nbroadcast = "records"\n',
      "broadcast/multi/Deploy.s.sol-latest/run.json": JSON.stringify({
        deployments: [run(1, ADDRESS), run(10, OTHER)],
      }),
      "records/Deploy.s.sol/296/upgrade-latest.json": JSON.stringify(run(296, ADDRESS)),
    });
    assert.deepEqual(found.map(({ chainId, address }) => [chainId, address]).sort(), [
      ["1", ADDRESS],
      ["10", OTHER],
      ["296", ADDRESS],
    ]);
  });

  it("is in Hardhat Ignition's journal and artifacts", async () => {
    const journal = [
      { type: "DEPLOYMENT_INITIALIZE", chainId: 11155111 },
      {
        type: "DEPLOYMENT_EXECUTION_STATE_INITIALIZE",
        futureId: "M#Vault",
        contractName: "Vault",
        constructorArgs: [7],
      },
      { type: "TRANSACTION_SEND", futureId: "M#Vault", transaction: { hash: HASH.replace("8e", "00") } },
      { type: "TRANSACTION_SEND", futureId: "M#Vault", transaction: { hash: HASH } },
      { type: "TRANSACTION_CONFIRM", futureId: "M#Vault", hash: HASH.toUpperCase().replace("0X", "0x") },
      { type: "CONTRACT_AT_EXECUTION_STATE_INITIALIZE", futureId: "M#Old" },
    ];
    const found = await deploymentsOf({
      "hardhat.config.ts": "",
      "ignition/deployments/chain-11155111/deployed_addresses.json": JSON.stringify({
        "M#Vault": ADDRESS,
        "M#Old": OTHER,
      }),
      "ignition/deployments/chain-11155111/journal.jsonl": journal
        .map((line) => JSON.stringify(line))
        .join("\n"),
      "ignition/deployments/chain-11155111/artifacts/M#Vault.json": JSON.stringify({
        contractName: "Vault",
        sourceName: "contracts/Vault.sol",
      }),
    });
    assert.deepEqual(found, [
      {
        chainId: "11155111",
        address: ADDRESS,
        contract: "contracts/Vault.sol:Vault",
        creationTransactionHash: HASH,
        recordedBy: "hardhat-ignition",
        constructorArguments: [7],
      },
    ]);
  });

  it("is in Ignition's journal alone where a deployment stopped half-way, without what was wiped", async () => {
    const done = (futureId: string, address: string) => [
      {
        type: "DEPLOYMENT_EXECUTION_STATE_INITIALIZE",
        futureId,
        contractName: "Vault",
        constructorArgs: [
          { _kind: "bigint", value: "12345678901234567890" },
          [{ a: { _kind: "bigint", value: "1" } }],
        ],
      },
      { type: "TRANSACTION_CONFIRM", futureId, hash: HASH, receipt: { status: "SUCCESS" } },
      { type: "DEPLOYMENT_EXECUTION_STATE_COMPLETE", futureId, result: { type: "SUCCESS", address } },
    ];
    const journal = [
      { type: "DEPLOYMENT_INITIALIZE", chainId: 296 },
      ...done("M#Vault", ADDRESS),
      ...done("M#Wiped", OTHER),
      { type: "WIPE_APPLY", futureId: "M#Wiped" },
    ];
    const text = journal.map((line) => JSON.stringify(line)).join("\r\n");
    const found = await deploymentsOf({
      "hardhat.config.ts": "",
      "ignition/deployments/mine/journal.jsonl": `\r\n${text}\r\n{"type":"TRANSACTION_SE`,
    });
    assert.deepEqual(found, [
      {
        chainId: "296",
        address: ADDRESS,
        contract: "Vault",
        creationTransactionHash: HASH,
        recordedBy: "hardhat-ignition",
        constructorArguments: ["12345678901234567890", [{ a: "1" }]],
      },
    ]);
  });

  it("is on the chain that its folder names, with zeros before the id or without, and on none with the id 0", async () => {
    const found = await deploymentsOf({
      "hardhat.config.ts": "",
      "ignition/deployments/chain-295/deployed_addresses.json": JSON.stringify({ "M#Vault": ADDRESS }),
      "ignition/deployments/chain-000296/deployed_addresses.json": JSON.stringify({ "M#Vault": ADDRESS }),
      "ignition/deployments/chain-0/deployed_addresses.json": JSON.stringify({ "M#Vault": ADDRESS }),
    });
    assert.deepEqual(found.map(({ chainId }) => chainId).toSorted(), ["295", "296"]);
  });

  it("is in hardhat-deploy's records, a proxy and its implementation apart", async () => {
    const metadata = JSON.stringify({ settings: { compilationTarget: { "contracts/Vault.sol": "Vault" } } });
    const found = await deploymentsOf({
      "hardhat.config.js": "",
      "deployments/testnet/.chainId": "296\n",
      "deployments/testnet/Vault.json": JSON.stringify({ address: ADDRESS }),
      "deployments/testnet/Vault_Proxy.json": JSON.stringify({
        address: ADDRESS,
        transactionHash: HASH,
        args: ["0x"],
      }),
      "deployments/testnet/Vault_Implementation.json": JSON.stringify({
        address: OTHER,
        receipt: { transactionHash: HASH },
        metadata,
      }),
    });
    assert.deepEqual(
      found.map(({ address, contract, chainId }) => [address, contract, chainId]),
      [
        [OTHER, "contracts/Vault.sol:Vault", "296"],
        // What lies there is the proxy, whichever one that is.
        [ADDRESS, "Vault_Proxy", "296"],
      ],
    );
  });

  it("is in hardhat-deploy's records under the contract's name, and nothing of a diamond or a failed transaction", async () => {
    const at = (digit: string) => `0x${digit.repeat(40)}`;
    const found = await deploymentsOf({
      "hardhat.config.js": "",
      "deployments/testnet/.chain": JSON.stringify({ chainId: "296" }),
      "deployments/testnet/Treasury.json": JSON.stringify({ address: at("1"), contractName: "Vault" }),
      "deployments/testnet/Safe_Proxy.json": JSON.stringify({
        address: at("2"),
        contractName: "ERC1967Proxy",
      }),
      "deployments/testnet/Safe_Implementation.json": JSON.stringify({ address: at("3") }),
      "deployments/testnet/Hub.json": JSON.stringify({ address: at("4"), facets: [] }),
      "deployments/testnet/Hub_DiamondProxy.json": JSON.stringify({
        address: at("4"),
        contractName: "Diamond",
      }),
      "deployments/testnet/Boom.json": JSON.stringify({ address: at("5"), receipt: { status: 0 } }),
    });
    assert.deepEqual(found.map(({ address, contract }) => [address, contract]).sort(), [
      [at("1"), "Vault"],
      [at("2"), "ERC1967Proxy"],
      [at("3"), "Safe"],
      [at("4"), "Diamond"],
    ]);
  });

  it("is in the artifacts of Truffle, without the networks that Ganache starts and the proxies of a plugin", async () => {
    const PROXY = "0x00000000000000000000000000000000000000aa";
    const artifact = (contractName: string, networks: object) =>
      JSON.stringify({
        contractName,
        ast: { absolutePath: `project:/contracts/${contractName}.sol` },
        sourcePath: `/somewhere/else/contracts/${contractName}.sol`,
        networks,
        schemaVersion: "3.4.16",
      });
    const files = {
      "build/contracts/Vault.json": artifact("Vault", {
        "1": { events: {}, links: {}, address: ADDRESS, transactionHash: HASH },
        "84532": { events: {}, links: {}, address: OTHER },
        "5777": { address: OTHER },
        "1764111111500": { address: OTHER },
        "11155111": { events: {}, links: {} },
      }),
      "build/contracts/Box.json": artifact("Box", { "1": { address: PROXY, transactionHash: HASH } }),
      "build/contracts/Never.json": artifact("Never", {}),
      "build/contracts/Broken.json": '{"networks":{"1":',
      ".openzeppelin/mainnet.json": JSON.stringify({
        proxies: [{ address: PROXY.toUpperCase().replace("0X", "0x") }],
      }),
    };
    const common = { contract: "contracts/Vault.sol:Vault", recordedBy: "truffle" };
    assert.deepEqual(await deploymentsOf({ "truffle-config.js": "module.exports = {};", ...files }), [
      { ...common, chainId: "1", address: ADDRESS, creationTransactionHash: HASH },
      { ...common, chainId: "84532", address: OTHER },
      { ...common, chainId: "1337", address: OTHER },
    ]);
    const configuredBy = async (said: string) =>
      (
        await deploymentsOf({
          "truffle-config.js": `const path = require("path");
const { join: joined } = require("node:path");
const client = path.resolve(__dirname, "client");
const other = require("other");
module.exports = { contracts_build_directory: ${said} };`,
          "client/src/contracts/Vault.json": artifact("Vault", { "10": { address: ADDRESS } }),
          ...files,
        })
      )
        .map(({ chainId }) => chainId)
        .join();
    for (const said of [
      'path.join(__dirname, "client/src/contracts")',
      '"./client/src/contracts"',
      'path.resolve(__dirname, "client", "./src/contracts/")',
      'path.join(\n  __dirname,\n  "contracts",\n  "..",\n  "client/src",\n  "contracts",\n)',
      'joined(client, "src", "contracts")',
      'path.posix.join(client, "src/contracts")',
    ])
      assert.equal(await configuredBy(said), "10", said);
    // What is not known is where Truffle has it by itself.
    for (const said of [
      'path.join(__dirname, process.argv[2], "contracts")',
      'path.resolve("client/src/contracts")',
      'path.relative(__dirname, "client/src/contracts")',
      'other.join(__dirname, "client/src/contracts")',
    ])
      assert.equal(await configuredBy(said), "1,84532,1337", said);
    // What lies outside the open folders is not read, and nothing else is taken for it.
    assert.equal(await configuredBy('path.join(__dirname, "..", "client/src/contracts")'), "");
  });

  it("is found beside the project where the configuration says so, by each project that says it once", async () => {
    const deployed = JSON.stringify({ address: ADDRESS, contractName: "Vault" });
    const truffle = JSON.stringify({ contractName: "Vault", networks: { 1: { address: ADDRESS } } });
    for (const [record, content, configuration, said] of [
      [
        "shared/main/Vault.json",
        deployed,
        "hardhat.config.js",
        'module.exports = { paths: { deployments: "../shared" } };',
      ],
      [
        "shared/deployments/chain-1/deployed_addresses.json",
        JSON.stringify({ "M#Vault": ADDRESS }),
        "hardhat.config.js",
        'const { join } = require("path"); module.exports = { paths: { ignition: join(__dirname, "..", "shared") } };',
      ],
      [
        "client/src/contracts/Vault.json",
        truffle,
        "truffle-config.js",
        'module.exports = { contracts_build_directory: "../client/src/contracts" };',
      ],
    ] as const) {
      const projects = ["one", "two"].map((name) => `${ROOT}/${name}`);
      const files = memoryFolders({
        ...below(ROOT, { [record]: content, "shared/main/.chainId": "1" }),
        ...Object.fromEntries(projects.map((root) => [`${root}/${configuration}`, said])),
        ...Object.fromEntries(projects.map((root) => [`${root}/contracts/Vault.sol`, "contract Vault {}"])),
      });
      const contracts = projects.map((root) => ({ path: `${root}/contracts/Vault.sol`, name: "Vault" }));
      const { found, places } = await workspaceDeployments(files, [ROOT], contracts.slice(1));
      assert.deepEqual(
        found.map((one) => [one.record, one.defined?.path]),
        [[`${ROOT}/${record}`, contracts[1]?.path]],
      );
      assert.ok(places.some((place) => `${ROOT}/${record}`.startsWith(`${place}/`)));
      const both = await workspaceDeployments(files, [ROOT], contracts);
      assert.deepEqual(
        both.found.map((one) => one.record),
        [`${ROOT}/${record}`],
      );
    }
  });

  it("is left out of Truffle's artifacts where the id of a network may be that of Ethereum or of Ethereum Classic", async () => {
    const listed = async (networks: string) =>
      (
        await deploymentsOf({
          "truffle-config.js": `module.exports = { networks: { ${networks} } };`,
          "build/contracts/Vault.json": JSON.stringify({
            contractName: "Vault",
            networks: { "1": { address: ADDRESS }, "10": { address: ADDRESS } },
          }),
        })
      )
        .map(({ chainId }) => chainId)
        .join();
    const provider = "provider: () => new Provider(words, address)";
    for (const networks of [
      `etc_main: { ${provider}, network_id: 1 }`,
      `ethereumClassic: { ${provider}, network_id: "1" }`,
      `live: { host: "etc.node.example", port: 8545, network_id: 1 }`,
      `mainnet: { ${provider}, network_id: 1 }, fork: { host: "127.0.0.1", network_id: 1 }`,
    ])
      assert.equal(await listed(networks), "10", networks);
    for (const networks of [
      "",
      `mainnet: { ${provider}, network_id: 1 }, development: { host: "127.0.0.1", network_id: "*" }`,
      `fetch: { ${provider}, network_id: 1 }`,
      `mordor_etc: { ${provider}, network_id: 7 }`,
      `etc: { ${provider}, network_id: { toString: 1, valueOf: 1 } }`,
    ])
      assert.equal(await listed(networks), "1,10", networks);
  });

  it("comes last where its chain is that of a node on the own machine, a Hiero local node's, too", async () => {
    const of = (network: string) =>
      JSON.stringify({ contractName: "Box", networks: { [network]: { address: OTHER } } });
    const found = await deploymentsOf({
      "truffle-config.js": "module.exports = {};",
      "build/contracts/A.json": of("298"),
      "build/contracts/B.json": of("31337"),
      "build/contracts/C.json": of("296"),
    });
    assert.deepEqual(
      found.map(({ chainId }) => chainId),
      ["296", "298", "31337"],
    );
  });

  it("is in the configuration of Ape, by networks that it knows or that are added there, without blueprints", async () => {
    const deployments = {
      ethereum: {
        sepolia: [
          { address: ADDRESS, contract_type: "Vault" },
          { address: OTHER, contract_type: "Vault", blueprint: true },
        ],
        "mainnet-fork": [{ address: OTHER, contract_type: "Vault" }],
      },
      ember: { main: [{ address: OTHER, contract_type: "Share" }] },
    };
    const networks = { custom: [{ name: "main", ecosystem: "ember", chain_id: 7001 }] };
    for (const [name, text] of [
      ["ape-config.json", JSON.stringify({ deployments, networks })],
      ["ape-config.yaml", JSON.stringify({ deployments, networks }, null, 2)],
    ] as const) {
      const found = await deploymentsOf({ [name]: text });
      assert.deepEqual(
        found.map(({ chainId, address, contract }) => [chainId, address, contract]),
        [
          ["11155111", ADDRESS, "Vault"],
          ["7001", OTHER, "Share"],
        ],
        name,
      );
    }
    const toml = `[tool.ape.deployments]\nethereum.sepolia = [{ address = "${ADDRESS}", contract_type = "Vault" }]\n`;
    assert.equal((await deploymentsOf({ "pyproject.toml": `[tool.ape]\n${toml}` }))[0]?.address, ADDRESS);
  });

  it("is in moccasin's database", async () => {
    const database = boaDatabase([
      {
        contract_address: ADDRESS,
        contract_name: "Counter",
        filename: "src/Counter.vy",
        tx_hash: HASH,
        broadcast_ts: 1_700_000_000.5,
        tx_dict: JSON.stringify({ chainId: "0x128" }),
        receipt_dict: "{}",
        source_code: JSON.stringify("x".repeat(40_000)),
      },
      { contract_address: "nonsense", contract_name: "Broken", tx_dict: "{" },
      {
        contract_address: OTHER,
        contract_name: "Failed",
        tx_dict: JSON.stringify({ chainId: "0x128" }),
        receipt_dict: JSON.stringify({ status: "0x0" }),
      },
    ]);
    const found = await deploymentsOf({ "moccasin.toml": "", ".deployments.db": database });
    const inPyproject = '[project]\nname = "vault"\n[tool.moccasin.project]\ndb_path = "records/mox.db"\n';
    for (const files of [
      { "pyproject.toml": inPyproject },
      { "pyproject.toml": inPyproject, "moccasin.toml": '[project]\nsrc = "src"\n' },
    ])
      assert.deepEqual(await deploymentsOf({ ...files, "records/mox.db": database }), found);
    assert.deepEqual(
      await deploymentsOf({
        "pyproject.toml": inPyproject,
        "moccasin.toml": '[project]\ndb_path = "other.db"\n',
        "records/mox.db": database,
      }),
      [],
      "moccasin.toml counts more",
    );
    assert.deepEqual(found, [
      {
        chainId: "296",
        address: ADDRESS,
        contract: "src/Counter.vy:Counter",
        creationTransactionHash: HASH,
        recordedBy: "moccasin",
        when: 1_700_000_000_500,
      },
    ]);
  });

  it("is in Ape's tracked deployments", async () => {
    const found = await deploymentsOf({
      "ape-config.yaml": "",
      "deployments/ethereum/sepolia/Vault.json": JSON.stringify([
        { address: ADDRESS, contract_type: "contracts/Vault.vy:Vault", transaction_hash: HASH },
      ]),
    });
    assert.deepEqual(
      found.map(({ chainId, contract, creationTransactionHash }) => [
        chainId,
        contract,
        creationTransactionHash,
      ]),
      [["11155111", "contracts/Vault.vy:Vault", HASH]],
    );
  });
});

describe("Records of deployments that are broken or hostile", () => {
  const HEALTHY = {
    "broadcast/Deploy.s.sol/1/run-latest.json": JSON.stringify({
      transactions: [
        {
          hash: HASH,
          transactionType: "CREATE",
          contractName: "Vault",
          contractAddress: ADDRESS,
          transaction: { from: OTHER, nonce: "0x1", to: null, input: "0x60" },
          additionalContracts: [{ contractName: "Share", address: OTHER, initCode: "0x60" }],
        },
      ],
      receipts: [
        { from: OTHER, status: "0x1", transactionHash: HASH, blockNumber: "0x1", contractAddress: ADDRESS },
      ],
      chain: 1,
    }),
    "ignition/deployments/chain-2/deployed_addresses.json": JSON.stringify({ "M#Vault": ADDRESS }),
    "ignition/deployments/chain-2/journal.jsonl": JSON.stringify({
      type: "DEPLOYMENT_INITIALIZE",
      chainId: 2,
    }),
    "ignition/deployments/chain-2/artifacts/M#Vault.json": JSON.stringify({ contractName: "Vault" }),
    "deployments/here/.chainId": "3",
    "deployments/here/Vault.json": JSON.stringify({ address: ADDRESS, transactionHash: HASH, args: [1] }),
    ".build/__local__.json": JSON.stringify({ deployments: { 4: { Vault: { address: ADDRESS } } } }),
  };
  const MARKERS = { "foundry.toml": "", "hardhat.config.js": "", "ape-config.yaml": "", "moccasin.toml": "" };

  it("never hide the healthy ones, whatever is in them", async () => {
    const dice = random("broken deployment records");
    const chains = async (files: Record<string, string>) =>
      new Set((await deploymentsOf({ ...MARKERS, ...files })).map(({ chainId }) => chainId));
    assert.deepEqual([...(await chains(HEALTHY))].sort(), ["1", "2", "3", "4"]);
    const nonsense = [
      "null",
      "[]",
      "{}",
      "0",
      '"x"',
      "1e999",
      '{"__proto__":{"a":1}}',
      "[[[[",
      "true",
      "-1",
      '"0x"',
    ] as const;
    const paths = Object.keys(HEALTHY) as [string, ...string[]];
    for (let at = 0; at < proofSize({ sample: 60, whole: 4_000 }); at++) {
      const path = dice.pick(paths);
      const text = HEALTHY[path as keyof typeof HEALTHY];
      const damaged =
        dice.below(2) === 0
          ? text.slice(0, dice.below(text.length))
          : text.replace(/"[^"]*"|\d+|\[[^[\]]*\]|\{[^{}]*\}/g, (value) =>
              dice.below(3) === 0 ? dice.pick(nonsense) : value,
            );
      const found = await chains({ ...HEALTHY, [path]: damaged });
      const own = path.startsWith("broadcast")
        ? "1"
        : path.startsWith("ign")
          ? "2"
          : path.startsWith("depl")
            ? "3"
            : "4";
      for (const chain of ["1", "2", "3", "4"])
        if (chain !== own) assert.ok(found.has(chain), `${chain} with ${path}: ${damaged}`);
    }
  });

  it("are named when they are no database", async () => {
    const database = ".deployments.db";
    for (const [content, isNamed] of [
      ["<html>", true],
      ["SQLite format 2", true],
      ["", false],
    ] as const) {
      const job = rememberingReader(
        memoryFolders(below(ROOT, { ...MARKERS, ...HEALTHY, [database]: content })),
      );
      const found = await projectDeployments(job, await findProject(job, ROOT, `${ROOT}/x/A.sol`));
      assert.equal(new Set(found.map(({ chainId }) => chainId)).size, 4);
      const sentences = unreadableRecords(skippedFiles(job), [ROOT])?.sentences ?? [];
      assert.deepEqual(sentences, isNamed ? [`${database} is no SQLite database`] : []);
    }
  });

  it("are found in a record of 150,000", async () => {
    const tracked = Array.from({ length: 150_000 }, () => ({ address: ADDRESS, contract_type: "Vault" }));
    const found = await deploymentsOf({
      "ape-config.yaml": "",
      ".build/__local__.json": JSON.stringify({ deployments: { 4: tracked } }),
    });
    assert.ok(found.length > 0);
  });

  it("do not keep others from being read when they may not be", async () => {
    const files = memoryFolders(below(ROOT, { ...MARKERS, ...HEALTHY }));
    const reader = {
      ...files,
      read: (path: string) =>
        path.includes("/broadcast/")
          ? Promise.reject(new UnreadableFile(path, "may not be read (no permission)"))
          : files.read(path),
    };
    const job = rememberingReader(reader);
    const found = await projectDeployments(job, await findProject(job, ROOT, `${ROOT}/x/A.sol`));
    assert.deepEqual(found.map(({ chainId }) => chainId).sort(), ["2", "3", "4"]);
    const [skipped] = skippedFiles(job);
    assert.match(skipped?.path ?? "", /\/broadcast\//);
    assert.equal(skipped?.reason, "may not be read (no permission)");
  });

  it("hide no error that is not theirs", async () => {
    const files = memoryFolders(below(ROOT, { ...MARKERS, ...HEALTHY }));
    const reader = {
      ...files,
      read: (path: string) =>
        path.includes("/broadcast/") ? Promise.reject(new TypeError("ours")) : files.read(path),
    };
    const project = await findProject(reader, ROOT, `${ROOT}/x/A.sol`);
    await assert.rejects(projectDeployments(reader, project), TypeError);
  });

  it("lead to no file outside the folder of their artifacts", async () => {
    const outside = JSON.stringify({ contractName: "Secret", sourceName: "Secret.sol" });
    const names = [
      "../../../../../outside/x",
      "M#../../../../../outside/x",
      "/../../../../../../outside/x",
      "..\\\\x",
      "M#a/b",
    ];
    const files = memoryFolders({
      ...below(ROOT, {
        "hardhat.config.ts": "",
        "ignition/deployments/chain-1/deployed_addresses.json": JSON.stringify(
          Object.fromEntries(
            ["M#Vault", "M#Inner", ...names].map((name, at) => [name, `0x${String(at + 1).repeat(40)}`]),
          ),
        ),
        "ignition/deployments/chain-1/artifacts/M#Vault.json": JSON.stringify({ contractName: "Vault" }),
        "ignition/deployments/chain-1/artifacts/M#a/b.json": outside,
      }),
      "/home/outside/x.json": outside,
      "/home/me/outside/x.json": outside,
    });
    const read: string[] = [];
    const job = rememberingReader({
      ...files,
      read: (path) => {
        read.push(path);
        return files.read(path);
      },
    });
    const found = await projectDeployments(job, await findProject(job, ROOT, `${ROOT}/x/A.sol`));
    assert.deepEqual(found.map(({ contract }) => contract).sort(), ["Inner", "Vault"]);
    assert.deepEqual(
      read.filter((path) => path.endsWith("/x.json") || path.endsWith("/b.json")),
      [],
    );
    assert.deepEqual(
      skippedFiles(job).map(({ reason }) => reason),
      ["names a deployment as Hardhat Ignition does not"],
    );
  });

  it("are not read where a configuration leads out of the open folders, which is told", async () => {
    const broadcast = {
      transactions: [{ hash: HASH, transactionType: "CREATE", contractName: "A", contractAddress: ADDRESS }],
      chain: 1,
    };
    const row = {
      contract_address: ADDRESS,
      contract_name: "A",
      rpc: "https://rpc.example",
      tx_hash: HASH,
      tx_dict: JSON.stringify({ chainId: 1 }),
    };
    for (const [record, place, content, configuration] of [
      [
        "broadcast/S.s.sol/1/run-latest.json",
        "broadcast",
        JSON.stringify(broadcast),
        { "foundry.toml": '[profile.default]\nbroadcast = "../shared/broadcast"\n' },
      ],
      [
        "data.db",
        "data.db",
        boaDatabase([row]),
        { "moccasin.toml": '[project]\ndb_path = "../shared/data.db"\n' },
      ],
    ] as const) {
      const files = memoryFolders({
        ...below(ROOT, { "x/A.sol": "contract A {}", ...configuration }),
        [`/home/me/shared/${record}`]: content,
      });
      const among = async (folders: readonly string[]) => {
        const contracts = [{ path: `${ROOT}/x/A.sol`, name: "A" }];
        const { found, skipped, places } = await workspaceDeployments(files, folders, contracts);
        const sentences = unreadableRecords(skipped, folders)?.sentences ?? [];
        return { found: found.map(({ record: path }) => path), places, sentences };
      };
      assert.deepEqual(await among([ROOT]), {
        found: [],
        places: [],
        sentences: [`/home/me/shared/${place} lies outside the open folders and is not read`],
      });
      const both = {
        found: [`/home/me/shared/${record}`],
        places: [`/home/me/shared/${place}`],
        sentences: [],
      };
      assert.deepEqual(await among([ROOT, "/home/me/shared"]), both);
      assert.deepEqual(await among(["/home/me"]), both);
    }
  });

  it("are named where they can't be read, and what was found in the others is there", async () => {
    const files = memoryFolders(
      below(ROOT, {
        ...MARKERS,
        ...HEALTHY,
        "x/A.sol": "contract A {}",
        "broadcast/Broken.s.sol/1/run-latest.json": "{",
      }),
    );
    const contracts = [{ path: `${ROOT}/x/A.sol`, name: "A" }];
    const { found, skipped } = await workspaceDeployments(files, [ROOT], contracts);
    assert.deepEqual(found.map(({ chainId }) => chainId).sort(), ["1", "1", "2", "3", "4"]);
    const unreadable = unreadableRecords(skipped, [ROOT]);
    assert.equal(
      unreadable && unreadableRecordsSentence(unreadable),
      "1 deployment record can't be read: broadcast/Broken.s.sol/1/run-latest.json is not valid JSON.",
    );
    assert.equal(unreadableRecords([{ path: `${ROOT}/foundry.toml`, reason: "x" }], [ROOT]), undefined);
  });
});

describe("A deployment and the contract of the workspace that it is of", () => {
  it("are brought together by path, by name, or by the code where two have one name", async () => {
    const metadata = (file: string) => ({ settings: { compilationTarget: { [file]: "Same" } } });
    const made = (name: string, address: string, input: string) => ({
      hash: HASH,
      transactionType: "CREATE",
      contractName: name,
      contractAddress: address,
      transaction: { input },
    });
    const files = memoryFolders(
      below(ROOT, {
        "foundry.toml": "",
        "src/a/Same.sol": "contract Same {}",
        "src/b/Same.sol": "contract Same {}",
        "src/One.sol": "contract One {}",
        "out/a/Same.sol/Same.json": JSON.stringify({
          bytecode: { object: "0x6001" },
          metadata: metadata("src/a/Same.sol"),
        }),
        "out/b/Same.sol/Same.json": JSON.stringify({
          bytecode: { object: `0x6002__$${"0".repeat(34)}$__` },
          metadata: metadata("src/b/Same.sol"),
        }),
        "broadcast/D.s.sol/1/run-latest.json": JSON.stringify({
          transactions: [
            made("Same", ADDRESS, "0x600273"),
            made("Same", OTHER, "0x6003"),
            made("One", `0x${"11".repeat(20)}`, "0x"),
            made("src\\b\\Same.sol:Same", `0x${"22".repeat(20)}`, "0x"),
            made("Nobody", `0x${"33".repeat(20)}`, "0x"),
          ],
        }),
      }),
    );
    const contracts = ["src/a/Same.sol", "src/b/Same.sol", "src/One.sol"].map((path) => ({
      path: `${ROOT}/${path}`,
      name: path.endsWith("One.sol") ? "One" : "Same",
    }));
    const { found } = await workspaceDeployments(files, [ROOT], contracts);
    assert.deepEqual(
      found.map(({ contract, defined }) => [contract, defined?.path.slice(ROOT.length + 1)]),
      [
        ["Same", "src/b/Same.sol"],
        ["Same", undefined],
        ["One", "src/One.sol"],
        ["src\\b\\Same.sol:Same", "src/b/Same.sol"],
        ["Nobody", undefined],
      ],
    );
    assert.ok(!JSON.stringify(found).includes("creationCode"), "the code is not kept");
  });

  it("are brought together where the contract lies above the project that deployed it, by path or by its build", async () => {
    const created = (contractName: string, contractAddress: string) => ({
      hash: HASH,
      transactionType: "CREATE",
      contractName,
      contractAddress,
      transaction: { input: "0x6001" },
    });
    const files = memoryFolders(
      below(ROOT, {
        "shared/Shared.sol": "contract Shared {}",
        "shared/Other.sol": "contract Other {}",
        "packages/app/foundry.toml": "",
        "packages/app/src/App.sol": "contract App {}",
        "packages/app/out/Shared.sol/Shared.json": JSON.stringify({
          metadata: { settings: { compilationTarget: { "../../shared/Shared.sol": "Shared" } } },
        }),
        "packages/app/broadcast/D.s.sol/1/run-latest.json": JSON.stringify({
          transactions: [
            created("Shared", ADDRESS),
            created("Other", OTHER),
            created("../../shared/Other.sol:Other", `0x${"11".repeat(20)}`),
          ],
        }),
      }),
    );
    const contracts = ["shared/Shared.sol", "shared/Other.sol", "packages/app/src/App.sol"].map((path) => ({
      path: `${ROOT}/${path}`,
      name: path.replace(/^.*\/|\.sol$/g, ""),
    }));
    const { found } = await workspaceDeployments(files, [ROOT], contracts);
    assert.deepEqual(
      found.map(({ contract, defined }) => [contract, defined?.path.slice(ROOT.length + 1)]),
      [
        ["Shared", "shared/Shared.sol"],
        // Nothing says that this project built it.
        ["Other", undefined],
        ["../../shared/Other.sol:Other", "shared/Other.sol"],
      ],
    );
  });
});

describe("The reader of SQLite tables", () => {
  it("reads what SQLite itself reads, for any page size, overflow and type", () => {
    const dice = random("SQLite tables");
    let rows = 0;
    for (let at = 0; at < 12; at++) {
      const folder = mkdtempSync(join(tmpdir(), "ledger-lens-"));
      const path = join(folder, "t.db");
      const database = new DatabaseSync(path);
      database.exec(`PRAGMA page_size = ${dice.pick([512, 1024, 4096, 65536])}`);
      database.exec(
        'CREATE TABLE other(a); CREATE TABLE "t"(id integer primary key, "a b" text, n real, i integer, CHECK (i > -9e18))',
      );
      const insert = database.prepare("INSERT INTO t VALUES(?, ?, ?, ?)");
      const count = dice.below(300);
      database.exec("BEGIN");
      for (let id = 1; id <= count; id++) {
        insert.run(
          id * 3,
          dice.pick([null, "ü", "s".repeat(dice.below(20_000)), "ö".repeat(dice.below(500))]),
          dice.pick([null, 0, 1.5, -1e300]),
          dice.pick([0, 1, -1, 127, -129, 40_000, -9_000_000, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER]),
        );
      }
      database.exec("COMMIT");
      const theirs = database.prepare("SELECT * FROM t").all();
      database.close();
      assert.equal(
        JSON.stringify(sqliteRows(new Uint8Array(readFileSync(path)), "t")),
        JSON.stringify(theirs),
      );
      rows += theirs.length;
      rmSync(folder, { recursive: true });
    }
    console.log(`rows compared: ${rows}`);
  });

  it("survives what is no database, and a damaged one", () => {
    assert.deepEqual(sqliteRows(new Uint8Array(), "t"), []);
    assert.deepEqual(sqliteRows(new TextEncoder().encode("SQLite format 3\0"), "t"), []);
    const dice = random("damaged SQLite");
    const whole = boaDatabase(
      Array.from({ length: 60 }, (_, id) => ({ contract_name: `C${id}`, source_code: "x".repeat(3_000) })),
    );
    for (let at = 0; at < 300; at++) {
      const damaged = whole.slice(0, dice.below(2) === 0 ? whole.length : dice.below(whole.length));
      for (let byte = 0; byte < 20; byte++)
        if (damaged.length > 16) damaged[16 + dice.below(damaged.length - 16)] = dice.below(256);
      assert.ok(Array.isArray(sqliteRows(damaged, "deployments")));
    }
  });
});
