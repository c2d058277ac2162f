import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { LocalVerifier, type LocalVerdict } from "../../src/core/compilers/localVerifier.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { contractsIn } from "../../src/core/workspace/contracts.ts";
import { workspaceDeployments, type FoundDeployment } from "../../src/core/workspace/workspaceDeployments.ts";
import { SAMPLE_FILES } from "../../src/editor/verification/sampleProject.ts";
import { repositoryRoot } from "../rig/paths.ts";
import { startChain, type Chain } from "../sandbox/chain.ts";
import { installedCompilers } from "../sandbox/installedCompilers.ts";
import { startCompilerPrograms, type CompilerPrograms } from "./compilerPrograms.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { writeTree } from "./writeTree.ts";
import { forgeProgram } from "./forgeProgram.ts";
import { oraclePackages } from "./oraclePackages.ts";
import { solcPackages } from "./solcPackages.ts";

const COUNTER = "src/Counter.sol";
const textOf = (path: string) => SAMPLE_FILES.get(path) ?? assert.fail(`The sample has no ${path}`);

describe("The sample that Create Sample writes", () => {
  const { compilers, stop } = installedCompilers(solcPackages(repositoryRoot));
  let chain: Chain;
  let programs: CompilerPrograms;
  let home = "";
  let root = "";

  before(async () => {
    [chain, programs] = await Promise.all([startChain(), startCompilerPrograms()]);
    home = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-sample-")));
    root = join(home, "sample");
    writeTree(root, Object.fromEntries(SAMPLE_FILES));
    // Where forge keeps the compiler of its configuration once it has downloaded it.
    const [, version = ""] = /solc = "([\d.]+)"/.exec(textOf("foundry.toml")) ?? [];
    mkdirSync(join(home, ".svm", version), { recursive: true });
    symlinkSync(programs.program(version), join(home, ".svm", version, `solc-${version}`));
  });
  after(async () => {
    await Promise.all([chain.stop(), programs.stop(), stop()]);
    rmSync(home, { recursive: true, force: true });
  });

  /** Runs what README says, at the node of this test in the place of the one that a person starts. */
  async function deployAsReadmeSays(): Promise<FoundDeployment> {
    const local = /http:\/\/127\.0\.0\.1:8545/;
    const [, command = ""] = /^ {4}(forge script .*127\.0\.0\.1.*)$/m.exec(textOf("README.md")) ?? [];
    const { [`ledgerLens.rpcUrls`]: nodes } = JSON.parse(textOf(".vscode/settings.json")) as {
      "ledgerLens.rpcUrls": Record<string, string>;
    };
    assert.match(nodes[chain.chainId] ?? "", local, "the sample's settings name the node of its README");
    const [, ...args] = command.replace(local, chain.rpcUrl).split(" ");
    const env = { ...process.env, HOME: home, CI: "1" };
    await promisify(execFile)(forgeProgram(await oraclePackages()), args, { cwd: root, env });
    const contracts = contractsIn(join(root, COUNTER), readFileSync(join(root, COUNTER)));
    const { found } = await workspaceDeployments(diskFiles, [root], contracts);
    assert.deepEqual(
      found.map(({ recordedBy, chainId, contract }) => `${recordedBy} ${chainId} ${contract}`),
      ["foundry 31337 Counter"],
    );
    return found[0] ?? assert.fail();
  }

  async function verdictOf(deployment: FoundDeployment): Promise<LocalVerdict | undefined> {
    const contract = await findWorkspaceContract(diskFiles, [root], `${COUNTER}:Counter`);
    const input = await contractInput(diskFiles, [root], contract, { deployment });
    const { address, creationTransactionHash: hash } = deployment;
    const [runtimeCode, { input: creationCode }] = await Promise.all([
      chain.rpc<string>("eth_getCode", address, "latest"),
      chain.rpc<{ input: string }>("eth_getTransactionByHash", hash),
    ]);
    const deployed = { chainId: chain.chainId, address, runtimeCode, creationCode };
    return new LocalVerifier(compilers).verify(input, deployed);
  }

  it("is deployed as its README says and matches exactly, and does not once its constant was changed", async () => {
    const deployment = await deployAsReadmeSays();
    const verdict = await verdictOf(deployment);
    assert.equal(verdict?.verdict, "exact_match");
    assert.equal(verdict.engine.runtimeMatch, "exact_match");
    assert.equal(verdict.engine.creationMatch, "exact_match");

    const edited = textOf(COUNTER).replace("LARGEST_STEP = 10;", "LARGEST_STEP = 11;");
    assert.notEqual(edited, textOf(COUNTER));
    writeFileSync(join(root, COUNTER), edited);
    assert.equal((await verdictOf(deployment))?.verdict, "mismatch");
  });
});
