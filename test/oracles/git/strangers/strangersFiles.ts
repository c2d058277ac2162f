import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitAt, type TestRepository } from "../repository.ts";
import { solc, type Code, type StrangersWorld } from "./strangersWorld.ts";

/** A repository that a stranger may have, and what is to be found in it. */
export interface StrangersCase {
  readonly name: string;
  /** Tried in every run, since it is quick. */
  readonly isSampled?: boolean;
  run(world: StrangersWorld): Promise<void>;
}

export const HOUR = 3_600_000;
export const MINUTE = 60_000;

/** A contract whose code tells which figure is in it. */
export function vault(
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

export const library = (figure: number) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Dep { function times(uint256 a) internal pure returns (uint256) { return a * ${figure}; } }
`;

export const usesDep = (figure: number, path = "dep/Dep.sol") => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import {Dep} from "${path}";
contract Vault {
  uint256 public total;
  function add(uint256 amount) external { total += Dep.times(amount) + ${figure}; }
}
`;

export const foundryToml = ({ version = "0.8.28", runs = 200, more = "" } = {}) => `[profile.default]
src = "src"
out = "out"
libs = ["lib"]
solc = "${version}"
optimizer = true
optimizer_runs = ${runs}
evm_version = "paris"
${more}`;

export const hardhatConfig = ({
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
export const HARDHAT_SETTINGS = { optimizer: { enabled: true, runs: 200 }, evmVersion: "paris" };
export const IGNORED = "out/\ncache/\nartifacts/\nnode_modules/\n";

/** A Foundry project. */
export const foundry = (vaultText: string, toml = foundryToml()) => ({
  "foundry.toml": toml,
  ".gitignore": IGNORED,
  "src/Vault.sol": vaultText,
});
/** A Hardhat 2 project. */
export const hardhat = (vaultText: string, config = hardhatConfig()) => ({
  "hardhat.config.js": config,
  "package.json": '{ "name": "project", "version": "1.0.0", "devDependencies": { "hardhat": "^2.22.0" } }\n',
  ".gitignore": IGNORED,
  "contracts/Vault.sol": vaultText,
});

export const hardhatCode = (
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

export const FOUNDRY_VAULT = "src/Vault.sol:Vault";
export const HARDHAT_VAULT = "contracts/Vault.sol:Vault";

/** Commits that change nothing of the contract. */
export function otherWork(repository: TestRepository, count: number, file = "README.md"): void {
  for (let at = 0; at < count; at++) repository.commit(`Other work ${at}`, { [file]: `other work ${at}\n` });
}

/** A repository of a dependency with two versions, the commits of each. */
export function dependency(world: StrangersWorld) {
  const repository = world.repository();
  const first = repository.commit("one", { "src/Dep.sol": library(3) });
  const second = repository.commit("two", { "src/Dep.sol": library(5) });
  return { repository, first, second };
}

export function addSubmodule(
  repository: TestRepository,
  url: string,
  place: string,
  commit: string,
  ...args: string[]
): void {
  repository.git("submodule", "add", "-q", ...args, url, place);
  gitIn(repository, place, "checkout", "-q", commit);
}

export function gitIn(repository: TestRepository, place: string, ...args: string[]): string {
  return gitAt(join(repository.root, place), { author: Math.floor(repository.time / 1000) }, ...args);
}

/** Three states of a Hardhat project, with the code of the second. */
export async function threeStates(world: StrangersWorld, repository = world.repository()) {
  const first = repository.commit("First", hardhat(vault(11)));
  const second = repository.commit("Second", hardhat(vault(22)));
  const at = repository.time + MINUTE;
  const code = await hardhatCode(world, repository.root);
  const third = repository.commit("Third", hardhat(vault(33)));
  return { repository, first, second, third, code, at };
}

export function openZeppelin(world: StrangersWorld, root: string, version: string): void {
  rmSync(join(root, "node_modules/@openzeppelin"), { recursive: true, force: true });
  world.unpack(`@openzeppelin/contracts-${version}`, join(root, "node_modules/@openzeppelin/contracts"), [
    "access",
    "utils",
  ]);
}

export const OWNED = {
  imports: 'import "@openzeppelin/contracts/access/Ownable2Step.sol";\n',
  is: "is Ownable2Step ",
  more: "  constructor() Ownable(msg.sender) {}\n",
};
export const owned4 = (figure: number) => vault(figure, OWNED);
export async function ownedCode(
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
export const npmLock = (version: string) =>
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
export const yarnLock = (version: string, range = `^${version}`) => `# yarn lockfile v1


"@openzeppelin/contracts@${range}":
  version "${version}"
  resolved "https://registry.example/oz.tgz#0123"
  integrity sha512-abc==
`;
export const berryLock = (version: string) => `__metadata:
  version: 8
  cacheKey: 10

"@openzeppelin/contracts@npm:^${version}":
  version: ${version}
  resolution: "@openzeppelin/contracts@npm:${version}"
  checksum: 10/abc
  languageName: node
  linkType: hard
`;
export const pnpmLock = (version: string) => `lockfileVersion: '9.0'

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
export async function changedLock(
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

export function hostileRepository(repository: TestRepository, mark: string): void {
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

export const vyperVault = (figure: number, pragma = "0.4.3") => `# pragma version ${pragma}
from contracts import steps

total: public(uint256)

@external
def add(amount: uint256) -> uint256:
    self.total += steps.times(amount) + ${figure}
    return self.total
`;
export const vyperSteps = (figure: number) => `# pragma version 0.4.3

@internal
def times(amount: uint256) -> uint256:
    return amount * ${figure}
`;
