import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { longIt } from "../../rig/longTest.ts";
import { LocalVerifier } from "../../../src/core/compilers/localVerifier.ts";
import { asText, fieldAt, parseJson } from "../../../src/core/json/looseData.ts";
import { withChanges, type Submittable } from "../../../src/core/matching/resubmission.ts";
import type { SettingChanges } from "../../../src/core/matching/explanation.ts";
import {
  searchSettings,
  type SettingsProgress,
  type SettingsSearchResult,
} from "../../../src/core/settingsSearch/settingsSearch.ts";
import type { CompileRelease } from "../../../src/core/settingsSearch/settingsAttempt.ts";
import { firstCompilerError } from "../../../src/core/service/failure.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { COMPILER_THREADS, installedCompilers } from "../../sandbox/installedCompilers.ts";
import { solcPackages } from "../solcPackages.ts";
import { linkedAt } from "../../../src/core/evm/hex.ts";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

library Fees {
    function of_(uint256 amount, uint256 points) public pure returns (uint256) {
        return (amount * points) / 10_000;
    }
}

contract Till {
    address public owner = msg.sender;
    mapping(address => uint256) public paid;
    uint256 public total;

    function pay() external payable {
        require(msg.value > 0, "nothing paid");
        paid[msg.sender] += msg.value;
        total += msg.value;
    }

    function take(uint256 amount) external {
        require(amount <= paid[msg.sender], "not so much");
        paid[msg.sender] -= amount;
        payable(msg.sender).transfer(amount - Fees.of_(amount, 25));
    }

    function hand(address to) external {
        require(msg.sender == owner, "only the owner");
        owner = to;
    }

    function all(address[] calldata many) external view returns (uint256 sum) {
        for (uint256 at = 0; at < many.length; at++) sum += paid[many[at]];
    }
}
`;

const LIBRARY = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const FILE = "contracts/Till.sol";

const GIVEN: Submittable = {
  compilerVersion: "0.8.28+commit.7893614a",
  contractIdentifier: `${FILE}:Till`,
  stdJsonInput: {
    language: "Solidity",
    sources: { [FILE]: { content: SOURCE } },
    settings: { optimizer: { enabled: true, runs: 200 } },
  },
};

const withSettings = (settings: SettingChanges) => withChanges(GIVEN, { settings });
const withSource = (submission: Submittable, content: string): Submittable => ({
  ...submission,
  stdJsonInput: { ...submission.stdJsonInput, sources: { [FILE]: { content } } },
});

describe("A search for settings", () => {
  const { compilers, compile, stop } = installedCompilers(solcPackages(repositoryRoot));
  after(stop);

  /** The code of a build as it lies on a chain, with its library linked. */
  async function deployedCode({ compilerVersion, stdJsonInput }: Submittable): Promise<string> {
    const settings = {
      ...stdJsonInput.settings,
      outputSelection: { "*": { "*": ["evm.deployedBytecode"] } },
    };
    const input = JSON.stringify({ ...stdJsonInput, settings });
    const answer = await compile(compilerVersion, input, new AbortController().signal);
    const till = fieldAt(parseJson(answer ?? ""), "contracts", FILE, "Till");
    const code = asText(fieldAt(till, "evm", "deployedBytecode", "object"));
    assert.ok(code !== undefined && code !== "");
    return `0x${linkedAt(code, LIBRARY.slice(2))}`;
  }

  async function search(
    runtimeCode: string,
    given = GIVEN,
    more: {
      compile?: CompileRelease;
      limitSeconds?: number;
      signal?: AbortSignal;
      onProgress?: (progress: SettingsProgress) => void;
    } = {},
  ): Promise<SettingsSearchResult> {
    const verifier = new LocalVerifier(compilers);
    const deployed = { chainId: "1", address: LIBRARY, runtimeCode };
    return searchSettings(given, runtimeCode, {
      compile,
      prove: (submission, signal) => verifier.verify(submission, deployed, { signal }),
      threads: COMPILER_THREADS,
      limitSeconds: 60,
      ...more,
    });
  }

  it("finds the number of runs that only the deployment knows, to the last digit", async () => {
    const { found, tried } = await search(
      await deployedCode(withSettings({ optimizer: { enabled: true, runs: 7_531 } })),
    );
    assert.equal(found?.verdict.verdict, "exact_match", JSON.stringify(tried));
    assert.equal(found.submission.stdJsonInput.settings.optimizer?.runs, 7_531);
    assert.equal(found.what, "runs 7,531");
  });

  // Dozens of attempts.
  longIt(
    "finds three settings at once where a comment was edited since, and no metadata hash tells",
    async () => {
      const deployed = withSettings({
        viaIR: true,
        evmVersion: "paris",
        optimizer: { enabled: true, runs: 1_000_000 },
      });
      const edited = withSource(GIVEN, SOURCE.replace("pragma", "// edited since\npragma"));
      const { found, tried } = await search(await deployedCode(deployed), edited);
      assert.equal(found?.verdict.verdict, "match", JSON.stringify(tried));
      const { settings } = found.submission.stdJsonInput;
      assert.equal(settings["viaIR"], true);
      assert.equal(settings.evmVersion, "paris");
    },
  );

  it("finds the release that the deployed code names", async () => {
    const { found } = await search(
      await deployedCode({ ...GIVEN, compilerVersion: "0.8.24+commit.e11b9ed9" }),
    );
    assert.equal(found?.verdict.verdict, "exact_match");
    assert.equal(found.submission.compilerVersion, "0.8.24+commit.e11b9ed9");
    assert.equal(found.what, "0.8.24");
  });

  it("reads the addresses of libraries that were in the settings from the deployed code", async () => {
    const linked = withSettings({ libraries: { [FILE]: { Fees: LIBRARY } }, optimizer: { runs: 1 } });
    const { found, tried } = await search(await deployedCode(linked));
    assert.equal(found?.verdict.verdict, "exact_match", JSON.stringify(tried));
    assert.deepEqual(found.submission.stdJsonInput.settings["libraries"], { [FILE]: { Fees: LIBRARY } });
  });

  it("leaves the files as they are where the service tries their line endings by itself", async () => {
    const { found } = await search(await deployedCode(withSource(GIVEN, SOURCE.replaceAll("\n", "\r\n"))));
    assert.equal(found?.verdict.verdict, "exact_match");
    assert.equal(found.what, "as given");
  });

  const PART = "// SPDX-License-Identifier: MIT\npragma solidity >=0.8.20;\n\ncontract Part {}\n";
  const withPart = (content: string): Submittable => ({
    ...GIVEN,
    stdJsonInput: {
      ...GIVEN.stdJsonInput,
      sources: {
        [FILE]: { content: `${SOURCE}import "./Part.sol";\n` },
        "contracts/Part.sol": { content },
      },
    },
  });

  function assertPartAloneIsOfWindows({ stdJsonInput: { sources } }: Submittable): void {
    assert.ok(sources["contracts/Part.sol"]?.content.includes("\r\n"));
    assert.ok(!sources[FILE]?.content.includes("\r\n"));
  }

  it("finds the one file that had other line endings", async () => {
    const code = await deployedCode(withPart(PART.replaceAll("\n", "\r\n")));
    const { found } = await search(code, withPart(PART));
    assert.equal(found?.verdict.verdict, "exact_match");
    assertPartAloneIsOfWindows(found.submission);
  });

  longIt(
    "finds the one file that had other line endings where the number of runs leaves no trace either",
    async () => {
      const deployed = withChanges(withPart(PART.replaceAll("\n", "\r\n")), {
        settings: { optimizer: { runs: 10_000 }, evmVersion: "shanghai" },
      });
      const given = withChanges(withPart(PART), { settings: { evmVersion: "shanghai" } });
      const { found, tried } = await search(await deployedCode(deployed), given);
      assert.equal(found?.verdict.verdict, "exact_match", JSON.stringify(tried));
      assert.equal(found.submission.stdJsonInput.settings.optimizer?.runs, 10_000);
      assertPartAloneIsOfWindows(found.submission);
    },
  );

  it("finds the optimizer steps that are written against a stack that is too deep", async () => {
    const given = withSettings({ viaIR: true });
    const deployed = withChanges(given, {
      settings: { optimizer: { details: { yulDetails: { optimizerSteps: "u" } } } },
    });
    const { found, tried } = await search(await deployedCode(deployed), given);
    assert.equal(found?.verdict.verdict, "exact_match", JSON.stringify(tried));
  });

  it("finds a build without metadata where the project writes out that its hash is one of IPFS", async () => {
    const given = withSettings({ metadata: { bytecodeHash: "ipfs", appendCBOR: true } });
    const deployed = withSettings({
      metadata: { bytecodeHash: "none", appendCBOR: false },
      optimizer: { enabled: false },
    });
    const { found, tried } = await search(await deployedCode(deployed), given);
    assert.equal(found?.verdict.verdict, "match", JSON.stringify(tried));
  });

  longIt("finds nothing for another contract, and says how near it came when the time is up", async () => {
    const other = withSource(GIVEN, SOURCE.replace(", 25)", ", 52)"));
    const told: SettingsProgress[] = [];
    const { found, tried, seconds } = await search(await deployedCode(other), GIVEN, {
      // Not from the cache, from which all that can be tried comes before the time is up.
      compile: async (version, input, signal) =>
        (await compilers.ask(version, { kind: "compile", input }, { signal }))?.answer,
      limitSeconds: 4,
      onProgress: (progress) => told.push(progress),
    });
    assert.equal(found, undefined);
    assert.ok(seconds >= 3.9 && seconds < 60, `${seconds} s`);
    assert.ok(tried.length > 0 && tried.every(({ distance }) => distance > 0 && distance <= 1));
    assert.equal(told.at(-1)?.tried, tried.length);
    assert.equal(told.at(-1)?.best?.distance, Math.min(...tried.map(({ distance }) => distance)));
  });

  it("ends soon where the sources compile with no settings, with what the compiler said first", async () => {
    const broken = withSource(GIVEN, SOURCE.replace("total += msg.value", "totals += msg.value"));
    const { found, tried, messages } = await search(await deployedCode(GIVEN), broken);
    assert.equal(found, undefined);
    assert.ok(tried.length <= 16 + COMPILER_THREADS, `${tried.length}`);
    assert.ok(tried.every(({ distance }) => distance === 1));
    const error = { customCode: "compiler_error", message: "", errorData: { compilerErrors: messages } };
    assert.equal(
      firstCompilerError(error as never),
      'contracts/Till.sol:18: Undeclared identifier. Did you mean "total"?',
    );
  });

  it("ends when it is cancelled", async () => {
    const code = await deployedCode(withSource(GIVEN, SOURCE.replace(", 25)", ", 52)")));
    const abort = new AbortController();
    const searching = search(code, GIVEN, { signal: abort.signal, onProgress: () => abort.abort() });
    await assert.rejects(searching, { name: "AbortError" });
  });

  it("says which release is missing where the one that made the code can't be had", async () => {
    // 0.8.19, as the code says it.
    const code = (await deployedCode(GIVEN)).replace(/64736f6c634300081c0033$/, "64736f6c63430008130033");
    assert.match(code, /130033$/);
    const { found, tried, missing } = await search(code);
    assert.equal(found, undefined);
    assert.deepEqual(tried, []);
    assert.equal(missing, "0.8.19+commit.7dd6d404");
  });
});
