import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import {
  type StrangersCase,
  MINUTE,
  vault,
  library,
  usesDep,
  foundryToml,
  hardhatConfig,
  HARDHAT_SETTINGS,
  IGNORED,
  foundry,
  hardhat,
  hardhatCode,
  FOUNDRY_VAULT,
  HARDHAT_VAULT,
  dependency,
  addSubmodule,
  gitIn,
  threeStates,
  openZeppelin,
  owned4,
  ownedCode,
  npmLock,
  yarnLock,
  berryLock,
  pnpmLock,
  changedLock,
  vyperVault,
  vyperSteps,
} from "./strangersFiles.ts";
import { solc } from "./strangersWorld.ts";

/** Projects of every tool, whose files, settings and dependencies changed since the deployment. */
export const PROJECT_CASES: readonly StrangersCase[] = [
  {
    name: "Foundry: a submodule was bumped since",
    isSampled: true,
    async run(world) {
      const dep = dependency(world);
      const repository = world.repository();
      addSubmodule(repository, dep.repository.root, "lib/dep", dep.first);
      repository.commit("Start", foundry(usesDep(1)));
      const deployed = repository.commit("Deployed", { "src/Vault.sol": usesDep(2) });
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      gitIn(repository, "lib/dep", "checkout", "-q", dep.second);
      repository.commit("Bump");
      repository.commit("More", { "src/Vault.sol": usesDep(3) });
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Foundry: only the submodule differs between two commits",
    async run(world) {
      const dep = dependency(world);
      const repository = world.repository();
      addSubmodule(repository, dep.repository.root, "lib/dep", dep.first);
      repository.commit("Start", foundry(usesDep(1)));
      gitIn(repository, "lib/dep", "checkout", "-q", dep.second);
      const deployed = repository.commit("Bump");
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      gitIn(repository, "lib/dep", "checkout", "-q", dep.first);
      repository.commit("Back");
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Foundry: the submodule moved to another folder since",
    async run(world) {
      const dep = dependency(world);
      const repository = world.repository();
      addSubmodule(repository, dep.repository.root, "lib/dep", dep.first);
      const deployed = repository.commit("Deployed", foundry(usesDep(1)));
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      mkdirSync(join(repository.root, "dependencies"));
      repository.git("mv", "lib/dep", "dependencies/dep");
      repository.commit("Move", foundry(usesDep(2), foundryToml().replace('["lib"]', '["dependencies"]')));
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Foundry: the submodule's URL changed since",
    async run(world) {
      const dep = dependency(world);
      const repository = world.repository();
      addSubmodule(repository, dep.repository.root, "lib/dep", dep.first);
      const deployed = repository.commit("Deployed", foundry(usesDep(1)));
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      const moved = `${dep.repository.root}-moved`;
      renameSync(dep.repository.root, moved);
      repository.git("submodule", "set-url", "lib/dep", moved);
      gitIn(repository, "lib/dep", "checkout", "-q", dep.second);
      repository.commit("Another address", { "src/Vault.sol": usesDep(2) });
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Foundry: the submodule was removed and added again under another name from a fork",
    async run(world) {
      const dep = dependency(world);
      const repository = world.repository();
      addSubmodule(repository, dep.repository.root, "lib/dep", dep.first);
      const deployed = repository.commit("Deployed", foundry(usesDep(1)));
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      repository.git("rm", "-q", "-f", "lib/dep");
      repository.commit("Remove", { "src/Vault.sol": vault(1) });
      const fork = world.repository();
      const forked = fork.commit("fork", { "src/Dep.sol": library(9) });
      addSubmodule(repository, fork.root, "lib/dep", forked, "--name", "fork-of-dep");
      repository.commit("A fork", { "src/Vault.sol": usesDep(2) });
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Foundry: a submodule of a submodule",
    async run(world) {
      const dep = dependency(world);
      const outer = world.repository();
      addSubmodule(outer, dep.repository.root, "lib/dep", dep.first);
      const wrapper = (path: string) => `pragma solidity ^0.8.0;
import {Dep} from "${path}";
library Wrapper { function timesAndOne(uint256 a) internal pure returns (uint256) { return Dep.times(a) + 1; } }
`;
      const outerFirst = outer.commit("one", { "src/Wrapper.sol": wrapper("dep/Dep.sol") });
      gitIn(outer, "lib/dep", "checkout", "-q", dep.second);
      const outerSecond = outer.commit("two");
      const repository = world.repository();
      addSubmodule(repository, outer.root, "lib/outer", outerFirst);
      repository.git("submodule", "update", "-q", "--init", "--recursive");
      const uses = (figure: number) =>
        usesDep(figure, "outer/Wrapper.sol")
          .replace("{Dep}", "{Wrapper}")
          .replace("Dep.times", "Wrapper.timesAndOne");
      const deployed = repository.commit("Deployed", foundry(uses(1)));
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      gitIn(repository, "lib/outer", "checkout", "-q", outerSecond);
      gitIn(repository, "lib/outer", "submodule", "update", "-q", "--recursive");
      repository.commit("Bump", { "src/Vault.sol": uses(2) });
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Foundry: the submodule was never fetched",
    async run(world) {
      const dep = dependency(world);
      const origin = world.repository();
      addSubmodule(origin, dep.repository.root, "lib/dep", dep.first);
      origin.commit("Deployed", foundry(usesDep(1)));
      const at = origin.time + MINUTE;
      const code = await world.built(origin.root, "Foundry", "Vault");
      origin.commit("More", { "src/Vault.sol": usesDep(2) });
      const clone = world.newFolder();
      origin.git("clone", "-q", origin.root, clone);
      await world.findsNone({ root: clone, time: at }, { contract: FOUNDRY_VAULT, code, at }, /lib\/dep/);
    },
  },
  {
    name: "Foundry: the submodule's clone is shallow and lacks the old commit",
    async run(world) {
      const dep = dependency(world);
      const origin = world.repository();
      addSubmodule(origin, `file://${dep.repository.root}`, "lib/dep", dep.first);
      origin.commit("Deployed", foundry(usesDep(1)));
      const at = origin.time + MINUTE;
      const code = await world.built(origin.root, "Foundry", "Vault");
      gitIn(origin, "lib/dep", "checkout", "-q", dep.second);
      origin.commit("Bump", { "src/Vault.sol": usesDep(2) });
      const clone = world.newFolder();
      origin.git(
        "clone",
        "-q",
        "--recurse-submodules",
        "--shallow-submodules",
        `file://${origin.root}`,
        clone,
      );
      await world.findsNone(
        { root: clone, time: at },
        { contract: FOUNDRY_VAULT, code, at },
        new RegExp(`lib/dep.*${dep.first.slice(0, 7)}|${dep.first.slice(0, 7)}.*lib/dep`),
      );
    },
  },
  {
    name: "Foundry: the optimizer's runs changed in a commit of their own",
    isSampled: true,
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", foundry(vault(1)));
      const deployed = repository.commit("Deployed", foundry(vault(2), foundryToml({ runs: 1_000_000 })));
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      repository.commit("Runs", { "foundry.toml": foundryToml({ runs: 200 }) });
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Foundry: solc and remappings changed since",
    async run(world) {
      const repository = world.repository();
      const text = usesDep(1, "@dep/Dep.sol");
      const old = {
        ...foundry(text, foundryToml({ version: "0.8.19" })),
        "vendor/a/Dep.sol": library(3),
        "remappings.txt": "@dep/=vendor/a/\n",
      };
      const deployed = repository.commit("Deployed", old);
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      repository.commit("Another solc", { "foundry.toml": foundryToml() });
      repository.git("mv", "vendor", "external");
      repository.commit("Moved", { "remappings.txt": "@dep/=external/a/\n" });
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Foundry in a folder of a monorepo that moved, the folder alone open",
    async run(world) {
      const repository = world.repository();
      const at0 = (prefix: string, files: Record<string, string>) =>
        Object.fromEntries(Object.entries(files).map(([path, text]) => [`${prefix}/${path}`, text]));
      repository.commit("Start", { "README.md": "x\n", ...at0("packages/protocol", foundry(vault(1))) });
      const early = await world.built(join(repository.root, "packages/protocol"), "Foundry", "Vault");
      const deployed = repository.commit("Deployed", at0("packages/protocol", foundry(vault(2))));
      const at = repository.time + MINUTE;
      const code = await world.built(join(repository.root, "packages/protocol"), "Foundry", "Vault");
      repository.git("mv", "packages/protocol", "contracts");
      const move = repository.commit("Move");
      const last = repository.commit("More", at0("contracts", foundry(vault(3))));
      // Of what lies outside the open folder nothing is read.
      const inside = { contract: FOUNDRY_VAULT, code, at, folder: join(repository.root, "contracts") };
      await world.finds(repository, inside, move);
      const other = await world.built(join(repository.root, "contracts"), "Foundry", "Vault");
      await world.finds(repository, { ...inside, code: other }, last);
      await world.findsNone(
        repository,
        { ...inside, code: early },
        /lay in packages\/protocol\/src, outside the open folder/,
      );
      await world.finds(repository, { contract: `contracts/${FOUNDRY_VAULT}`, code, at }, deployed);
    },
  },
  {
    name: "Hardhat 2: the file was renamed with edits",
    isSampled: true,
    async run(world) {
      const repository = world.repository();
      const deployed = repository.commit("Deployed", hardhat(vault(1)));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      mkdirSync(join(repository.root, "contracts/core"));
      repository.git("mv", "contracts/Vault.sol", "contracts/core/MainVault.sol");
      repository.commit("Rename", { "contracts/core/MainVault.sol": `${vault(2)}// and more\n` });
      await world.finds(
        repository,
        { contract: "contracts/core/MainVault.sol:Vault", code, at },
        deployed,
        "exact_match",
      );
    },
  },
  {
    name: "Hardhat 2: the contract was renamed in its file",
    async run(world) {
      const repository = world.repository();
      const deployed = repository.commit("Deployed", hardhat(vault(1)));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      repository.commit("Rename", { "contracts/Vault.sol": vault(2, { name: "Treasury" }) });
      await world.finds(
        repository,
        { contract: "contracts/Vault.sol:Treasury", code, at },
        deployed,
        "exact_match",
      );
    },
  },
  {
    name: "Hardhat 2: file and contract were renamed together",
    async run(world) {
      const repository = world.repository();
      const deployed = repository.commit("Deployed", hardhat(vault(1)));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      repository.git("mv", "contracts/Vault.sol", "contracts/Treasury.sol");
      repository.commit("Rename", { "contracts/Treasury.sol": vault(1, { name: "Treasury" }) });
      await world.finds(
        repository,
        { contract: "contracts/Treasury.sol:Treasury", code, at },
        deployed,
        "exact_match",
      );
    },
  },
  {
    name: "Hardhat 2: the contract moved into another file that there was before",
    async run(world) {
      const repository = world.repository();
      const other = vault(7, { name: "Other" });
      const deployed = repository.commit("Deployed", { ...hardhat(vault(1)), "contracts/All.sol": other });
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      repository.git("rm", "-q", "contracts/Vault.sol");
      repository.commit("One file", {
        "contracts/All.sol": other + vault(2).split("\n").slice(2).join("\n"),
      });
      await world.finds(
        repository,
        { contract: "contracts/All.sol:Vault", code, at },
        deployed,
        "exact_match",
      );
    },
  },
  {
    name: "Hardhat 2: the file was deleted since",
    async run(world) {
      const { repository, second, code, at } = await threeStates(world);
      repository.git("rm", "-q", "contracts/Vault.sol");
      repository.commit("Gone");
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, second, "exact_match");
    },
  },
  {
    name: "Hardhat 2: the configuration became TypeScript with other settings",
    async run(world) {
      const repository = world.repository();
      const deployed = repository.commit("Deployed", hardhat(vault(1), hardhatConfig({ runs: 999 })));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root, {
        ...HARDHAT_SETTINGS,
        optimizer: { enabled: true, runs: 999 },
      });
      repository.git("rm", "-q", "hardhat.config.js");
      repository.commit("TypeScript", {
        "hardhat.config.ts": `import type { HardhatUserConfig } from "hardhat/config";
const config: HardhatUserConfig = { solidity: { version: "0.8.24", settings: { optimizer: { enabled: true, runs: 1 }, evmVersion: "paris" } } };
export default config;
`,
      });
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Hardhat 2, which became Foundry since",
    async run(world) {
      const repository = world.repository();
      const deployed = repository.commit("Deployed", hardhat(vault(1)));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      repository.git("rm", "-q", "hardhat.config.js", "package.json");
      mkdirSync(join(repository.root, "src"));
      repository.git("mv", "contracts/Vault.sol", "src/Vault.sol");
      repository.commit("Foundry", foundry(vault(2)));
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Hardhat 3",
    async run(world) {
      const config = (runs: number) =>
        `import { defineConfig } from "hardhat/config";\nexport default defineConfig({ solidity: { version: "0.8.28", settings: { optimizer: { enabled: true, runs: ${runs} }, evmVersion: "paris" } } });\n`;
      const files = (figure: number, runs: number) => ({
        "hardhat.config.ts": config(runs),
        "package.json":
          '{ "name": "project", "version": "1.0.0", "type": "module", "devDependencies": { "hardhat": "^3.0.0" } }\n',
        ".gitignore": IGNORED,
        "contracts/Vault.sol": vault(figure),
      });
      const repository = world.repository();
      repository.commit("Start", files(1, 200));
      const deployed = repository.commit("Deployed", files(2, 777));
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Hardhat 3", "Vault");
      repository.commit("More", files(3, 200));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "package-lock.json: the installed package is still the deployed one",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", { ...hardhat(owned4(11)), "package-lock.json": npmLock("5.0.2") });
      const deployed = repository.commit("Deployed", { "contracts/Vault.sol": owned4(22) });
      const at = repository.time + MINUTE;
      openZeppelin(world, repository.root, "5.0.2");
      const code = await ownedCode(world, repository.root);
      repository.commit("More", { "contracts/Vault.sol": owned4(33) });
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  ...(
    [
      ["package-lock.json", npmLock],
      ["yarn.lock", yarnLock],
      ["pnpm-lock.yaml", pnpmLock],
    ] as const
  ).map(([file, lock]): StrangersCase => ({
    name: `${file}: another version is installed than was deployed`,
    isSampled: file === "yarn.lock",
    async run(world) {
      const { repository, at, code } = await changedLock(world, file, lock, "5.1.0");
      await world.findsNone(
        repository,
        { contract: HARDHAT_VAULT, code, at },
        /@openzeppelin\/contracts.*5\.0\.2/,
      );
    },
  })),
  {
    name: "yarn.lock of a monorepo, packages installed above the project",
    async run(world) {
      const repository = world.repository();
      const project = (text: string) =>
        Object.fromEntries(
          Object.entries(hardhat(text)).map(([path, one]) => [`packages/protocol/${path}`, one]),
        );
      repository.commit("Start", {
        ...project(owned4(1)),
        "package.json": '{ "private": true, "workspaces": ["packages/*"] }\n',
        "yarn.lock": yarnLock("5.0.2"),
        ".gitignore": IGNORED,
      });
      const deployed = repository.commit("Deployed", project(owned4(2)));
      const at = repository.time + MINUTE;
      openZeppelin(world, repository.root, "5.0.2");
      const code = await ownedCode(world, repository.root, "node_modules", "packages/protocol/");
      // The range was written otherwise; the version is the same.
      repository.commit("Range", { "yarn.lock": yarnLock("5.0.2", "~5.0.2"), ...project(owned4(3)) });
      await world.finds(
        repository,
        { contract: `packages/protocol/${HARDHAT_VAULT}`, code, at },
        deployed,
        "exact_match",
      );
    },
  },
  {
    name: "Truffle, which became Hardhat since",
    async run(world) {
      const repository = world.repository();
      const config =
        'module.exports = { compilers: { solc: { version: "0.8.19", settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: "paris" } } } };\n';
      repository.commit("Start", { "truffle-config.js": config, "contracts/Vault.sol": vault(1) });
      const deployed = repository.commit("Deployed", { "contracts/Vault.sol": vault(2) });
      const at = repository.time + MINUTE;
      const code = await world.compiled(
        repository.root,
        solc("0.8.19"),
        { "project:/contracts/Vault.sol": "contracts/Vault.sol" },
        HARDHAT_SETTINGS,
        "project:/contracts/Vault.sol:Vault",
      );
      repository.git("rm", "-q", "truffle-config.js");
      repository.commit("Hardhat", hardhat(vault(3)));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "A plain folder whose pragma moved on, and whose file moved",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", { "Vault.sol": vault(1, { pragma: "0.7.6" }) });
      const deployed = repository.commit("Deployed", { "Vault.sol": vault(2, { pragma: "0.7.6" }) });
      const at = repository.time + MINUTE;
      const code = await world.compiled(
        repository.root,
        solc("0.7.6"),
        { "Vault.sol": "Vault.sol" },
        {},
        "Vault.sol:Vault",
      );
      mkdirSync(join(repository.root, "contracts"));
      repository.git("mv", "Vault.sol", "contracts/Vault.sol");
      repository.commit("Newer", { "contracts/Vault.sol": vault(2, { pragma: "0.8.28" }) });
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Vyper with an import that changed",
    async run(world) {
      const repository = world.repository();
      const files = (a: number, b: number) => ({
        "contracts/Vault.vy": vyperVault(a),
        "contracts/steps.vy": vyperSteps(b),
      });
      repository.commit("Start", files(1, 1));
      const deployed = repository.commit("Deployed", files(1, 3));
      const at = repository.time + MINUTE;
      const code = await world.compiledVyper(
        repository.root,
        "0.4.3+commit.bff19ea2",
        Object.keys(files(0, 0)),
        "contracts/Vault.vy",
      );
      repository.commit("More", files(2, 3));
      repository.commit("Import", files(2, 5));
      await world.finds(repository, { contract: "contracts/Vault.vy:Vault", code, at }, deployed);
    },
  },
  {
    name: "Vyper of an older release than now",
    async run(world) {
      const repository = world.repository();
      const text = (figure: number, pragma: string) => `# @version ${pragma}
total: public(uint256)

@external
def add(amount: uint256) -> uint256:
    self.total += amount * ${figure}
    return self.total
`;
      repository.commit("Start", { "contracts/Vault.vy": text(1, "0.3.10") });
      const deployed = repository.commit("Deployed", { "contracts/Vault.vy": text(2, "0.3.10") });
      const at = repository.time + MINUTE;
      const code = await world.compiledVyper(
        repository.root,
        "0.3.10+commit.91361694",
        ["contracts/Vault.vy"],
        "contracts/Vault.vy",
      );
      repository.commit("Newer", {
        "contracts/Vault.vy": text(2, "0.4.3").replace("# @version", "# pragma version"),
      });
      await world.finds(repository, { contract: "contracts/Vault.vy:Vault", code, at }, deployed);
    },
  },
  {
    name: "yarn.lock of Yarn's later form, and packages that are installed as they were",
    async run(world) {
      const { repository, deployed, at, code } = await changedLock(world, "yarn.lock", berryLock, "5.0.2");
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Installed packages that no lock file names",
    async run(world) {
      const repository = world.repository();
      repository.commit("Deployed", hardhat(owned4(1)));
      const at = repository.time + MINUTE;
      openZeppelin(world, repository.root, "5.0.2");
      const code = await ownedCode(world, repository.root);
      repository.commit("More", hardhat(owned4(2)));
      await world.findsNone(repository, { contract: HARDHAT_VAULT, code, at }, /@openzeppelin\/contracts/);
    },
  },
  {
    name: "Committed packages, which were bumped since",
    async run(world) {
      const repository = world.repository();
      const start = (figure: number) => ({ ...hardhat(owned4(figure)), ".gitignore": "artifacts/\n" });
      openZeppelin(world, repository.root, "5.0.2");
      const deployed = repository.commit("Deployed", start(1));
      const at = repository.time + MINUTE;
      const code = await ownedCode(world, repository.root);
      openZeppelin(world, repository.root, "5.1.0");
      repository.commit("Bump", start(2));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Vyper: the file was moved and renamed",
    async run(world) {
      const repository = world.repository();
      const text = (figure: number) => `# pragma version 0.4.3
total: public(uint256)
owner: public(address)

@deploy
def __init__():
    self.owner = msg.sender

@external
def add(amount: uint256) -> uint256:
    assert msg.sender == self.owner
    self.total += amount * ${figure}
    return self.total
`;
      const deployed = repository.commit("Deployed", { "contracts/Vault.vy": text(1) });
      const at = repository.time + MINUTE;
      const code = await world.compiledVyper(
        repository.root,
        "0.4.3+commit.bff19ea2",
        ["contracts/Vault.vy"],
        "contracts/Vault.vy",
      );
      mkdirSync(join(repository.root, "src"));
      repository.git("mv", "contracts/Vault.vy", "src/Vault.vy");
      repository.commit("Move", { "src/Vault.vy": text(2) });
      await world.finds(repository, { contract: "src/Vault.vy:Vault", code, at }, deployed);
      repository.git("mv", "src/Vault.vy", "src/Treasury.vy");
      repository.commit("Rename", { "src/Treasury.vy": text(3) });
      await world.finds(repository, { contract: "src/Treasury.vy:Treasury", code, at }, deployed);
    },
  },
  {
    name: "Code without a metadata hash: of commits that differ in comments alone the last before the deployment",
    async run(world) {
      const repository = world.repository();
      const bare = foundryToml({ more: 'bytecode_hash = "none"\ncbor_metadata = false\n' });
      repository.commit("Start", foundry(vault(1), bare));
      repository.commit("Code", foundry(vault(2), bare));
      const deployed = repository.commit("A comment", foundry(`// one\n${vault(2)}`, bare));
      const at = repository.time + 50 * MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      repository.commit("Another comment", foundry(`// two\n${vault(2)}`, bare));
      repository.commit("More", foundry(vault(3), bare));
      for (const from of [undefined, "main", "HEAD"])
        await world.finds(
          repository,
          { contract: FOUNDRY_VAULT, code, at, ...(from && { from }) },
          deployed,
          "match",
        );
    },
  },
  {
    name: "A submodule whose .git is a folder of its own, as old clones have it",
    async run(world) {
      const dep = dependency(world);
      const repository = world.repository();
      repository.git("clone", "-q", dep.repository.root, "lib/dep");
      gitIn(repository, "lib/dep", "checkout", "-q", dep.first);
      repository.git("submodule", "add", "-q", dep.repository.root, "lib/dep");
      assert.ok(existsSync(join(repository.root, "lib/dep/.git/HEAD")));
      const deployed = repository.commit("Deployed", foundry(usesDep(1)));
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      gitIn(repository, "lib/dep", "checkout", "-q", dep.second);
      repository.commit("Bump", { "src/Vault.sol": usesDep(2) });
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "A library that was a submodule and is vendored now, and the other way round",
    async run(world) {
      const dep = dependency(world);
      const repository = world.repository();
      addSubmodule(repository, dep.repository.root, "lib/dep", dep.first);
      const submodule = repository.commit("Submodule", foundry(usesDep(1)));
      const early = repository.time + MINUTE;
      const first = await world.built(repository.root, "Foundry", "Vault");
      repository.git("rm", "-q", "-f", "lib/dep");
      const vendored = repository.commit("Vendored", {
        ...foundry(usesDep(2)),
        "lib/dep/src/Dep.sol": library(7),
      });
      const late = repository.time + MINUTE;
      const second = await world.built(repository.root, "Foundry", "Vault");
      repository.commit("More", foundry(usesDep(3)));
      await world.finds(
        repository,
        { contract: FOUNDRY_VAULT, code: first, at: early },
        submodule,
        "exact_match",
      );
      await world.finds(
        repository,
        { contract: FOUNDRY_VAULT, code: second, at: late },
        vendored,
        "exact_match",
      );
    },
  },
  {
    name: "pnpm-lock.yaml of a monorepo, packages installed in the project",
    async run(world) {
      const repository = world.repository();
      const project = (text: string) =>
        Object.fromEntries(
          Object.entries(hardhat(text)).map(([path, one]) => [`packages/protocol/${path}`, one]),
        );
      repository.commit("Start", {
        ...project(owned4(1)),
        "package.json": '{ "private": true }\n',
        "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
        "pnpm-lock.yaml": pnpmLock("5.0.2").replace("  .:", "  .: {}\n\n  packages/protocol:"),
        ".gitignore": IGNORED,
      });
      const deployed = repository.commit("Deployed", project(owned4(2)));
      const at = repository.time + MINUTE;
      openZeppelin(world, join(repository.root, "packages/protocol"), "5.0.2");
      const code = await ownedCode(
        world,
        repository.root,
        "packages/protocol/node_modules",
        "packages/protocol/",
      );
      repository.commit("More", project(owned4(3)));
      await world.finds(
        repository,
        { contract: `packages/protocol/${HARDHAT_VAULT}`, code, at },
        deployed,
        "exact_match",
      );
    },
  },
  {
    name: "package.json names the very version, and nothing is locked",
    async run(world) {
      const repository = world.repository();
      const manifest = '{ "name": "p", "dependencies": { "@openzeppelin/contracts": "5.0.2" } }\n';
      repository.commit("Start", { ...hardhat(owned4(1)), "package.json": manifest });
      const deployed = repository.commit("Deployed", { "contracts/Vault.sol": owned4(2) });
      const at = repository.time + MINUTE;
      openZeppelin(world, repository.root, "5.0.2");
      const code = await ownedCode(world, repository.root);
      repository.commit("More", { "contracts/Vault.sol": owned4(3) });
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Hardhat 2: the folder of the sources was another one",
    async run(world) {
      const repository = world.repository();
      const moved = hardhatConfig().replace(
        "module.exports = {",
        'module.exports = {\n  paths: { sources: "./solidity" },',
      );
      const { "contracts/Vault.sol": text, ...others } = hardhat(vault(1), moved);
      const deployed = repository.commit("Deployed", { ...others, "solidity/Vault.sol": text });
      const at = repository.time + MINUTE;
      const code = await world.compiled(
        repository.root,
        solc("0.8.28"),
        { "solidity/Vault.sol": "solidity/Vault.sol" },
        HARDHAT_SETTINGS,
        "solidity/Vault.sol:Vault",
      );
      repository.git("mv", "solidity", "contracts");
      repository.commit("Move", hardhat(vault(2)));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Hardhat 2: overrides for the file were taken away since",
    async run(world) {
      const repository = world.repository();
      const overridden = `module.exports = {
  solidity: {
    compilers: [{ version: "0.8.28", settings: { optimizer: { enabled: true, runs: 1 }, evmVersion: "paris" } }],
    overrides: { "contracts/Vault.sol": { version: "0.8.24", settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: "paris" } } },
  },
};
`;
      const deployed = repository.commit("Deployed", hardhat(vault(1), overridden));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root, HARDHAT_SETTINGS, "0.8.24");
      repository.commit("Plain", hardhat(vault(1)));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "A library of the project that is linked, whose file was renamed since",
    async run(world) {
      const repository = world.repository();
      const files = (figure: number, helper: string) => ({
        ...hardhat(
          `pragma solidity ^0.8.0;\nimport {Helper} from "./${helper}.sol";\ncontract Vault { function f(uint256 a) external pure returns (uint256) { return Helper.g(a) + ${figure}; } }\n`,
        ),
        [`contracts/${helper}.sol`]:
          "pragma solidity ^0.8.0;\nlibrary Helper { function g(uint256 a) external pure returns (uint256) { return a * 3; } }\n",
      });
      const deployed = repository.commit("Deployed", files(1, "Helper"));
      const at = repository.time + MINUTE;
      const names = ["contracts/Vault.sol", "contracts/Helper.sol"];
      const unlinked = await world.compiled(
        repository.root,
        solc("0.8.28"),
        Object.fromEntries(names.map((name) => [name, name])),
        HARDHAT_SETTINGS,
        HARDHAT_VAULT,
      );
      // Linked with a library somewhere on the chain.
      const code = unlinked.replace(/__\$[0-9a-f]{34}\$__/g, "5f".repeat(20));
      repository.git("mv", "contracts/Helper.sol", "contracts/Helpers.sol");
      repository.commit("Rename", files(2, "Helpers"));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
];
