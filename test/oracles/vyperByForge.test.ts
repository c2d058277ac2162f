// What real forge hands to real Vyper, and what the product makes of the same configuration.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { fieldAt } from "../../src/core/json/looseData.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { proofSize } from "../rig/proofSize.ts";
import { vyperEnvironment } from "../sandbox/vyperEnvironment.ts";
import { forgeProgram } from "./forgeProgram.ts";
import { oraclePackages } from "./oraclePackages.ts";
import { writeTree } from "./writeTree.ts";

const RELEASES = proofSize({ sample: ["0.3.10", "0.4.3"], whole: ["0.3.7", "0.3.10", "0.4.0", "0.4.3"] });
const TARGETS = proofSize({
  sample: [undefined, "paris"],
  whole: [undefined, "istanbul", "london", "paris", "shanghai", "cancun", "prague", "osaka"],
});

describe("A Vyper contract of a Foundry project", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "forge-vyper-")));
  after(() => {
    rmSync(root, { recursive: true, force: true });
  });

  for (const version of RELEASES)
    it(`is compiled by Vyper ${version} for the EVM version that forge hands to it`, async (test) => {
      const vyper = vyperEnvironment(version);
      if ("missing" in vyper) {
        test.skip(vyper.missing);
        return;
      }
      const forge = forgeProgram(await oraclePackages());
      // Berlin, which forge makes of London, is none for Vyper 0.4.
      const takes = (target: string | undefined) =>
        !version.startsWith("0.4") || !["istanbul", "london"].includes(target ?? "");
      for (const [at, target] of TARGETS.filter(takes).entries()) {
        const folder = join(root, `${version}-${at}`);
        const isExperimental = version === "0.4.3" && target === undefined;
        writeTree(folder, {
          "foundry.toml": [
            "[profile.default]",
            "build_info = true",
            ...(target === undefined ? [] : [`evm_version = "${target}"`]),
            "[profile.default.vyper]",
            `path = "${join(vyper.bin, "vyper")}"`,
            'optimize = "gas"',
            ...(isExperimental ? ["experimental_codegen = true"] : []),
          ].join("\n"),
          "src/Vault.vy": `# @version ${version}\n\n@external\ndef one() -> uint256:\n    return 1\n`,
        });
        await promisify(execFile)(forge, ["build", "--offline"], { cwd: folder });
        const [info = ""] = globSync("out/build-info/*.json", { cwd: folder });
        const built: unknown = JSON.parse(readFileSync(join(folder, info), "utf8"));
        const contract = await findWorkspaceContract(diskFiles, [folder], "src/Vault.vy:Vault");
        const { stdJsonInput } = await contractInput(diskFiles, [folder], contract, { sources: ["derived"] });
        for (const setting of ["evmVersion", "optimize", "experimentalCodegen"])
          assert.equal(
            stdJsonInput.settings[setting],
            fieldAt(built, "input", "settings", setting),
            `${setting} of ${version} for ${target ?? "what forge takes"}`,
          );
      }
    });
});
