import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const HEAD = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n";
/** So many files are in a folder. */
const FOLDER_SIZE = 1_000;
const COMPILER = { solcVersion: "0.8.28", solcLongVersion: "0.8.28+commit.7893614a" };

/** The contract that needs every source of the project. */
export const MAIN = "src/Main.sol:Main";
/** A contract of one small file. */
export const SMALL = "src/Small.sol:Small";

/** Writes a Foundry project of so many libraries, with the record of its build, of a contract that imports them all. */
export async function writeLargeProject(root: string, libraries: number): Promise<void> {
  const sources = new Map<string, string>();
  for (let at = 0; at < libraries; at++) {
    const body = `library L${at} { function f() internal pure returns (uint256) { return ${at}; } }`;
    sources.set(nameOf(at), `${HEAD}${body} // ${"x".repeat(50)}\n`);
  }
  const imports = [...sources.keys()].map((name) => `import "./${name.slice(4)}";`).join("\n");
  sources.set("src/Main.sol", `${HEAD}${imports}\ncontract Main { uint256 public one = 1; }\n`);
  sources.set("src/Small.sol", `${HEAD}contract Small { uint256 public one = 1; }\n`);
  const record = (of: ReadonlyMap<string, string>) =>
    JSON.stringify({
      _format: "ethers-rs-sol-build-info-1",
      ...COMPILER,
      source_id_to_path: {},
      input: {
        language: "Solidity",
        sources: Object.fromEntries([...of].map(([name, content]) => [name, { content }])),
        settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: "cancun" },
      },
      output: {},
    });
  const small = new Map([...sources].filter(([name]) => name === "src/Small.sol"));
  const large = new Map([...sources].filter(([name]) => name !== "src/Small.sol"));
  const files = new Map([
    ["foundry.toml", '[profile.default]\nsrc = "src"\nsolc = "0.8.28"\n'],
    ["out/build-info/large.json", record(large)],
    ["out/build-info/small.json", record(small)],
    ...sources,
  ]);
  const folders = new Set([...files.keys()].map((name) => dirname(join(root, name))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  let open: Promise<void>[] = [];
  for (const [name, content] of files) {
    open.push(writeFile(join(root, name), content));
    if (open.length === FOLDER_SIZE) {
      await Promise.all(open);
      open = [];
    }
  }
  await Promise.all(open);
}

/** Changes so many of its libraries, as a tool does that formats or generates them. */
export async function changeSources(root: string, from: number, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => from + at);
  await Promise.all(numbers.map((at) => writeFile(join(root, nameOf(at)), `library Changed${at} {}\n`)));
}

function nameOf(at: number): string {
  return `src/d${Math.floor(at / FOLDER_SIZE)}/L${at}.sol`;
}
