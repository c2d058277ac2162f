import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { deployedSigns } from "../../../src/core/matching/deployedSigns.ts";
import { compileNow } from "../../sandbox/solcNow.ts";
import { compile, contract as contractOf } from "../evm/solc.ts";

const ROOT = "/home/me/vault";

type Files = Readonly<Record<string, string>>;

interface BuiltProject {
  readonly name: string;
  readonly files: Files;
  readonly contract: string;
  readonly identifier: string;
  /** Where the tool itself wrote the creation code. */
  readonly artifact: string;
}

/**
 * Projects as the real tools left them (forge 1.7.1, Hardhat 2.28 and 3.9 with solc 0.8.37): their own files and
 * what the tool wrote, reduced to what anybody reads.
 */
function builtProject(name: string): Files {
  return JSON.parse(readFileSync(new URL(`builtProjects/${name}.json`, import.meta.url), "utf8")) as Files;
}

const PROJECTS: readonly BuiltProject[] = [
  {
    name: "Foundry",
    files: builtProject("foundry"),
    contract: "src/Vault.sol:Vault",
    identifier: "src/Vault.sol:Vault",
    artifact: "out/Vault.sol/Vault.json",
  },
  {
    name: "Hardhat 2",
    files: builtProject("hardhat2"),
    contract: "contracts/Vault.sol:Vault",
    identifier: "contracts/Vault.sol:Vault",
    artifact: "artifacts/contracts/Vault.sol/Vault.json",
  },
  {
    name: "Hardhat 3",
    files: builtProject("hardhat3"),
    contract: "contracts/Vault.sol:Vault",
    identifier: "project/contracts/Vault.sol:Vault",
    artifact: "artifacts/contracts/Vault.sol/Vault.json",
  },
];

async function inputOf(
  files: Files,
  contract: string,
  options: ContractInputOptions = {},
): Promise<CompilerInput> {
  const reader = memoryFolders(below(ROOT, files));
  return contractInput(reader, [ROOT], await findWorkspaceContract(reader, [ROOT], contract), options);
}

/** The creation code that real solc makes of an input, with the hash of the metadata at its end. */
function compiled({ stdJsonInput, contractIdentifier }: CompilerInput): string {
  const colon = contractIdentifier.lastIndexOf(":");
  const settings = { ...stdJsonInput.settings, outputSelection: { "*": { "*": ["evm.bytecode.object"] } } };
  const output = compileNow({ ...stdJsonInput, settings }) as {
    readonly contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
  };
  return (
    output.contracts?.[contractIdentifier.slice(0, colon)]?.[contractIdentifier.slice(colon + 1)]?.evm
      .bytecode.object ?? ""
  );
}

function artifactCode(files: Files, artifact: string): string {
  const { bytecode } = JSON.parse(files[artifact] ?? "") as { bytecode: string | { object: string } };
  return (typeof bytecode === "string" ? bytecode : bytecode.object).replace(/^0x/, "");
}

/** An artifact whose metadata holds the sources, as `useLiteralContent` makes it. */
function withLiteralSources(files: Files, artifact: string): string {
  const json = JSON.parse(files[artifact] ?? "") as {
    rawMetadata?: string;
    metadata: { sources: Record<string, { content?: string }> };
  };
  const metadata =
    json.rawMetadata === undefined ? json.metadata : (JSON.parse(json.rawMetadata) as typeof json.metadata);
  for (const [name, source] of Object.entries(metadata.sources))
    source.content = (files[name] ?? "").replaceAll("\r\n", "\n");
  return JSON.stringify({ ...json, metadata, rawMetadata: JSON.stringify(metadata) });
}

for (const project of PROJECTS) {
  describe(`A contract of a ${project.name} project`, () => {
    const { files, contract, identifier, artifact } = project;

    it("is submitted as it was built", async () => {
      const input = await inputOf(files, contract);
      assert.equal(input.source, "build-info");
      assert.equal(input.compilerVersion, "0.8.37+commit.f401782d");
      assert.equal(input.contractIdentifier, identifier);
      assert.deepEqual(input.changedSinceBuild, []);
      assert.equal(compiled(input), artifactCode(files, artifact));
      assert.deepEqual(Object.keys(input.stdJsonInput).sort(), ["language", "settings", "sources"]);
      assert.ok(!JSON.stringify(input.stdJsonInput).includes("/home/me"), "no path of the machine goes");
    });

    it("goes without what the build compiled besides, which is kept for a second try", async () => {
      const input = await inputOf(files, contract);
      const names = Object.keys(input.stdJsonInput.sources);
      const whole = input.wholeBuild ?? assert.fail("the build compiled more");
      const wholeNames = Object.keys(whole.stdJsonInput.sources);
      const left = wholeNames.filter((name) => !names.includes(name));
      assert.ok(
        left.includes(
          contract.startsWith("src/")
            ? "src/Unrelated.sol"
            : identifier.replace("Vault.sol:Vault", "Unrelated.sol"),
        ),
        left.join(),
      );
      assert.ok(names.length + left.length === wholeNames.length);
      assert.deepEqual(input.files.map(({ name }) => name).sort(), names.sort());
      assert.deepEqual(whole.files.map(({ name }) => name).sort(), wholeNames.sort());
      assert.deepEqual(whole.stdJsonInput.settings, input.stdJsonInput.settings);
      assert.equal(compiled(input), artifactCode(files, artifact));
      assert.equal(compiled({ ...input, ...whole }), artifactCode(files, artifact));
      assert.match(input.warnings.join(), /Vault does not need; (?:it is|they are) left out/);
    });

    it("is derived to the same code when there is no build", async () => {
      const own = Object.fromEntries(
        Object.entries(files).filter(([path]) => !/^(?:out|cache|artifacts)\//.test(path)),
      );
      const input = await inputOf(own, contract);
      assert.equal(input.source, "derived");
      assert.equal(input.contractIdentifier, identifier);
      assert.equal(compiled(input), artifactCode(files, artifact));
    });

    it("is never taken silently from a build that is older than its files", async () => {
      const edited = {
        ...files,
        [contract.split(":")[0] ?? ""]: `${files[contract.split(":")[0] ?? ""] ?? ""}// more\n`,
      };
      const input = await inputOf(edited, contract);
      assert.equal(input.source, "build-info");
      assert.deepEqual(
        input.changedSinceBuild.map(({ name, change }) => [name, change]),
        [[identifier.slice(0, identifier.lastIndexOf(":")), "edited"]],
      );
      assert.match(
        input.warnings[0] ?? "",
        /Vault\.sol has changed since the build in (?:out|artifacts)\/build-info\//,
      );
      assert.equal(compiled(input), artifactCode(files, artifact), "what was built is what goes");
      await assert.rejects(inputOf(edited, contract, { staleBuild: "refuse" }), { code: "stale_build" });
      const skipped = await inputOf(edited, contract, { staleBuild: "skip" });
      assert.equal(skipped.source, "derived");
      assert.match(
        skipped.stdJsonInput.sources[identifier.slice(0, identifier.lastIndexOf(":"))]?.content ?? "",
        /\/\/ more/,
      );
    });

    it("is not called stale for a file that it does not need, changed or removed", async () => {
      const other = contract.replace("Vault.sol:Vault", "Unrelated.sol");
      const without = Object.fromEntries(Object.entries(files).filter(([path]) => path !== other));
      for (const [changed, code] of [
        [{ ...files, [other]: "contract Unrelated {}" }, "stale_whole_build"],
        [without, "not_on_disk"],
      ] as const) {
        const input = await inputOf(changed, contract, { staleBuild: "refuse" });
        assert.deepEqual(input.changedSinceBuild, []);
        assert.equal(input.wholeBuild, undefined, "a second try would send what no person was told of");
        const shown = await inputOf(changed, contract);
        assert.ok(shown.findings.some((finding) => finding.code === code));
      }
    });

    it("tells changed line endings from edits, and sends nothing for a file that is gone", async () => {
      const rounding = contract.replace("Vault.sol:Vault", "math/Rounding.sol");
      const { [rounding]: text = "", ...others } = files;
      const changed = await inputOf({ ...others, [rounding]: text.replaceAll("\r\n", "\n") }, contract);
      // forge reads every line ending as a line feed.
      assert.deepEqual(
        changed.changedSinceBuild.map(({ change }) => change),
        project.name === "Foundry" ? [] : ["line endings"],
      );
      // The text in the record may be that of any file; without it the import leads nowhere.
      await assert.rejects(inputOf(others, contract), { code: "import_not_found" });
    });

    it("says what was set by hand", async () => {
      const input = await inputOf(files, contract, { compilerVersion: "0.8.28" });
      assert.equal(input.compilerVersion, "0.8.28+commit.7893614a");
      assert.match(input.warnings.join(), /compiler 0\.8\.28\+commit\.7893614a instead of 0\.8\.37/);
    });
  });
}

describe("A contract of a Foundry project without build records", () => {
  const { files, contract, artifact } = PROJECTS[0] ?? assert.fail();
  const unrecorded = Object.fromEntries(
    Object.entries(files).filter(([path]) => !path.includes("build-info")),
  );

  it("is rebuilt from its metadata, every file checked by its hash", async () => {
    const input = await inputOf(unrecorded, contract);
    assert.equal(input.source, "metadata");
    assert.equal(compiled(input), artifactCode(files, artifact));
    assert.deepEqual(Object.keys(input.stdJsonInput.sources).sort(), [
      "lib/tokens/lib/base/src/Owned.sol",
      "lib/tokens/src/IToken.sol",
      "lib/tokens/src/Token.sol",
      "src/Vault.sol",
      "src/math/Rounding.sol",
    ]);
  });

  it("is derived, and says so, when a file has changed since", async () => {
    const input = await inputOf(
      { ...unrecorded, "lib/tokens/src/IToken.sol": "interface IToken {}" },
      contract,
    );
    assert.equal(input.source, "derived");
    assert.match(
      input.warnings.join(),
      /lib\/tokens\/src\/IToken\.sol has changed since the build in Vault\.json/,
    );
  });

  it("is refused to a program when a file was changed or removed since, also where the artifact holds the sources", async () => {
    const token = "lib/tokens/src/IToken.sol";
    const without = Object.fromEntries(Object.entries(unrecorded).filter(([path]) => path !== token));
    const withSources = { ...unrecorded, [artifact]: withLiteralSources(unrecorded, artifact) };
    for (const [changed, names] of [
      [{ ...unrecorded, [token]: "interface IToken {}" }, "has changed"],
      [without, "was removed"],
      [{ ...withSources, [token]: "interface IToken {}" }, "has changed"],
    ] as const) {
      await assert.rejects(inputOf(changed, contract, { staleBuild: "refuse" }), {
        code: "stale_build",
        message: `${token} ${names} since the build in Vault.json. Build again, or say that the recorded build is meant.`,
      });
    }
    assert.equal((await inputOf(unrecorded, contract, { staleBuild: "refuse" })).source, "metadata");
  });

  it("is shown to a person as what it is where the artifact holds sources that are no longer on disk", async () => {
    const token = "lib/tokens/src/IToken.sol";
    const changed = {
      ...unrecorded,
      [artifact]: withLiteralSources(unrecorded, artifact),
      [token]: "interface IToken {}",
    };
    const input = await inputOf(changed, contract);
    assert.equal(input.source, "metadata");
    assert.equal(input.stdJsonInput.sources[token]?.content, unrecorded[token]);
    assert.deepEqual(
      input.changedSinceBuild.map(({ name }) => name),
      [token],
    );
    assert.equal(input.findings[0]?.code, "stale_build");
    const skipped = await inputOf(changed, contract, { staleBuild: "skip" });
    assert.equal(skipped.source, "derived");
  });
});

describe("Two builds of one contract", () => {
  it("are told apart by the artifact, whichever is older", async () => {
    const { files, contract } = PROJECTS[1] ?? assert.fail();
    const [record = ""] = Object.keys(files).filter((path) => path.includes("build-info"));
    const other = JSON.parse(files[record] ?? "") as {
      input: { settings: { optimizer: { runs: number } } };
      output?: unknown;
    };
    other.input.settings.optimizer.runs = 7;
    delete other.output;
    const both = { ...files, "artifacts/build-info/0000.json": JSON.stringify(other) };
    const input = await inputOf(both, contract);
    assert.equal(input.stdJsonInput.settings.optimizer?.runs, 1000);
    const unnamed = Object.fromEntries(Object.entries(both).filter(([path]) => !path.endsWith(".dbg.json")));
    const guessed = await inputOf(unnamed, contract);
    assert.match(
      guessed.warnings.join(),
      /Several builds hold Vault and nothing tells which one was deployed/,
    );
  });
});

describe("A contract that forge built by several compiler profiles", () => {
  const SOURCE = `pragma solidity ^0.8.0;
contract Till {
  uint256 public total;
  function add(uint256 n) external { total += n; }
  function zero() external pure returns (uint256) { return 0; }
}`;
  const PROFILES: Readonly<Record<string, object>> = {
    "Till.json": { evmVersion: "osaka", optimizer: { enabled: true, runs: 200 } },
    "Till.old.json": { evmVersion: "berlin", optimizer: { enabled: true, runs: 200 } },
    "Till.plain.json": { evmVersion: "berlin", optimizer: { enabled: false, runs: 200 } },
  };

  for (const bytecodeHash of ["none", "ipfs"])
    it(`is submitted with the settings of the one that was deployed, with bytecode_hash ${bytecodeHash}`, async () => {
      const built = Object.entries(PROFILES).map(([name, profile]) => {
        const settings = { ...profile, metadata: { bytecodeHash } };
        return { name, made: contractOf(compile(SOURCE, settings, { file: "src/Till.sol" }), "Till") };
      });
      const files = {
        "foundry.toml": "[profile.default]\n",
        "src/Till.sol": SOURCE,
        ...Object.fromEntries(
          built.map(({ name, made }) => [
            `out/Till.sol/${name}`,
            JSON.stringify({ abi: [], bytecode: made.evm.bytecode, rawMetadata: made.metadata }),
          ]),
        ),
      };
      for (const { name, made } of built) {
        const input = await inputOf(files, "src/Till.sol:Till", {
          deployedSigns: deployedSigns(codeBytes(made.evm.deployedBytecode.object)),
        });
        assert.equal(input.record, `${ROOT}/out/Till.sol/${name}`);
        assert.equal(compiled(input), made.evm.bytecode.object);
      }
    });
});
