import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { proofSize } from "../../rig/proofSize.ts";
import { inputFrom } from "../compilerInput/inputFrom.ts";
import { random, type Random } from "../random.ts";

const ROOT = "/home/me/vault";
const PROJECTS = proofSize({ sample: 60, whole: 2_000 });
const VAULT = "pragma solidity ^0.8.0; contract Vault { uint256 public x; }";

/** A tool that is set up in a project. */
interface Tool {
  /** As records name what deployed with it. */
  readonly recordedBy: string;
  /** The optimizer's runs, by which its settings are told apart. */
  readonly runs: number;
  /** The folders that it compiles. */
  readonly folders: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

function hardhatOf(chance: Random): Tool {
  const major = chance.pick([2, 3]);
  const sources = chance.pick([undefined, "contracts", "./src/", "src"]);
  const paths = sources === undefined ? "" : `, paths: { sources: "${sources}" }`;
  const config = `{ solidity: { version: "0.8.20", settings: { optimizer: { enabled: true, runs: 11 } } }${paths} }`;
  const folder = sources?.replaceAll(/[./]/g, "") ?? "contracts";
  return {
    recordedBy: "hardhat-ignition",
    // Ignition compiles by the build profile production, which takes over no settings (checked with Hardhat 3.18).
    runs: major === 3 ? 200 : 11,
    folders: major === 3 ? [folder, "test"] : [folder],
    files: {
      "package.json": JSON.stringify({ type: "module", devDependencies: { hardhat: `^${major}.0.0` } }),
      ...(major === 2
        ? { "hardhat.config.cjs": `module.exports = ${config};` }
        : { "hardhat.config.ts": `export default ${config};` }),
    },
  };
}

function foundryOf(chance: Random): Tool {
  const source = chance.pick(["src", "contracts", "foundry/src", "./contracts/"]);
  const other =
    chance.below(3) === 0 ? `[profile.other]\nsrc = "${chance.pick(["contracts", "src", "lib"])}"\n` : "";
  return {
    recordedBy: "foundry",
    runs: 22,
    folders: [source.replaceAll(/^\.\/|\/$/g, ""), "test", "script"],
    files: {
      "foundry.toml": `[profile.default]\nsrc = "${source}"\nsolc = "0.8.24"\noptimizer = true\noptimizer_runs = 22\n${other}`,
    },
  };
}

function truffleOf(chance: Random): Tool {
  const folder = chance.pick(["contracts", "src"]);
  return {
    recordedBy: "truffle",
    runs: 33,
    folders: [folder],
    files: {
      "truffle-config.js": `module.exports = { contracts_directory: "./${folder}", compilers: { solc: { version: "0.8.19", settings: { optimizer: { enabled: true, runs: 33 } } } } };`,
    },
  };
}

/** Where the contract is, and which folders hold a source that imports it. */
interface Sources {
  readonly path: string;
  readonly importing: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

function sourcesOf(chance: Random): Sources {
  const path = `${chance.pick(["contracts", "src", "lib/kit", "shared", "contracts/deep"])}/Vault.sol`;
  const importing = ["contracts", "src", "foundry/src", "test", "script"].filter(() => chance.below(3) === 0);
  const files: Record<string, string> = { [path]: VAULT };
  for (const folder of ["contracts", "src"])
    files[`${folder}/Other.sol`] = "pragma solidity ^0.8.0; contract Other {}";
  for (const folder of importing) {
    const up = "../".repeat(folder.split("/").length);
    files[`${folder}/Importer.sol`] = `pragma solidity ^0.8.0; import "${up}${path}"; contract Importer {}`;
  }
  return { path, importing, files };
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

describe("A contract in a project of several tools", () => {
  it(`has the settings of the one that compiles and recorded it, in ${PROJECTS} random projects`, async () => {
    const chance = random("several tools");
    let compared = 0;
    for (let project = 0; project < PROJECTS; project++) {
      const [first, second] = chance.pick([
        [hardhatOf, foundryOf],
        [hardhatOf, truffleOf],
        [foundryOf, truffleOf],
      ]);
      const tools = [first(chance), second(chance)];
      if (chance.below(4) === 0 && first === hardhatOf && second === foundryOf) tools.push(truffleOf(chance));
      const { path, importing, files } = sourcesOf(chance);
      const all = Object.assign({}, files, ...tools.map((one) => one.files)) as Record<string, string>;
      for (const { recordedBy, runs, folders } of tools) {
        const isHeld = folders.some((folder) => isBelow(path, folder));
        const isImported = folders.some((folder) => importing.some((one) => isBelow(one, folder)));
        if (!isHeld && !isImported) continue;
        const deployment = { recordedBy, record: `${ROOT}/deployed.json` };
        const { stdJsonInput } = await inputFrom(ROOT, all, `${path}:Vault`, { deployment });
        assert.deepEqual(
          stdJsonInput.settings.optimizer,
          { enabled: true, runs },
          `${recordedBy} compiles ${path}: ${JSON.stringify(all, undefined, 2)}`,
        );
        compared++;
      }
    }
    assert.ok(compared >= PROJECTS / 2, `${compared} compared`);
  });
});
