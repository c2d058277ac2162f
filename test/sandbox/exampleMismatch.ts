import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { jobErrorOf, LocalVerifier } from "../../src/core/compilers/localVerifier.ts";
import type { MismatchExample } from "../../src/core/jobs/page/examplePage.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { SAMPLE_FILES } from "../../src/editor/verification/sampleProject.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { writeTree } from "../oracles/writeTree.ts";
import { solcPackages } from "../oracles/solcPackages.ts";
import { repositoryRoot } from "../rig/paths.ts";
import { startChain } from "./chain.ts";
import { installedCompilers } from "./installedCompilers.ts";
import { compileNow } from "./solcNow.ts";

const COUNTER = "src/Counter.sol";

/**
 * No account that a local chain comes with: what one of these deploys first has the same address on everybody's chain, and
 * would be taken for a contract of one's own.
 */
const SENDER = `0x${"e8".repeat(20)}`;

interface Compiled {
  readonly contracts: Readonly<
    Record<string, Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>
  >;
}

/**
 * The example of a mismatch that ships: the sample is deployed to a chain, its constant is changed as its README says, and
 * the public service's own engine compares.
 */
export async function exampleMismatch(): Promise<MismatchExample> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-example-")));
  const chain = await startChain();
  const { compilers, stop } = installedCompilers(solcPackages(repositoryRoot));
  try {
    const files = Object.fromEntries(SAMPLE_FILES);
    const counter = files[COUNTER] ?? "";
    writeTree(root, files);
    const { stdJsonInput: deployedInput, compilerVersion } = await counterInput(root);
    const [release = ""] = compilerVersion.split("+");
    const settings = { ...deployedInput.settings, outputSelection: { "*": { "*": ["evm.bytecode"] } } };
    const output = compileNow({ ...deployedInput, settings }, `solc-${release}`) as Compiled;
    const creationCode = `0x${output.contracts[COUNTER]?.["Counter"]?.evm.bytecode.object ?? ""}`;
    await chain.rpc("anvil_impersonateAccount", SENDER);
    await chain.rpc("anvil_setBalance", SENDER, "0xde0b6b3a7640000");
    const { address } = await chain.deploy(creationCode, SENDER);

    writeTree(root, { [COUNTER]: counter.replace("LARGEST_STEP = 10;", "LARGEST_STEP = 11;") });
    const input = await counterInput(root);
    const { chainId } = chain;
    const runtimeCode = await chain.rpc<string>("eth_getCode", address, "latest");
    const deployed = { chainId, address, runtimeCode, creationCode };
    const verdict = await new LocalVerifier(compilers).verify(input, deployed);
    if (verdict?.verdict !== "mismatch") throw new Error(`The example is no mismatch: ${verdict?.verdict}`);
    const { contractIdentifier, stdJsonInput } = input;
    const error = jobErrorOf(verdict, deployed);
    return { chainId, address, compilerVersion, contractIdentifier, stdJsonInput, error };
  } finally {
    await Promise.all([chain.stop(), stop()]);
    rmSync(root, { recursive: true });
  }
}

async function counterInput(root: string) {
  const contract = await findWorkspaceContract(diskFiles, [root], `${COUNTER}:Counter`);
  return contractInput(diskFiles, [root], contract);
}
