import { globSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { contractInput } from "../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../src/core/compilerInput/contractReference.ts";
import { diskFiles } from "../src/core/diskFiles.ts";
import { oraclePackages } from "../test/oracles/oraclePackages.ts";
import { PACKAGE } from "./governorProject.ts";
import { median } from "./ratio.ts";

const FILES = 500;
const ROUNDS = 40;
const RECORD_BYTES = 32_000_000;

const CONFIGURATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Hardhat 3": {
    "hardhat.config.ts": 'export default { solidity: "0.8.28" };\n',
    "package.json": '{ "name": "project", "type": "module" }\n',
    "node_modules/hardhat/package.json": '{ "name": "hardhat", "version": "3.0.0" }\n',
  },
  "Hardhat 2": {
    "hardhat.config.js": 'module.exports = { solidity: "0.8.28" };\n',
    "node_modules/hardhat/package.json": '{ "name": "hardhat", "version": "2.29.1" }\n',
  },
};

/** The inputs of contracts of a project of 500 files, one after the other, derived and from a large build record. */
export async function benchInputCost(): Promise<void> {
  const packages = await oraclePackages();
  for (const [tool, configuration] of Object.entries(CONFIGURATIONS)) {
    const root = await realpath(await mkdtemp(join(tmpdir(), "ledger-lens-bench-")));
    await writeProject(root, packages, configuration);
    await printCost(`input of a contract among ${FILES}, ${tool}, derived`, root);
    if (tool === "Hardhat 2") {
      await writeRecord(root);
      await printCost(`input of a contract among ${FILES}, from a record of 32 MB`, root);
    }
    await rm(root, { recursive: true, force: true });
  }
}

async function printCost(name: string, root: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const at = (round * 37) % FILES;
    const started = performance.now();
    const contract = await findWorkspaceContract(diskFiles, [root], `contracts/C${at}.sol:C${at}`);
    await contractInput(diskFiles, [root], contract);
    times.push(performance.now() - started);
  }
  const [first = 0, ...others] = times;
  console.log(
    `${name}: ${first.toFixed(0)} ms the first, then ${median(others).toFixed(1)} ms, ${Math.max(...others).toFixed(0)} ms at most`,
  );
}

async function write(root: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), text);
}

async function writeProject(
  root: string,
  packages: string,
  configuration: Readonly<Record<string, string>>,
): Promise<void> {
  const library = join(packages, "node_modules", PACKAGE);
  await cp(library, join(root, "node_modules", PACKAGE), { recursive: true });
  for (const [name, text] of Object.entries(configuration)) await write(root, name, text);
  const imported = globSync("{access,token,governance}/**/*.sol", { cwd: library }).sort();
  for (let at = 0; at < FILES; at++) {
    const path = imported[at % imported.length] ?? "";
    const text = `pragma solidity ^0.8.24;\nimport "${PACKAGE}/${path}";\ncontract C${at} { uint256 public x; }\n`;
    await write(root, `contracts/C${at}.sol`, text);
  }
}

/** A record of everything, filled up with syntax trees as the compiler writes them. */
async function writeRecord(root: string): Promise<void> {
  const names = globSync([`contracts/*.sol`, `node_modules/${PACKAGE}/**/*.sol`], { cwd: root });
  const sources = await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(root, name), "utf8");
      return [name.replace("node_modules/", ""), { content }] as const;
    }),
  );
  const node = { id: 1, nodeType: "Identifier", src: "1:2:3", name: "yyyyyyyy" };
  const count = Math.floor(RECORD_BYTES / JSON.stringify(node).length);
  const record = {
    _format: "hh-sol-build-info-1",
    solcVersion: "0.8.28",
    solcLongVersion: "0.8.28+commit.7893614a",
    input: { language: "Solidity", sources: Object.fromEntries(sources), settings: {} },
    output: { sources: { all: { ast: Array.from({ length: count }, () => node) } } },
  };
  await write(root, "artifacts/build-info/1.json", JSON.stringify(record));
}
