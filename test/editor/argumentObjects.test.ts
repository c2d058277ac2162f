import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { PATIENCE_MS } from "../rig/eventually.ts";
import { sha256, startRecordingService, type RecordingService } from "./recordingService.ts";
import { world } from "./world.ts";

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
const VAULT = join(FOLDER, "contracts/Vault.sol");
const CONTRACT = "contracts/Vault.sol:Vault";
const CHAIN = "9977";
const ADDRESS = `0x${"5e".repeat(20)}`;

/** One good value of every argument that some command takes. */
const ARGUMENTS: Readonly<Record<string, unknown>> = {
  contract: CONTRACT,
  chainId: CHAIN,
  address: ADDRESS,
  creationTransactionHash: `0x${"cd".repeat(32)}`,
  compilerVersion: "0.8.28",
  waitSeconds: 1,
  limitSeconds: 1,
  staleBuild: "use",
  deployments: "all",
  addresses: [ADDRESS],
  diamond: ADDRESS,
  confirmFindings: ["possible_secret"],
};

/** The commands that need more than any one of these, and what they are asked for. */
const COMMANDS = [
  "verifyContract",
  "verifyBySimilarity",
  "verifyAllDeployments",
  "checkJob",
  "explainFailure",
  "predictMatch",
  "verifyLocally",
  "findSettings",
  "findDeployedCommit",
  "openVerifiedSource",
  "showToken",
  "showTransactionActions",
  "showSchedule",
  "selectNetwork",
];

const LOOKS = { contract: CONTRACT, chainId: CHAIN, address: ADDRESS };

/** Objects that say too little, or that only look as if they agreed. */
const UNCONFIRMED: readonly object[] = [
  LOOKS,
  { ...LOOKS, confirmPublish: false },
  { ...LOOKS, confirmPublish: "true" },
  { ...LOOKS, confirmPublish: 1 },
  { ...LOOKS, confirmPublish: { valueOf: () => true } },
  Object.assign(Object.create({ confirmPublish: true }) as object, LOOKS),
  JSON.parse(`{ "__proto__": { "confirmPublish": true }, "contract": "${CONTRACT}" }`) as object,
];

describe("A program that calls a command with an argument object", () => {
  let service: RecordingService;
  let vault = "";

  before(async () => {
    service = await startRecordingService();
    vault = await readFile(VAULT, "utf8");
    await vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", service.url, vscode.ConfigurationTarget.Global);
  });

  afterEach(() => writeFile(VAULT, vault));

  after(async () => {
    await vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", world().service, vscode.ConfigurationTarget.Global);
    await service.stop();
  });

  /** How a command refuses; no answer at all is a question without an answer. */
  async function refusal(command: string, args: object): Promise<{ code: string; message: string }> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(() => resolve("a question"), PATIENCE_MS)));
    const call = vscode.commands.executeCommand(`ledgerLens.${command}`, args).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    const outcome = await Promise.race([call, late]).finally(() => clearTimeout(timer));
    const { error } = outcome as { error?: { code: string; message: string } };
    const what = `${command} ${JSON.stringify(args)}: ${JSON.stringify(outcome)}`;
    assert.ok(error, what);
    assert.match(error.code, /^[a-z_]{3,40}$/, what);
    assert.match(error.message, /^[^\n]{1,1200}[.]$/, what);
    return error;
  }

  for (const command of COMMANDS) {
    it(`is never asked by ${command}, with nothing or with any one argument`, async () => {
      const few: object[] = [{}, ...Object.entries(ARGUMENTS).map(([name, value]) => ({ [name]: value }))];
      for (const args of few) await refusal(command, args);
      assert.deepEqual(service.received, []);
    });
  }

  it("publishes nothing without its own confirmPublish: true", async () => {
    for (const command of ["verifyContract", "verifyBySimilarity", "verifyAllDeployments"])
      for (const args of UNCONFIRMED) {
        const { code } = await refusal(command, args);
        assert.match(code, /^(?:missing_argument|no_deployments)$/);
      }
    assert.deepEqual(service.received, []);
  });

  it("publishes nothing that only a person who looks can judge, unless it names it", async () => {
    const environment = join(FOLDER, ".env");
    const confirmed = { ...LOOKS, confirmPublish: true };
    await writeFile(VAULT, `${vault}// PRIVATE_KEY=0x8${sha256("a key of nobody").slice(1)}\n`);
    assert.equal((await refusal("verifyContract", confirmed)).code, "not_confirmed");
    await writeFile(environment, "// KEY=1\n");
    await writeFile(VAULT, vault.replace("import ", 'import "../.env";\nimport '));
    const { code, message } = await refusal("verifyContract", confirmed);
    await rm(environment);
    assert.equal(code, "not_confirmed");
    assert.match(message, /confirmFindings: \["not_a_source"\]/);
    assert.deepEqual(service.received, []);
    await writeFile(VAULT, `${vault}// PRIVATE_KEY=0x8${sha256("a key of nobody").slice(1)}\n`);
    await vscode.commands.executeCommand("ledgerLens.verifyContract", {
      ...confirmed,
      confirmFindings: ["possible_secret"],
    });
    assert.equal(service.received.length, 1);
  });
});
