import { codeBytes } from "../../../src/core/evm/hex.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { analyseCode } from "../../../src/core/matching/codeTraits.ts";
import { contains, runsInterval } from "../../../src/core/matching/runsInterval.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { EarlierTry } from "../../../src/core/matching/explanation.ts";
import { TriedSubmissions } from "../../../src/core/matching/triedSubmissions.ts";
import { withChanges } from "../../../src/core/matching/resubmission.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { vaultOfAges } from "../../sandbox/mismatches/contracts.ts";
import { compileNow } from "../../sandbox/solcNow.ts";

/** As small as a proxy is: no constant of it and no function is another one for other runs. */
const smallProxy = `
contract VaultOfAges {
    address target;
    constructor(address to) { target = to; }
    fallback() external payable { fall(); }
    function fall() internal { forward(implementation()); }
    function implementation() internal view returns (address) { return target; }
    function forward(address to) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
`;

const FILE = "contracts/VaultOfAges.sol";
const VERSION = "0.8.28";
const TARGET = { compilerVersion: VERSION, evmVersion: "cancun" } as const;

/** The runtime code that the vault has with some settings. */
function codeWith(settings: CompilerSettings, content = vaultOfAges): string {
  const output = compileNow(
    {
      language: "Solidity",
      sources: { [FILE]: { content } },
      settings: { ...settings, outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } } },
    },
    "solc-0.8.28",
  ) as { contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>> };
  return `0x${output.contracts[FILE]?.["VaultOfAges"]?.evm.deployedBytecode.object ?? ""}`;
}

function submission(settings: CompilerSettings, content = vaultOfAges): EarlierTry {
  return {
    compilerVersion: completeSolcVersion(VERSION),
    contractIdentifier: `${FILE}:VaultOfAges`,
    stdJsonInput: { language: "Solidity", sources: { [FILE]: { content } }, settings },
  };
}

const runsOf = (runs: number): CompilerSettings => ({ optimizer: { enabled: true, runs } });
/** Code up to its metadata, as the service compares it. */
const bare = (code: string) => code.slice(0, -2 * 53);

describe("The number of runs", () => {
  it("is bounded by the constants and the dispatcher of the code alone", () => {
    for (const runs of [1, 60, 200, 567, 1_000, 4_444, 10_000, 1_000_000]) {
      const { least, most } = runsInterval(analyseCode(codeBytes(codeWith(runsOf(runs)))), TARGET);
      assert.ok(least <= runs * 1.05 + 1 && most >= runs * 0.95 - 1, `${runs}: ${least} to ${most}`);
    }
    const off = analyseCode(codeBytes(codeWith({ optimizer: { enabled: false, runs: 200 } })));
    assert.ok(contains(runsInterval(off, TARGET), 200));
  });

  it("is found by pressing the button, each value once", () => {
    for (const [deployed, sent] of [
      [1_000, 200],
      [4_444, 1_000_000],
      [1, 1_000_000],
      [10_000_000, 1],
      [10_000, 1],
    ] as const) {
      const onchainRuntimeCode = codeWith(runsOf(deployed));
      const earlier: EarlierTry[] = [];
      const pressed: number[] = [];
      let settings = runsOf(sent);
      let code = codeWith(settings);
      while (bare(code) !== bare(onchainRuntimeCode)) {
        const submitted = submission(settings);
        const { causes } = atOnce(
          explainInPieces({
            error: { customCode: "no_match", message: "", onchainRuntimeCode, recompiledRuntimeCode: code },
            submitted,
            earlier,
          }),
        );
        const action = causes[0]?.action;
        assert.equal(causes[0]?.code, "optimizer_runs", `${deployed}, sent ${sent}: ${pressed.join()}`);
        assert.ok(action?.kind === "resubmit");
        assert.ok(!new TriedSubmissions({ submitted, earlier }).includes(action.changes));
        earlier.push({ ...submitted, recompiledRuntimeCode: code });
        ({ settings } = withChanges(submitted, action.changes).stdJsonInput);
        pressed.push(settings.optimizer?.runs ?? 200);
        code = codeWith(settings);
        assert.ok(pressed.length < 8, pressed.join());
      }
      assert.equal(new Set(pressed).size, pressed.length);
    }
  });

  it("gives way to the inliner where it makes no difference", () => {
    const onchainRuntimeCode = codeWith(
      { optimizer: { enabled: true, runs: 4_294_967_295, details: { inliner: false } } },
      smallProxy,
    );
    const earlier: EarlierTry[] = [];
    const pressed: string[] = [];
    let settings = runsOf(4_294_967_295);
    let code = codeWith(settings, smallProxy);
    while (bare(code) !== bare(onchainRuntimeCode)) {
      const submitted = submission(settings, smallProxy);
      const { causes } = atOnce(
        explainInPieces({
          error: { customCode: "no_match", message: "", onchainRuntimeCode, recompiledRuntimeCode: code },
          submitted,
          earlier,
        }),
      );
      const action = causes[0]?.action;
      assert.ok(action?.kind === "resubmit", `${pressed.join()}: ${causes[0]?.evidence ?? ""}`);
      earlier.push({ ...submitted, recompiledRuntimeCode: code });
      ({ settings } = withChanges(submitted, action.changes).stdJsonInput);
      pressed.push(action.label);
      code = codeWith(settings, smallProxy);
      assert.ok(pressed.length <= 4, pressed.join());
    }
    assert.equal(pressed.at(-1), "Resubmit With inliner off");
  });

  it("is not asked for again once every number was in vain: then the source differs", () => {
    const onchainRuntimeCode = codeWith(runsOf(200), vaultOfAges.replaceAll("age", "era"));
    const earlier = [1, 200, 1_000, 1_000_000].map((runs) => ({
      ...submission(runsOf(runs)),
      recompiledRuntimeCode: codeWith(runsOf(runs)),
    }));
    const [submitted] = earlier;
    assert.ok(submitted);
    const { causes } = atOnce(
      explainInPieces({
        error: {
          customCode: "no_match",
          message: "",
          onchainRuntimeCode,
          recompiledRuntimeCode: submitted.recompiledRuntimeCode,
        },
        submitted,
        earlier,
      }),
    );
    for (const { action } of causes)
      if (action?.kind === "resubmit")
        assert.ok(!new TriedSubmissions({ submitted, earlier }).includes(action.changes), action.label);
  });
});

describe("What was submitted before", () => {
  it("is known by what it means, not by how it is written", () => {
    const tried = new TriedSubmissions({ submitted: submission(runsOf(200)), earlier: [submission({})] });
    assert.ok(tried.includes({ settings: { optimizer: { enabled: true } } }));
    assert.ok(tried.includes({ settings: { evmVersion: "cancun" } }), "the default of the compiler");
    assert.ok(tried.includes({ settings: { optimizer: { enabled: false } } }));
    assert.ok(!tried.includes({ settings: { optimizer: { enabled: true, runs: 201 } } }));
    assert.ok(!tried.includes({ compilerVersion: completeSolcVersion("0.8.24") }));
    assert.equal(tried.count, 2);
  });
});

describe("An explanation of large codes", () => {
  it("is made in pieces, and is the same as at once", () => {
    const error = {
      customCode: "no_match",
      message: "",
      onchainRuntimeCode: codeWith(runsOf(1)),
      recompiledRuntimeCode: codeWith({ viaIR: true, ...runsOf(1_000_000) }),
    };
    const input = { error, submitted: submission({ viaIR: true, ...runsOf(1_000_000) }) };
    let pieces = 0;
    for (const work = explainInPieces(input); !work.next().done;) pieces++;
    assert.ok(pieces > 20, `${pieces}`);
    assert.deepEqual(atOnce(explainInPieces(input)), atOnce(explainInPieces(input)));
  });
});
