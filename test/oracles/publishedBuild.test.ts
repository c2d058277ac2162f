import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { oraclePackages } from "./oraclePackages.ts";
import { overlaidFolders } from "./overlaidFolders.ts";
import { proofSize } from "../rig/proofSize.ts";
import { hashesIn, hashesOf } from "./sourceHashes.ts";

/** A package whose authors published the whole Foundry project, with the `out` folder of their own build. */
const PACKAGE = "@uniswap/v4-core";

/** One of so many of its contracts is compared. */
const ONE_OF = proofSize({ sample: 4, whole: 1 });

interface Metadata {
  readonly compiler: { readonly version: string };
  readonly settings: {
    readonly compilationTarget: Readonly<Record<string, string>>;
    readonly remappings: readonly string[];
    readonly optimizer: object;
    readonly evmVersion: string;
    readonly viaIR: boolean;
    readonly metadata: { readonly bytecodeHash: string };
  };
}

describe("A Foundry project that its authors built elsewhere and published", () => {
  it("is derived, without their build, to the input that their metadata describes", async () => {
    const root = join(await oraclePackages(), "node_modules", PACKAGE);
    const reader = overlaidFolders(diskFiles, { hidden: [join(root, "out")] });
    let compared = 0;
    for (const path of globSync("out/**/*.json", { cwd: root })
      .sort()
      .filter((_, at) => at % ONE_OF === 0)) {
      const { rawMetadata = "", bytecode } = JSON.parse(readFileSync(join(root, path), "utf8")) as {
        rawMetadata?: string;
        bytecode?: { object: string };
      };
      if (rawMetadata === "" || bytecode?.object === "0x") continue;
      const { compiler, settings } = JSON.parse(rawMetadata) as Metadata;
      const [[name, contract] = ["", ""]] = Object.entries(settings.compilationTarget);
      const found = await findWorkspaceContract(reader, [root], `${name}:${contract}`);
      const input = await contractInput(reader, [root], found, { sources: ["derived"] });
      const ours = input.stdJsonInput.settings as Partial<Metadata["settings"]>;
      assert.equal(input.contractIdentifier, `${name}:${contract}`);
      assert.equal(input.compilerVersion, compiler.version);
      assert.deepEqual(hashesOf(input.stdJsonInput), hashesIn(rawMetadata), input.contractIdentifier);
      // Metadata writes a remapping without a context with a colon before it.
      assert.deepEqual(ours.remappings?.map((one) => `:${one}`).sort(), [...settings.remappings].sort());
      assert.deepEqual(ours.optimizer, settings.optimizer);
      assert.equal(ours.evmVersion, settings.evmVersion);
      assert.equal(ours.viaIR, settings.viaIR);
      assert.equal(ours.metadata?.bytecodeHash, settings.metadata.bytecodeHash);
      compared++;
    }
    console.log(`${PACKAGE}: ${compared} contracts are derived as their authors built them`);
    assert.ok(compared >= 100 / ONE_OF, "the package holds its authors' build");
  });
});
