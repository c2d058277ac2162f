import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
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
import { targetEvmVersion } from "../../src/core/languages/codeRules.ts";
import { solcCode } from "../../src/core/languages/solidity/solcCode.ts";
import { completeSolcVersion } from "../../src/core/languages/solidity/solcReleases.ts";
import { withHardhatSettings } from "../../src/core/tools/hardhat/hardhatEdit.ts";
import type { CompilerSettings } from "../../src/core/sources/standardJsonInput.ts";
import { proofSize } from "../rig/proofSize.ts";
import { random } from "../unit/random.ts";
import { below, memoryFolders } from "../unit/files/memoryFolders.ts";
import { oraclePackages } from "./oraclePackages.ts";
import { randomSettings, writeConfig } from "./toolProjects/hardhatConfigs.ts";

interface Resolved {
  readonly version: string;
  readonly settings: CompilerSettings;
}

describe("A configuration of Hardhat 2 into which settings were written", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hardhat-edit-")));
  let version: string;

  before(async () => {
    const real = join(await oraclePackages(), "node_modules/hardhat-2");
    ({ version } = JSON.parse(readFileSync(join(real, "package.json"), "utf8")) as { version: string });
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(real, join(folder, "node_modules/hardhat"));
    writeFileSync(join(folder, "package.json"), '{ "name": "project" }');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What Hardhat itself makes of a configuration. */
  function resolved(name: string, text: string): Resolved | undefined {
    writeFileSync(join(folder, name), text);
    try {
      const print =
        "const { config } = require('hardhat'); console.log(JSON.stringify(config.solidity.compilers))";
      const env = {
        PATH: process.env["PATH"],
        HOME: folder,
        HARDHAT_CONFIG: join(folder, name),
        HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
      };
      const output = execFileSync(process.execPath, ["-e", print], { cwd: folder, env, encoding: "utf8" });
      const [first] = JSON.parse(output.slice(output.indexOf("["))) as Resolved[];
      return first;
    } finally {
      rmSync(join(folder, name));
    }
  }

  it("is one of which Hardhat makes just what was found", async () => {
    const dice = random("written Hardhat configurations");
    const count = proofSize({ sample: 4, whole: 150 });
    let written = 0;
    let refused = 0;
    while (written < count) {
      const releases = ["0.6.12", "0.7.6", "0.8.19", "0.8.24", "0.8.28"] as const;
      const [release, other] = [dice.pick(releases), dice.pick(releases)];
      const settings = randomSettings(dice, release);
      const compilers = [{ version: release, ...(settings && { settings }) }];
      const values = { major: 2, compilers, overrides: {}, paths: {}, more: {}, plugins: [] } as const;
      const config = writeConfig(dice, values);
      const [text] = Object.values(config.files);
      // What Hardhat reads TypeScript with is not here.
      if (text === undefined || !/\.c?js$/.test(config.name) || Object.keys(config.files).length > 1)
        continue;
      const given = resolved(config.name, text);
      assert.ok(given, text);
      const found: CompilerSettings = {
        ...given.settings,
        optimizer: { ...given.settings.optimizer, enabled: dice.below(2) === 0, runs: dice.below(10_000) },
        evmVersion: dice.pick(["istanbul", "berlin"]),
        metadata: { bytecodeHash: dice.pick(["none", "ipfs"]) },
      };
      const files = memoryFolders(
        below("/p", {
          [config.name]: text,
          "node_modules/hardhat/package.json": JSON.stringify({ name: "hardhat", version }),
        }),
      );
      const path = `/p/${config.name}`;
      const changed = await withHardhatSettings(
        text,
        { files, root: "/p", path, contract: "/p/contracts/A.sol", opened: "/p" },
        { compilerVersion: completeSolcVersion(release), settings: given.settings },
        { compilerVersion: completeSolcVersion(other), settings: found },
      );
      if (changed === undefined) {
        refused++;
        assert.notEqual(config.how, "literal", text);
        assert.ok(refused < 20 * count);
        continue;
      }
      written++;
      const made = resolved(config.name, changed);
      assert.equal(made?.version, other, changed);
      const plain = (of: CompilerSettings) => ({
        ...of,
        outputSelection: undefined,
        evmVersion: targetEvmVersion(of, solcCode, completeSolcVersion(other)),
        metadata: { bytecodeHash: "ipfs", useLiteralContent: false, ...(of["metadata"] as object) },
      });
      const { metadata: theirs, ...own } = plain(made.settings);
      const { metadata: wanted, ...rest } = plain(found);
      assert.deepEqual(own, rest, changed);
      assert.equal(theirs.bytecodeHash, wanted.bytecodeHash, changed);
    }
    console.log(`${written} written, ${refused} refused`);
  });
});
