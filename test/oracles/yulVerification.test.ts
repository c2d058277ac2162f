// The public service's own engine verifies what a chain runs by the input that the product makes of a Yul file.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { startChain, type Chain } from "../sandbox/chain.ts";
import { SolidityCompilers } from "../sandbox/solidityCompilers.ts";
import { Verifier, type Accepted } from "../sandbox/verificationService/verifier.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { writeTree } from "./writeTree.ts";

const STORE = `object "Store" {
  code {
    datacopy(0, dataoffset("runtime"), datasize("runtime"))
    return(0, datasize("runtime"))
  }
  object "runtime" {
    code {
      // The first word of the call is stored and given back.
      function first() -> value { value := calldataload(0) }
      sstore(0, first())
      mstore(0, sload(0))
      return(0, 32)
    }
  }
}
`;

describe("A Yul file", () => {
  const compilers = new SolidityCompilers();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "yul-project-")));
  let chain: Chain;
  before(async () => {
    writeTree(root, {
      "foundry.toml":
        '[profile.default]\nsrc = "src"\nsolc = "0.8.28"\noptimizer = true\noptimizer_runs = 1000\nevm_version = "cancun"\n',
      "src/Store.yul": STORE,
    });
    chain = await startChain();
  });
  after(async () => {
    await Promise.all([chain.stop(), compilers.stop()]);
    rmSync(root, { recursive: true });
  });

  it("is verified by its code, with the settings of the project and with no others", async () => {
    const contract = await findWorkspaceContract(diskFiles, [root], "src/Store.yul:Store");
    const input = await contractInput(diskFiles, [root], contract);
    assert.deepEqual(input.findings, []);
    const output = await compilers.compile("0.8.28", input.stdJsonInput);
    const code = output?.contracts?.["src/Store.yul"]?.["Store"]?.evm.bytecode.object ?? "";
    const { address, transactionHash } = await chain.deploy(`0x${code}`);
    const verifier = new Verifier(compilers, [chain]);
    const submission = (settings: typeof input.stdJsonInput.settings): Accepted => ({
      chainId: chain.chainId,
      address,
      creationTransactionHash: transactionHash,
      stdJsonInput: { ...input.stdJsonInput, settings },
      compilerVersion: input.compilerVersion,
      contractIdentifier: input.contractIdentifier,
    });
    // Yul has no metadata that could make it an exact match.
    const verdict = await verifier.verify(submission(input.stdJsonInput.settings));
    assert.equal(verdict.runtimeMatch, "match");
    const other = await verifier.verify(
      submission({ ...input.stdJsonInput.settings, optimizer: { enabled: false } }),
    );
    assert.equal(other.runtimeMatch, null);
  });
});
