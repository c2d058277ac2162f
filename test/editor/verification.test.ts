import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { StandardJsonInput } from "../../src/core/sources/standardJsonInput.ts";
import type { VerificationJob } from "../../src/core/service/job.ts";
import { eventually } from "../rig/eventually.ts";
import { vault, world } from "./world.ts";

interface Answer {
  readonly verificationId: string;
  readonly status: string;
  readonly job: VerificationJob | null;
  readonly explanation?: {
    readonly summary: string;
    readonly causes: readonly {
      readonly code: string;
      readonly confidence: number;
      readonly evidence: string;
    }[];
  };
}

const CONTRACT = "contracts/Vault.sol:Vault";

function call<T>(command: string, args: object): Thenable<T> {
  return vscode.commands.executeCommand<T>(`ledgerLens.${command}`, args);
}

describe("Verifying the sample", () => {
  let verified: Answer;

  it("verifies the deployed vault with an exact match", async () => {
    const { chainId } = world();
    verified = await call<Answer>("verifyContract", {
      contract: CONTRACT,
      chainId: Number(chainId),
      address: vault(0).address,
      confirmPublish: true,
    });
    assert.equal(verified.status, "exact_match");
    assert.equal(verified.job?.contract?.runtimeMatch, "exact_match");
    assert.match(verified.verificationId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(JSON.parse(JSON.stringify(verified)), verified);
  });

  it("says of a vault that is verified already that it is, without another job", async () => {
    const again = await call<Answer>("verifyContract", {
      contract: CONTRACT,
      chainId: world().chainId,
      address: vault(0).address,
      confirmPublish: true,
    });
    assert.equal(again.status, "exact_match");
    assert.equal(again.job, null);
  });

  it("checks the job by its id", async () => {
    const checked = await call<Answer>("checkJob", { verificationId: verified.verificationId });
    assert.equal(checked.status, "exact_match");
    assert.equal(checked.verificationId, verified.verificationId);
  });

  it("takes the absolute path and a short compiler version, and answers before the job is finished when asked to", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    const begun = await call<Answer>("verifyContract", {
      contract: join(folder, CONTRACT),
      chainId: world().chainId,
      address: vault(1).address,
      compilerVersion: "0.8.37",
      creationTransactionHash: vault(1).transactionHash.toUpperCase().replace("0X", "0x"),
      confirmPublish: true,
      waitSeconds: 0,
    });
    assert.equal(begun.status, "pending");
    const finished = await call<Answer>("checkJob", { verificationId: begun.verificationId });
    assert.equal(finished.status, "exact_match");
  });

  it("finds by similarity what has the same code", async () => {
    const similar = await call<Answer>("verifyBySimilarity", {
      chainId: world().chainId,
      address: vault(2).address,
      confirmPublish: true,
    });
    assert.equal(similar.status, "exact_match");
  });

  it("reports a changed constant as failed, with both bytecodes", async () => {
    const file = vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/"),
      "contracts/Vault.sol",
    ).fsPath;
    const original = await readFile(file, "utf8");
    await writeFile(file, original.replace("FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = 52;"));
    try {
      const changed = await call<Answer>("verifyContract", {
        contract: CONTRACT,
        chainId: world().chainId,
        address: vault(3).address,
        confirmPublish: true,
      });
      assert.equal(changed.status, "failed");
      assert.equal(changed.job?.error?.customCode, "no_match");
      assert.equal(
        changed.explanation?.causes[0]?.code,
        "edited_source",
        JSON.stringify(changed.explanation),
      );
      assert.match(changed.explanation.summary, /\.$/);
      assert.notEqual(changed.job.error.recompiledRuntimeCode, changed.job.error.onchainRuntimeCode);
    } finally {
      await writeFile(file, original);
    }
  });
});

describe("What the compiler at the service says", () => {
  const file = () =>
    vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/"),
      "contracts/Vault.sol",
    );
  const problems = () =>
    vscode.languages.getDiagnostics(file()).filter(({ source }) => source === "Ledger Lens");
  let original = "";

  before(async () => (original = await readFile(file().fsPath, "utf8")));
  afterEach(() => writeFile(file().fsPath, original));

  const submitBroken = async () => {
    await writeFile(file().fsPath, original.replace("FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = ;"));
    const broken = await call<Answer>("verifyContract", {
      contract: CONTRACT,
      chainId: world().chainId,
      address: vault(3).address,
      confirmPublish: true,
    });
    assert.equal(broken.job?.error?.customCode, "compiler_error");
    await eventually(() => {
      const [problem] = problems();
      const line = original.split("\n").findIndex((text) => text.includes("FEE_BASIS_POINTS = 25;"));
      assert.equal(problem?.range.start.line, line);
    });
  };

  it("is a problem of the file until that changes on disk", async () => {
    await submitBroken();
    await writeFile(file().fsPath, original);
    await eventually(() => assert.deepEqual(problems(), []));
  });

  it("is a problem of the file until the contract is verified in another way", async () => {
    await submitBroken();
    const similar = await call<Answer>("verifyBySimilarity", {
      chainId: world().chainId,
      address: vault(3).address,
      confirmPublish: true,
    });
    assert.equal(similar.status, "exact_match");
    await eventually(() => assert.deepEqual(problems(), []));
  });
});

describe("Exporting the compiler input", () => {
  it("answers the input and writes it where it was told to", async () => {
    const destination = join(tmpdir(), `ledger-lens-export-${process.pid}.json`);
    const exported = await call<{
      stdJsonInput: StandardJsonInput;
      contractIdentifier: string;
      compilerVersion: string;
      source: string;
    }>("exportCompilerInput", { contract: CONTRACT, compilerVersion: "v0.8.28", destination });
    assert.equal(exported.contractIdentifier, CONTRACT);
    assert.equal(exported.compilerVersion, "0.8.28+commit.7893614a");
    assert.equal(exported.source, "derived");
    assert.deepEqual(JSON.parse(await readFile(destination, "utf8")), exported.stdJsonInput);
    assert.ok(exported.stdJsonInput.sources["@openzeppelin/contracts/access/Ownable.sol"]);
    await rm(destination);
  });
});
