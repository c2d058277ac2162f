import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { asRecord } from "../../../src/core/json/looseData.ts";
import type { Cause } from "../../../src/core/matching/explanation.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { isWholeProof, seed } from "../../rig/proofSize.ts";
import { corpusCompilers, corpusFolders } from "./corpora.ts";
import { KeptCompilations } from "./keptCompilations.ts";
import { runCase, type Build } from "./mismatchCase.ts";
import { registryContracts, type RegistryContract } from "./registryContracts.ts";
import { addedCheck, changedComparison, changedConstant } from "./sourceEdits.ts";
import { startWorld } from "./world.ts";

/** Contracts of 1,100 to 6,600 bytes, with the release that compiles each. */
const CONTRACTS: readonly (readonly [library: string, contract: string, version: string])[] = [
  ["@openzeppelin/contracts 4.9", "ERC20", "0.8.37"],
  ["@openzeppelin/contracts 4.9", "PaymentSplitter", "0.8.37"],
  ["@openzeppelin/contracts 4.9", "ProxyAdmin", "0.8.37"],
  ["@openzeppelin/contracts 4.9", "TokenTimelock", "0.8.37"],
  ["@openzeppelin/contracts 4.9", "ERC721", "0.8.19"],
  ["@openzeppelin/contracts 3.4", "ERC20PresetMinterPauser", "0.7.6"],
  ["@openzeppelin/contracts 3.4", "TokenTimelock", "0.7.6"],
  ["solmate 6.8", "RolesAuthority", "0.8.37"],
  ["solmate 6.8", "PlainToken", "0.8.37"],
  ["@uniswap/v3-core 1.0", "PricePool", "0.7.6"],
  ["@uniswap/v3-core 1.0", "PricePoolFactory", "0.7.6"],
  ["@safe-global/safe-contracts 1.4", "TokenCallbackHandler", "0.8.26"],
  ["solady 0.1", "Lifebuoy", "0.8.37"],
  ["erc721a 4.3", "Postcards", "0.8.37"],
  ["@openzeppelin/contracts 5.0", "SavingsVault", "0.8.37"],
  ["@openzeppelin/contracts-upgradeable 4.9", "RefundEscrowUpgradeable", "0.8.37"],
];

/** Those of which so few blocks are there twice that an edit may have made them. */
const TOO_FEW = ["TokenTimelock 0.7.6", "PricePool 0.7.6", "PricePoolFactory 0.7.6"];

/** A sample has one contract of so many. */
const SHARES = 5;

const EDITS = { addedCheck, changedComparison, changedConstant };

describe("Blocks that are there twice", () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  let contracts: readonly RegistryContract[] = [];
  before(async () => {
    world = await startWorld(new KeptCompilations(await corpusCompilers(false)));
    contracts = registryContracts(await corpusFolders());
  });
  after(() => world.stop());

  function settings(runs: number, details?: object): CompilerSettings {
    // No metadata hash tells what it was.
    return {
      optimizer: { enabled: true, runs, ...(details && { details }) },
      metadata: { bytecodeHash: "none" },
    };
  }

  async function causesOf(
    { contract, sources, constructorArguments }: RegistryContract,
    version: string,
    deployed: Pick<Build, "settings"> & Partial<Pick<Build, "sources">>,
  ): Promise<readonly Cause[]> {
    const build: Build = { contract, sources, version, settings: settings(200) };
    const { explanation } = await runCase(world, {
      name: contract,
      causes: [],
      deployed: { ...build, ...deployed },
      submitted: build,
      constructorArguments,
    });
    return explanation.causes;
  }

  const isOfBlocks = ({ action }: Cause) => {
    if (action?.kind !== "resubmit") return false;
    const optimizer = asRecord(asRecord(action.changes.settings)?.["optimizer"]);
    return asRecord(optimizer?.["details"])?.["deduplicate"] === false;
  };

  const found: string[] = [];
  /** Each is compiled six times. */
  const drawn = seed("blocks that are there twice") % SHARES;
  const lookedAt = CONTRACTS.filter((_, at) => isWholeProof() || at % SHARES === drawn);
  for (const [library, name, version] of lookedAt)
    it(`tell of ${library} ${name}, compiled by ${version}, that it was not deduplicated, and nothing else does`, async () => {
      const contract =
        contracts.find((one) => one.library === library && one.contract === name) ??
        assert.fail("it is there");
      const [first] = await causesOf(contract, version, { settings: settings(200, { deduplicate: false }) });
      const isFound = first !== undefined && isOfBlocks(first);
      if (isFound) found.push(name);
      assert.equal(isFound, !TOO_FEW.includes(`${name} ${version}`), first?.evidence);

      const content = contract.sources[contract.file] ?? "";
      const edited = Object.entries(EDITS).flatMap(([kind, edit]) => {
        const changed = edit(content, name);
        const isDeployed = kind !== "changedComparison" || name !== "PaymentSplitter";
        return changed === undefined || !isDeployed
          ? []
          : [{ ...contract.sources, [contract.file]: changed }];
      });
      for (const deployed of [
        ...edited.map((sources) => ({ sources, settings: settings(200) })),
        { settings: settings(1) },
        { settings: settings(1_000_000) },
      ])
        assert.ok(
          !(await causesOf(contract, version, deployed)).some(isOfBlocks),
          JSON.stringify(deployed.settings),
        );
    });

  it("tell so of most", () => {
    console.log(`not deduplicated, and found so: ${found.length} of ${lookedAt.length}`);
    const tooFew = lookedAt.filter(([, name, version]) => TOO_FEW.includes(`${name} ${version}`));
    assert.equal(found.length, lookedAt.length - tooFew.length);
  });
});
