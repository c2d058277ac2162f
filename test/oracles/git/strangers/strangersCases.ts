import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gitAt, type TestRepository } from "../repository.ts";
import { solc, treeHash, type Code, type StrangersWorld } from "./strangersWorld.ts";

/** A repository that a stranger may have, and what is to be found in it. */
export interface StrangersCase {
  readonly name: string;
  /** Tried in every run, since it is quick. */
  readonly isSampled?: boolean;
  run(world: StrangersWorld): Promise<void>;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** A contract whose code tells which figure is in it. */
function vault(
  figure: number,
  { name = "Vault", imports = "", is = "", pragma = "^0.8.0", more = "" } = {},
): string {
  return `// SPDX-License-Identifier: MIT
pragma solidity ${pragma};
${imports}contract ${name} ${is}{
${more}  uint256 public total;
  function add(uint256 amount) external returns (uint256) { total += amount * ${figure}; return total; }
}
`;
}

const library = (figure: number) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Dep { function times(uint256 a) internal pure returns (uint256) { return a * ${figure}; } }
`;

const usesDep = (figure: number, path = "dep/Dep.sol") => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import {Dep} from "${path}";
contract Vault {
  uint256 public total;
  function add(uint256 amount) external { total += Dep.times(amount) + ${figure}; }
}
`;

const foundryToml = ({ version = "0.8.28", runs = 200, more = "" } = {}) => `[profile.default]
src = "src"
out = "out"
libs = ["lib"]
solc = "${version}"
optimizer = true
optimizer_runs = ${runs}
evm_version = "paris"
${more}`;

const hardhatConfig = ({
  version = "0.8.28",
  runs = 200,
} = {}) => `require("@nomicfoundation/hardhat-toolbox");
module.exports = {
  solidity: {
    version: "${version}",
    settings: { optimizer: { enabled: true, runs: ${runs} }, evmVersion: "paris" },
  },
};
`;
const HARDHAT_SETTINGS = { optimizer: { enabled: true, runs: 200 }, evmVersion: "paris" };
const IGNORED = "out/\ncache/\nartifacts/\nnode_modules/\n";

/** A Foundry project. */
const foundry = (vaultText: string, toml = foundryToml()) => ({
  "foundry.toml": toml,
  ".gitignore": IGNORED,
  "src/Vault.sol": vaultText,
});
/** A Hardhat 2 project. */
const hardhat = (vaultText: string, config = hardhatConfig()) => ({
  "hardhat.config.js": config,
  "package.json": '{ "name": "project", "version": "1.0.0", "devDependencies": { "hardhat": "^2.22.0" } }\n',
  ".gitignore": IGNORED,
  "contracts/Vault.sol": vaultText,
});

const hardhatCode = (
  world: StrangersWorld,
  root: string,
  settings: object = HARDHAT_SETTINGS,
  version = "0.8.28",
) =>
  world.compiled(
    root,
    solc(version),
    { "contracts/Vault.sol": "contracts/Vault.sol" },
    settings,
    "contracts/Vault.sol:Vault",
  );

const FOUNDRY_VAULT = "src/Vault.sol:Vault";
const HARDHAT_VAULT = "contracts/Vault.sol:Vault";

/** Commits that change nothing of the contract. */
function otherWork(repository: TestRepository, count: number, file = "README.md"): void {
  for (let at = 0; at < count; at++) repository.commit(`Other work ${at}`, { [file]: `other work ${at}\n` });
}

/** A repository of a dependency with two versions, the commits of each. */
function dependency(world: StrangersWorld) {
  const repository = world.repository();
  const first = repository.commit("one", { "src/Dep.sol": library(3) });
  const second = repository.commit("two", { "src/Dep.sol": library(5) });
  return { repository, first, second };
}

function addSubmodule(
  repository: TestRepository,
  url: string,
  place: string,
  commit: string,
  ...args: string[]
): void {
  repository.git("submodule", "add", "-q", ...args, url, place);
  gitIn(repository, place, "checkout", "-q", commit);
}

function gitIn(repository: TestRepository, place: string, ...args: string[]): string {
  return gitAt(join(repository.root, place), { author: Math.floor(repository.time / 1000) }, ...args);
}

/** Three states of a Hardhat project, with the code of the second. */
async function threeStates(world: StrangersWorld, repository = world.repository()) {
  const first = repository.commit("First", hardhat(vault(11)));
  const second = repository.commit("Second", hardhat(vault(22)));
  const at = repository.time + MINUTE;
  const code = await hardhatCode(world, repository.root);
  const third = repository.commit("Third", hardhat(vault(33)));
  return { repository, first, second, third, code, at };
}

function openZeppelin(world: StrangersWorld, root: string, version: string): void {
  rmSync(join(root, "node_modules/@openzeppelin"), { recursive: true, force: true });
  world.unpack(`@openzeppelin/contracts-${version}`, join(root, "node_modules/@openzeppelin/contracts"), [
    "access",
    "utils",
  ]);
}

const OWNED = {
  imports: 'import "@openzeppelin/contracts/access/Ownable2Step.sol";\n',
  is: "is Ownable2Step ",
  more: "  constructor() Ownable(msg.sender) {}\n",
};
const owned4 = (figure: number) => vault(figure, OWNED);
async function ownedCode(
  world: StrangersWorld,
  root: string,
  modules = "node_modules",
  project = "",
): Promise<Code> {
  const names = ["access/Ownable.sol", "access/Ownable2Step.sol", "utils/Context.sol"].map(
    (file) => `@openzeppelin/contracts/${file}`,
  );
  const files = Object.fromEntries(names.map((name) => [name, `${modules}/${name}`]));
  return world.compiled(
    root,
    solc("0.8.28"),
    { "contracts/Vault.sol": `${project}contracts/Vault.sol`, ...files },
    HARDHAT_SETTINGS,
    "contracts/Vault.sol:Vault",
  );
}
const npmLock = (version: string) =>
  `${JSON.stringify(
    {
      name: "project",
      version: "1.0.0",
      lockfileVersion: 3,
      packages: {
        "": { name: "project", version: "1.0.0", dependencies: { "@openzeppelin/contracts": `^${version}` } },
        "node_modules/@openzeppelin/contracts": { version, resolved: "https://registry.example/oz.tgz" },
      },
    },
    null,
    2,
  )}\n`;
const yarnLock = (version: string, range = `^${version}`) => `# yarn lockfile v1


"@openzeppelin/contracts@${range}":
  version "${version}"
  resolved "https://registry.example/oz.tgz#0123"
  integrity sha512-abc==
`;
const berryLock = (version: string) => `__metadata:
  version: 8
  cacheKey: 10

"@openzeppelin/contracts@npm:^${version}":
  version: ${version}
  resolution: "@openzeppelin/contracts@npm:${version}"
  checksum: 10/abc
  languageName: node
  linkType: hard
`;
const pnpmLock = (version: string) => `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      '@openzeppelin/contracts':
        specifier: ^${version}
        version: ${version}

packages:

  '@openzeppelin/contracts@${version}':
    resolution: {integrity: sha512-abc==}

snapshots:

  '@openzeppelin/contracts@${version}': {}
`;

/** A Hardhat project whose lock file changed along with an installed package, deployed before. */
async function changedLock(
  world: StrangersWorld,
  file: string,
  lock: (version: string) => string,
  installed: string,
) {
  const repository = world.repository();
  repository.commit("Start", { ...hardhat(owned4(11)), [file]: lock("5.0.2") });
  const deployed = repository.commit("Deployed", { "contracts/Vault.sol": owned4(22) });
  const at = repository.time + MINUTE;
  openZeppelin(world, repository.root, "5.0.2");
  const code = await ownedCode(world, repository.root);
  repository.commit("Upgrade", { [file]: lock("5.1.0"), "contracts/Vault.sol": owned4(33) });
  openZeppelin(world, repository.root, installed);
  return { repository, deployed, at, code };
}

function hostileRepository(repository: TestRepository, mark: string): void {
  const script = join(repository.root, ".git/run-me");
  writeFileSync(script, `#!/bin/sh\necho "$0 $@" >> "${mark}"\ncat 2>/dev/null\n`);
  chmodSync(script, 0o755);
  const included = join(repository.root, ".git/included");
  writeFileSync(
    included,
    `[core]\n\tpager = ${script}\n[alias]\n\tcat-file = !${script}\n\tlog = !${script}\n\trev-parse = !${script}\n`,
  );
  for (const hook of [
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-auto-gc",
    "fsmonitor-watchman",
  ]) {
    mkdirSync(join(repository.root, ".git/hooks"), { recursive: true });
    cpSync(script, join(repository.root, ".git/hooks", hook));
  }
  const configured = {
    "core.fsmonitor": script,
    "core.sshCommand": script,
    "core.gitProxy": script,
    "core.editor": script,
    "core.pager": script,
    "core.hooksPath": join(repository.root, ".git/hooks"),
    "core.askPass": script,
    "core.alternateRefsCommand": script,
    "credential.helper": `!${script}`,
    "diff.external": script,
    "diff.sol.textconv": script,
    "diff.sol.command": script,
    "filter.evil.smudge": script,
    "filter.evil.clean": script,
    "filter.evil.process": script,
    "filter.evil.required": "true",
    "merge.evil.driver": script,
    "gpg.program": script,
    "log.showSignature": "true",
    "uploadpack.packObjectsHook": script,
    "remote.origin.uploadpack": script,
    "remote.origin.url": `ext::${script}`,
    "remote.origin.promisor": "true",
    "remote.origin.partialclonefilter": "blob:none",
    "extensions.partialClone": "origin",
    "protocol.ext.allow": "always",
    "trailer.x.command": script,
    "include.path": included,
  };
  for (const [key, value] of Object.entries(configured)) repository.git("config", key, value);
  writeFileSync(join(repository.root, ".git/info/attributes"), "*.sol filter=evil diff=sol merge=evil\n");
}

const vyperVault = (figure: number, pragma = "0.4.3") => `# pragma version ${pragma}
from contracts import steps

total: public(uint256)

@external
def add(amount: uint256) -> uint256:
    self.total += steps.times(amount) + ${figure}
    return self.total
`;
const vyperSteps = (figure: number) => `# pragma version 0.4.3

@internal
def times(amount: uint256) -> uint256:
    return amount * ${figure}
`;

export const STRANGERS_CASES: readonly StrangersCase[] = [
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
    name: "A merge that is none of its parents, and an octopus",
    async run(world) {
      const repository = world.repository();
      const config = hardhat("");
      const three = (a: number, b: number, c: number) => ({
        ...config,
        "contracts/Vault.sol": vault(1, {
          imports: 'import "./A.sol";\nimport "./B.sol";\nimport "./C.sol";\n',
          is: "is A, B, C ",
        }),
        "contracts/A.sol": `pragma solidity ^0.8.0;\ncontract A { function a() external pure returns (uint256) { return ${a}; } }\n`,
        "contracts/B.sol": `pragma solidity ^0.8.0;\ncontract B { function b() external pure returns (uint256) { return ${b}; } }\n`,
        "contracts/C.sol": `pragma solidity ^0.8.0;\ncontract C { function c() external pure returns (uint256) { return ${c}; } }\n`,
      });
      repository.commit("Start", three(1, 1, 1));
      for (const [branch, files] of [
        ["a", three(2, 1, 1)],
        ["b", three(1, 2, 1)],
        ["c", three(1, 1, 2)],
      ] as const) {
        repository.git("checkout", "-q", "-b", branch, "main");
        repository.commit(`On ${branch}`, files);
      }
      repository.git("checkout", "-q", "main");
      repository.commit("Beside", { "README.md": "beside\n" });
      repository.git("merge", "-q", "-m", "Octopus", "a", "b", "c");
      const octopus = repository.head;
      const names = ["A", "B", "C", "Vault"].map((name) => `contracts/${name}.sol`);
      const code = await world.compiled(
        repository.root,
        solc("0.8.28"),
        Object.fromEntries(names.map((name) => [name, name])),
        HARDHAT_SETTINGS,
        HARDHAT_VAULT,
      );
      const at = repository.time + MINUTE;
      repository.commit("After", three(3, 3, 3));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, octopus, "exact_match");
    },
  },
  {
    name: "A state that was reverted to: the commit nearest to the deployment, at or before it",
    isSampled: true,
    async run(world) {
      const repository = world.repository();
      const times: number[] = [];
      const ids: string[] = [];
      for (const [subject, figure] of [
        ["A", 1],
        ["B", 2],
        ["A again", 1],
        ["C", 3],
        ["A at last", 1],
        ["D", 4],
      ] as const) {
        ids.push(repository.commit(subject, hardhat(vault(figure))));
        times.push(repository.time);
      }
      repository.commit("A", hardhat(vault(1)));
      const code = await hardhatCode(world, repository.root);
      repository.commit("E", hardhat(vault(5)));
      const expected = [
        [(times[0] ?? 0) + MINUTE, ids[0]],
        [(times[1] ?? 0) + MINUTE, ids[0]],
        [times[2] ?? 0, ids[2]],
        [(times[3] ?? 0) + 59 * MINUTE, ids[2]],
        [(times[5] ?? 0) + MINUTE, ids[4]],
      ] as const;
      for (const [at, id = ""] of expected)
        for (const from of at === times[2] ? [undefined, "main", "HEAD"] : [undefined])
          await world.finds(
            repository,
            { contract: HARDHAT_VAULT, code, at, ...(from && { from }) },
            id,
            "exact_match",
          );
    },
  },
  {
    name: "Equal files in several commits: the same is named from whichever branch the search begins",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", hardhat(vault(1)));
      const second = repository.commit("Second", hardhat(vault(2)));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      otherWork(repository, 2);
      repository.git("branch", "side");
      repository.commit("Third", hardhat(vault(3)));
      repository.git("checkout", "-q", "side");
      otherWork(repository, 2, "SIDE.md");
      repository.commit("Side", hardhat(vault(4)));
      const named = new Set<string | undefined>();
      for (const from of [undefined, "main", "side", second]) {
        const { found } = await world.search(repository, {
          contract: HARDHAT_VAULT,
          code,
          at,
          ...(from && { from }),
        });
        named.add(found?.commit.id);
      }
      assert.deepEqual([...named], [second]);
      // Without the time of the deployment the same commit is named too, from wherever it can be reached.
      const timeless = new Set<string | undefined>();
      for (const from of [undefined, "main", "side"]) {
        const { found } = await world.search(repository, {
          contract: HARDHAT_VAULT,
          code,
          at: null,
          ...(from && { from }),
        });
        timeless.add(found?.commit.id);
      }
      assert.deepEqual([...timeless], [second]);
    },
  },
  {
    name: "A cherry-pick to a release branch, of which the later one was deployed",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", hardhat(vault(1)));
      repository.git("branch", "release");
      const onMain = repository.commit("Fix", hardhat(vault(2)));
      const early = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      repository.commit("More", hardhat(vault(3)));
      repository.git("checkout", "-q", "release");
      repository.commit("Notes", { "NOTES.md": "1.0\n" });
      repository.git("cherry-pick", "--keep-redundant-commits", onMain);
      // A cherry-pick in the same second as the commit before: its time is moved on by another commit.
      const picked = repository.commit("Tag", { VERSION: "1.0\n" });
      await world.finds(
        repository,
        { contract: HARDHAT_VAULT, code, at: repository.time + MINUTE },
        picked,
        "exact_match",
      );
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at: early }, onMain, "exact_match");
    },
  },
  {
    name: "Deployed from Windows, where git writes CRLF",
    isSampled: true,
    async run(world) {
      const { repository, second, at } = await threeStates(world);
      const windows = world.newFolder();
      repository.git("-c", "core.autocrlf=true", "clone", "-q", repository.root, windows);
      execFileSync("git", ["config", "core.autocrlf", "true"], { cwd: windows });
      gitAt(windows, { author: 1_767_225_600 }, "checkout", "-q", second);
      assert.match(readFileSync(join(windows, "contracts/Vault.sol"), "utf8"), /\r\n/);
      const code = await hardhatCode(world, windows);
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, second, "exact_match");
    },
  },
  {
    name: "Attributes that ask for CRLF, which a later commit took away",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", { ...hardhat(vault(1)), ".gitattributes": "*.sol text eol=crlf\n" });
      const deployed = repository.commit("Deployed", { "contracts/Vault.sol": vault(2) });
      const at = repository.time + MINUTE;
      rmSync(join(repository.root, "contracts/Vault.sol"));
      repository.git("checkout", "--", "contracts/Vault.sol");
      assert.match(readFileSync(join(repository.root, "contracts/Vault.sol"), "utf8"), /\r\n/);
      const code = await hardhatCode(world, repository.root);
      repository.commit("Otherwise", {
        ".gitattributes": "*.sol text eol=lf\n",
        "contracts/Vault.sol": vault(3),
      });
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "A shallow clone",
    async run(world) {
      const { repository, code, at } = await threeStates(world);
      otherWork(repository, 3);
      const clone = world.newFolder();
      repository.git("clone", "-q", "--depth", "2", `file://${repository.root}`, clone);
      await world.findsNone(
        { root: clone, time: at },
        { contract: HARDHAT_VAULT, code, at },
        /shallow|not in this clone|unshallow/i,
      );
    },
  },
  {
    name: "A linked work tree with a detached HEAD",
    async run(world) {
      const { repository, second, code, at, third } = await threeStates(world);
      const tree = world.newFolder();
      repository.git("worktree", "add", "-q", "--detach", tree, third);
      await world.finds(
        { root: tree, time: at },
        { contract: HARDHAT_VAULT, code, at },
        second,
        "exact_match",
      );
    },
  },
  {
    name: "Reached only by a detached HEAD",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", hardhat(vault(1)));
      repository.git("checkout", "-q", "--detach");
      const deployed = repository.commit("Detached", hardhat(vault(2)));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      repository.commit("After", hardhat(vault(3)));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Reached only by an annotated tag, and only by a remote branch",
    async run(world) {
      const { repository, first, second, code, at } = await threeStates(world);
      repository.git("tag", "-a", "-m", "Release", "v1.0", second);
      repository.git("reset", "-q", "--hard", first);
      repository.commit("Another way", hardhat(vault(9)));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, second, "exact_match");
      await world.finds(
        repository,
        { contract: HARDHAT_VAULT, code, at, from: "v1.0" },
        second,
        "exact_match",
      );
      repository.git("update-ref", "refs/remotes/origin/release", second);
      repository.git("tag", "-d", "v1.0");
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, second, "exact_match");
      await world.finds(
        repository,
        { contract: HARDHAT_VAULT, code, at, from: "origin/release" },
        second,
        "exact_match",
      );
    },
  },
  {
    name: "A clone that borrows its objects, and a .git file that leads elsewhere",
    async run(world) {
      const { repository, second, code, at } = await threeStates(world);
      const shared = world.newFolder();
      repository.git("clone", "-q", "--shared", repository.root, shared);
      await world.finds(
        { root: shared, time: at },
        { contract: HARDHAT_VAULT, code, at },
        second,
        "exact_match",
      );
      const [apart, separate] = [world.newFolder(), world.newFolder()];
      repository.git("clone", "-q", `--separate-git-dir=${separate}`, repository.root, apart);
      await assert.rejects(world.search({ root: apart, time: at }, { contract: HARDHAT_VAULT, code, at }), {
        code: "repository_elsewhere",
      });
      // By its own configuration a repository says that the folder is its own.
      execFileSync("git", ["config", "core.worktree", apart], { cwd: apart });
      await world.finds(
        { root: apart, time: at },
        { contract: HARDHAT_VAULT, code, at },
        second,
        "exact_match",
      );
    },
  },
  {
    name: "A sparse checkout without the library",
    async run(world) {
      const repository = world.repository();
      const files = (a: number) => ({ ...foundry(usesDep(a)), "lib/dep/src/Dep.sol": library(3) });
      repository.commit("Start", files(1));
      const deployed = repository.commit("Deployed", files(2));
      const at = repository.time + MINUTE;
      const code = await world.built(repository.root, "Foundry", "Vault");
      repository.commit("More", files(3));
      repository.git("sparse-checkout", "set", "src");
      assert.equal(existsSync(join(repository.root, "lib")), false);
      await world.finds(repository, { contract: FOUNDRY_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Uncommitted work was deployed: none is it, and the nearest is told",
    isSampled: true,
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", hardhat(vault(1)));
      const nearest = repository.commit("Nearest", hardhat(vault(2)));
      repository.write({ "contracts/Vault.sol": vault(2).replace("* 2;", "* 2 + 1;") });
      const code = await hardhatCode(world, repository.root);
      const at = repository.time + MINUTE;
      repository.commit(
        "Another",
        hardhat(
          vault(2).replace(
            "return total;",
            "for (uint256 i = 0; i < 99; i++) total ^= i << 7; return total + block.timestamp;",
          ),
        ),
      );
      const { tried } = await world.findsNone(repository, { contract: HARDHAT_VAULT, code, at });
      const known = tried
        .filter(({ distance }) => distance !== undefined)
        .sort((a, b) => (a.distance ?? 1) - (b.distance ?? 1));
      assert.ok(known.length >= 2, "distances");
      const first = known[0]?.commit.subject;
      assert.ok(first === "Nearest" || first === "Start", first);
      assert.notEqual(nearest, "");
    },
  },
  {
    name: "A history that was squashed: the deployed commit never landed",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", hardhat(vault(1)));
      repository.git("checkout", "-q", "-b", "feature");
      repository.commit("Wip 1", hardhat(vault(2)));
      const code = await hardhatCode(world, repository.root);
      const at = repository.time + MINUTE;
      repository.commit("Wip 2", hardhat(vault(3)));
      repository.git("checkout", "-q", "main");
      repository.git("merge", "-q", "--squash", "feature");
      repository.commit("Feature (#12)");
      repository.git("branch", "-q", "-D", "feature");
      const clone = world.newFolder();
      repository.git("clone", "-q", `file://${repository.root}`, clone);
      await world.findsNone({ root: clone, time: at }, { contract: HARDHAT_VAULT, code, at });
    },
  },
  {
    name: "Clocks that lie: children older than their parents, and author dates of other years",
    async run(world) {
      const repository = world.repository();
      const base = Math.floor(repository.time / 1000);
      const ids: string[] = [];
      for (let at = 0; at < 8; at++) {
        repository.write(hardhat(vault(at + 1)));
        gitAt(repository.root, { author: base }, "add", "-A");
        const committer = base + (at % 2 === 0 ? at : -at) * 86_400;
        gitAt(
          repository.root,
          { author: base - 900 * 86_400 + at, committer },
          "commit",
          "-q",
          "-m",
          `State ${at}`,
        );
        ids.push(repository.head);
      }
      gitAt(repository.root, { author: base }, "checkout", "-q", ids[3] ?? "");
      const code = await hardhatCode(world, repository.root);
      gitAt(repository.root, { author: base }, "checkout", "-q", "main");
      for (const at of [repository.time, repository.time + 1000 * HOUR, 0, null])
        await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, ids[3] ?? "", "exact_match");
    },
  },
  {
    name: "2,000 commits that touch other files",
    async run(world) {
      const { repository, second, code, at } = await threeStates(world);
      const lines: string[] = [];
      const start = Math.floor(repository.time / 1000);
      for (let n = 0; n < 2000; n++) {
        lines.push(`commit refs/heads/main\ncommitter A <a@example.org> ${start + n} +0000\ndata 5\nOther`);
        if (n === 0) lines.push("from refs/heads/main^0");
        lines.push(`M 100644 inline docs/${n % 50}.md\ndata ${String(n).length}\n${n}`);
      }
      execFileSync("git", ["fast-import", "--quiet"], {
        cwd: repository.root,
        input: `${lines.join("\n")}\ndone\n`,
      });
      const began = performance.now();
      const { commits } = await world.finds(
        repository,
        { contract: HARDHAT_VAULT, code, at },
        second,
        "exact_match",
      );
      assert.equal(commits, 2003);
      const seconds = (performance.now() - began) / 1000;
      console.log(`2,003 commits, deployed among the first: ${seconds.toFixed(1)} s`);
      const timeless = performance.now();
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at: null }, second, "exact_match");
      console.log(
        `the same without a time of deployment: ${((performance.now() - timeless) / 1000).toFixed(1)} s`,
      );
      assert.ok(seconds < 20, `${seconds} s`);
    },
  },
  {
    name: "Objects that can't be read: others are found, and what is damaged is told",
    async run(world) {
      const { repository, first, second, code, at } = await threeStates(world);
      const objectPath = (id: string) => join(repository.root, ".git/objects", id.slice(0, 2), id.slice(2));
      const blob = repository.git("rev-parse", `${first}:contracts/Vault.sol`);
      chmodSync(objectPath(blob), 0o644);
      writeFileSync(objectPath(blob), "damaged");
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, second, "exact_match");
      const deployedBlob = repository.git("rev-parse", `${second}:contracts/Vault.sol`);
      rmSync(objectPath(deployedBlob), { force: true });
      await world.findsNone(repository, { contract: HARDHAT_VAULT, code, at }, /contracts\/Vault\.sol/);
    },
  },
  {
    name: "A hostile configuration: nothing runs, and work tree and index stay as they are",
    isSampled: true,
    async run(world) {
      const { repository, second, code, at } = await threeStates(world);
      const mark = world.newFolder();
      hostileRepository(repository, mark);
      rmSync(mark, { force: true });
      const before = treeHash(repository.root);
      const index = readFileSync(join(repository.root, ".git/index"));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, second, "exact_match");
      await world.finds(
        repository,
        { contract: HARDHAT_VAULT, code, at, from: "main" },
        second,
        "exact_match",
      );
      assert.equal(existsSync(mark) ? readFileSync(mark, "utf8") : "", "");
      assert.equal(treeHash(repository.root), before);
      assert.deepEqual(readFileSync(join(repository.root, ".git/index")), index);
    },
  },
  {
    name: "Replaced and grafted objects: what was committed counts",
    async run(world) {
      const { repository, first, second, third, code, at } = await threeStates(world);
      repository.git("replace", second, first);
      const blob = (id: string) => repository.git("rev-parse", `${id}:contracts/Vault.sol`);
      repository.git("replace", blob(second), blob(third));
      writeFileSync(join(repository.root, ".git/info/grafts"), `${third}\n`);
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, second, "exact_match");
    },
  },
  {
    name: "A clone without blobs: nothing is fetched, and what is missing is told",
    async run(world) {
      const { repository, code, at } = await threeStates(world);
      repository.git("config", "uploadpack.allowFilter", "true");
      const clone = world.newFolder();
      repository.git("clone", "-q", "--filter=blob:none", `file://${repository.root}`, clone);
      const before = execFileSync("git", ["count-objects", "-v"], { cwd: clone, encoding: "utf8" });
      await world.findsNone(
        { root: clone, time: at },
        { contract: HARDHAT_VAULT, code, at },
        /Vault\.sol|partial|objects/,
      );
      assert.equal(execFileSync("git", ["count-objects", "-v"], { cwd: clone, encoding: "utf8" }), before);
    },
  },
  {
    name: "A repository of SHA-256",
    async run(world) {
      const folder = world.newFolder();
      mkdirSync(folder);
      execFileSync("git", ["init", "-q", "-b", "main", "--object-format=sha256"], { cwd: folder });
      const base = 1_767_225_600;
      const ids: string[] = [];
      let code = "";
      for (const figure of [1, 2, 3]) {
        for (const [path, text] of Object.entries(hardhat(vault(figure)))) {
          mkdirSync(join(folder, path, ".."), { recursive: true });
          writeFileSync(join(folder, path), text);
        }
        gitAt(folder, { author: base + figure }, "add", "-A");
        gitAt(folder, { author: base + figure }, "commit", "-q", "-m", String(figure));
        ids.push(gitAt(folder, { author: base }, "rev-parse", "HEAD"));
        if (figure === 2) code = await hardhatCode(world, folder);
      }
      await world.finds(
        { root: folder, time: 0 },
        { contract: HARDHAT_VAULT, code, at: (base + 2) * 1000 },
        ids[1] ?? "",
        "exact_match",
      );
    },
  },
  {
    name: "Sources behind a link in the repository",
    async run(world) {
      const repository = world.repository();
      const files = (figure: number) => {
        const { "contracts/Vault.sol": text, ...others } = hardhat(vault(figure));
        return { ...others, "packages/core/contracts/Vault.sol": text };
      };
      repository.write(files(1));
      symlinkSync("packages/core/contracts", join(repository.root, "contracts"));
      repository.commit("Start");
      const deployed = repository.commit("Deployed", files(2));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      repository.commit("More", files(3));
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
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
    name: "Git LFS keeps the source: its pointer is told",
    async run(world) {
      const repository = world.repository();
      repository.write(hardhat(vault(1)));
      const code = await hardhatCode(world, repository.root);
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"ab".repeat(32)}\nsize 205\n`;
      repository.commit("Pointer", { "contracts/Vault.sol": pointer });
      const at = repository.time + MINUTE;
      repository.commit("Text", { "contracts/Vault.sol": vault(2) });
      await world.findsNone(
        repository,
        { contract: HARDHAT_VAULT, code, at },
        /contracts\/Vault\.sol is stored with Git LFS/,
      );
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
    name: "Commits of one second with equal files: the same is named from every branch",
    async run(world) {
      const { repository, second, code } = await threeStates(world);
      const seconds = Math.floor(repository.time / 1000);
      const named = new Set<string>();
      for (const branch of ["a", "b", "c"]) {
        gitAt(repository.root, { author: seconds }, "checkout", "-q", "-b", branch, second);
        for (let at = 0; at < 3; at++) {
          writeFileSync(join(repository.root, `${branch}-${at}.md`), "x");
          gitAt(repository.root, { author: seconds }, "add", "-A");
          gitAt(repository.root, { author: seconds }, "commit", "-q", "-m", `${branch} ${at}`);
        }
      }
      repository.git("checkout", "-q", "--detach", "b~1");
      for (const checkout of ["a", "b", "c"]) {
        repository.git("checkout", "-q", checkout);
        const { found } = await world.search(repository, {
          contract: HARDHAT_VAULT,
          code,
          at: repository.time + MINUTE,
        });
        named.add(found?.commit.id ?? "");
      }
      assert.equal(named.size, 1);
      // The last of its second in its branch.
      assert.ok(
        ["a", "b", "c"].some((branch) => named.has(repository.git("rev-parse", branch))),
        [...named].join(),
      );
    },
  },
  {
    name: "A file beside the project in the root tells no state from another",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", hardhat(vault(1)));
      repository.commit("Deployed code", hardhat(vault(2)));
      const code = await hardhatCode(world, repository.root);
      repository.commit("Docs", { "README.md": "x\n" });
      repository.commit("More docs", { "docs/a.md": "x\n" });
      const last = repository.commit("Licence", { LICENSE: "x\n" });
      const at = repository.time + MINUTE;
      repository.commit("Other", hardhat(vault(3)));
      repository.commit("Back", hardhat(vault(2)));
      repository.commit("Other again", hardhat(vault(4)));
      for (const from of [undefined, "main", "HEAD~1", "HEAD~3"])
        await world.finds(
          repository,
          { contract: HARDHAT_VAULT, code, at, ...(from && { from: repository.git("rev-parse", from) }) },
          last,
          "exact_match",
        );
    },
  },
  {
    name: "Two contracts of one name: the deployed one lay in the other folder",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", { ...hardhat(vault(1)), "contracts/v2/Vault.sol": vault(9) });
      const deployed = repository.commit("Deployed", { "contracts/v2/Vault.sol": vault(5) });
      const at = repository.time + MINUTE;
      const code = await world.compiled(
        repository.root,
        solc("0.8.28"),
        { "contracts/v2/Vault.sol": "contracts/v2/Vault.sol" },
        HARDHAT_SETTINGS,
        "contracts/v2/Vault.sol:Vault",
      );
      repository.git("rm", "-q", "contracts/Vault.sol");
      repository.git("mv", "contracts/v2/Vault.sol", "contracts/Vault.sol");
      repository.commit("Only the second", { "contracts/Vault.sol": vault(6) });
      for (const contract of [HARDHAT_VAULT, "contracts/v2/Vault.sol:Vault"])
        await world.finds(repository, { contract, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Amended away: the deployed commit is in no branch any more",
    async run(world) {
      const repository = world.repository();
      repository.commit("Start", hardhat(vault(1)));
      const amended = repository.commit("Deployed", hardhat(vault(2)));
      const at = repository.time + MINUTE;
      const code = await hardhatCode(world, repository.root);
      repository.write(hardhat(vault(3)));
      repository.git("add", "-A");
      repository.git("commit", "-q", "--amend", "-m", "Better");
      const { found } = await world.finds(
        repository,
        { contract: HARDHAT_VAULT, code, at },
        amended,
        "exact_match",
      );
      assert.equal(found?.isInNoBranch, true);
    },
  },
  {
    name: "An $Id$ that git writes into the file at a checkout",
    async run(world) {
      const repository = world.repository();
      const text = (figure: number) => `// $Id$\n${vault(figure)}`;
      repository.commit("Start", { ...hardhat(text(1)), ".gitattributes": "*.sol ident\n" });
      const deployed = repository.commit("Deployed", { "contracts/Vault.sol": text(2) });
      const at = repository.time + MINUTE;
      rmSync(join(repository.root, "contracts/Vault.sol"));
      repository.git("checkout", "--", "contracts/Vault.sol");
      assert.match(
        readFileSync(join(repository.root, "contracts/Vault.sol"), "utf8"),
        /\$Id: [0-9a-f]{40} \$/,
      );
      const code = await hardhatCode(world, repository.root);
      writeFileSync(join(repository.root, "contracts/Vault.sol"), text(3));
      repository.commit("More");
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Names with spaces and of other scripts",
    async run(world) {
      const repository = world.repository();
      const path = "contracts/Трезор und Käse.sol";
      const files = (figure: number) => ({
        ...hardhat(vault(figure)),
        [path]: vault(figure, { name: "Tresor" }),
      });
      repository.commit("Start", files(1));
      const deployed = repository.commit("Deployed", files(2));
      const at = repository.time + MINUTE;
      const code = await world.compiled(
        repository.root,
        solc("0.8.28"),
        { [path]: path },
        HARDHAT_SETTINGS,
        `${path}:Tresor`,
      );
      repository.commit("More", files(3));
      await world.finds(repository, { contract: `${path}:Tresor`, code, at }, deployed, "exact_match");
    },
  },
  {
    name: "Commit messages and branch names that are hostile",
    async run(world) {
      const { repository, code, at, first } = await threeStates(world);
      repository.git("checkout", "-q", "-b", "weird$(touch${IFS}x)`id`");
      await assert.rejects(
        world.search(repository, { contract: HARDHAT_VAULT, code, at, from: "--upload-pack=touch x" }),
        { code: "unknown_revision" },
      );
      await assert.rejects(
        world.search(repository, { contract: HARDHAT_VAULT, code, at, from: "HEAD^{/x}" }),
        { code: "unknown_revision" },
      );
      await world.findsNone(repository, { contract: HARDHAT_VAULT, code, at, from: first });
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
    name: "Commits with signatures, encodings, odd names and times",
    async run(world) {
      const { repository, second, code, at } = await threeStates(world);
      const tree = (id: string) => repository.git("rev-parse", `${id}^{tree}`);
      const write = (text: string) =>
        execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], {
          cwd: repository.root,
          input: text,
          encoding: "utf8",
        }).trim();
      let parent = repository.head;
      const people = [
        "A > B <a@b> <c@d> 99999999999 +9999",
        "<> 0 -0000",
        "committer 5 <x> 1767229200 +0545",
        "A <a> 4102444800 +0000",
      ];
      for (const person of people)
        parent = write(
          `tree ${tree(parent)}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\nencoding ISO-8859-1\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n parent ${"0".repeat(40)}\n -----END PGP SIGNATURE-----\n\n\u202e](command:x) $(x)\n`,
        );
      repository.git("update-ref", "refs/heads/odd", parent);
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, second, "exact_match");
      await world.finds(
        repository,
        { contract: HARDHAT_VAULT, code, at, from: "odd" },
        second,
        "exact_match",
      );
      await world.finds(
        repository,
        { contract: HARDHAT_VAULT, code, at, from: second.slice(0, 9) },
        second,
        "exact_match",
      );
    },
  },
  {
    name: "Trees with links in circles, links that lead out and names that are no text",
    async run(world) {
      const { repository, second, code, at } = await threeStates(world);
      const places = {
        "contracts/around": ".",
        "contracts/a": "b",
        "contracts/b": "a",
        out: "../../../../etc",
        abs: "/etc/passwd",
        "contracts/Out.sol": "/etc/hostname",
      };
      for (const [path, target] of Object.entries(places)) symlinkSync(target, join(repository.root, path));
      writeFileSync(
        Buffer.concat([
          Buffer.from(`${repository.root}/contracts/`),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(".sol"),
        ]),
        vault(8),
      );
      repository.commit("Odd", { "contracts/Vault.sol": vault(7) });
      await world.finds(repository, { contract: HARDHAT_VAULT, code, at }, second, "exact_match");
      const { tried } = await world.search(repository, {
        contract: "contracts/Out.sol:Out",
        code,
        at,
        limitSeconds: 20,
      });
      assert.ok(tried.every(({ verdict }) => verdict === undefined || verdict === "mismatch"));
    },
  },
  {
    name: "A limit of time that is over: what was tried is told, and that it was cut",
    async run(world) {
      const repository = world.repository();
      for (let figure = 1; figure <= 40; figure++)
        repository.commit(`State ${figure}`, hardhat(vault(figure)));
      const at = repository.time + MINUTE;
      repository.write(hardhat(vault(1000)));
      const code = await hardhatCode(world, repository.root);
      const began = performance.now();
      const { isCut, found } = await world.search(repository, {
        contract: HARDHAT_VAULT,
        code,
        at,
        limitSeconds: 0.4,
      });
      assert.ok(performance.now() - began < 5_000);
      assert.deepEqual([isCut, found], [true, undefined]);
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
