// `npm run gestures` counts what a person does from an empty profile to a verified contract, and how long that takes, in
// projects of several kinds. What is built was built by the real tools. A command of the palette and an answered question
// are a gesture each. README has the figures.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCompilerPrograms } from "./oracles/compilerPrograms.ts";
import { writeTree } from "./oracles/diskFolders.ts";
import { lockedPackages, oraclePackages } from "./oracles/oraclePackages.ts";
import { solcPackages } from "./oracles/solcPackages.ts";
import type { Tool } from "./oracles/toolProjects/toolProject.ts";
import { ToolHome } from "./oracles/toolProjects/toolRuns.ts";
import { startEditor, type EditorServer } from "./rig/editorServer.ts";
import { eventually } from "./rig/eventually.ts";
import { packageExtension } from "./rig/packagedExtension.ts";
import { repositoryRoot } from "./rig/paths.ts";
import { Workbench } from "./rig/workbench.ts";
import { startCompilerList } from "./sandbox/compilerList.ts";
import { repositoryCompilers } from "./sandbox/listedCompilers.ts";
import { startSandbox } from "./sandbox/sandbox.ts";
import { VYPER_FULL_VERSION } from "./sandbox/vyperCompiler.ts";
import { VyperCompilers } from "./sandbox/vyperCompilers.ts";
import { pressSubmit } from "./verifyJourney.ts";

/** What README promises. */
const MAX_WITH_RECORD = 3;
const MAX_WITHOUT_RECORD = 6;

const SOLIDITY = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

contract Counter {
    uint256 public count;
    function add(uint256 by) external { count += by; }
}
`;
const VYPER = `# pragma version 0.4.3
count: public(uint256)

@external
def add(by: uint256):
    self.count += by
`;
const FOUNDRY = `[profile.default]
src = "contracts"
solc = "0.8.37"
evm_version = "osaka"
`;
const PACKAGE = { "package.json": '{ "name": "counter", "type": "module" }\n' };
const HARDHAT_2 = {
  "package.json": '{ "name": "counter" }\n',
  "hardhat.config.js": 'module.exports = { solidity: "0.8.37" };\n',
};
const HARDHAT_3 = {
  ...PACKAGE,
  "hardhat.config.js":
    'import { defineConfig } from "hardhat/config";\nexport default defineConfig({ solidity: "0.8.37" });\n',
};

interface Kind {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly tool?: Tool;
  readonly hasArtifacts?: boolean;
  readonly hasRecord?: boolean;
  /** The verification service is not there, so the contract is verified on this machine. */
  readonly isOffline?: boolean;
}

const counter = { "contracts/Counter.sol": SOLIDITY };
const KINDS: readonly Kind[] = [
  {
    title: "Foundry, deployed by forge",
    files: { ...counter, "foundry.toml": FOUNDRY },
    tool: "Foundry",
    hasArtifacts: true,
    hasRecord: true,
  },
  {
    title: "Foundry, built",
    files: { ...counter, "foundry.toml": FOUNDRY },
    tool: "Foundry",
    hasArtifacts: true,
  },
  { title: "Foundry, not built", files: { ...counter, "foundry.toml": FOUNDRY }, tool: "Foundry" },
  { title: "Hardhat 2, built", files: { ...counter, ...HARDHAT_2 }, tool: "Hardhat 2", hasArtifacts: true },
  { title: "Hardhat 2, not built", files: { ...counter, ...HARDHAT_2 }, tool: "Hardhat 2" },
  { title: "Hardhat 3, built", files: { ...counter, ...HARDHAT_3 }, tool: "Hardhat 3", hasArtifacts: true },
  { title: "Hardhat 3, not built", files: { ...counter, ...HARDHAT_3 }, tool: "Hardhat 3" },
  { title: "a plain .sol file", files: { "Counter.sol": SOLIDITY } },
  { title: "a Vyper file", files: { "Counter.vy": VYPER } },
  { title: "Verify Locally, the service is away", files: { "Counter.sol": SOLIDITY }, isOffline: true },
];

const base = realpathSync(mkdtempSync(join(tmpdir(), "gestures-")));
const packages = await oraclePackages();
const plugins = await lockedPackages(
  join(repositoryRoot, "test/oracles/toolProjects/packages"),
  "--legacy-peer-deps",
);
const solcs = solcPackages(packages);
const programs = await startCompilerPrograms(solcs);
const home = new ToolHome(join(base, "home"), { packages, plugins, programs, solcs });
const sandbox = await startSandbox();
const compilerList = await startCompilerList({ compilers: await repositoryCompilers() });
const vsix = await packageExtension();

const rows: string[] = [];
let isKept = true;
try {
  for (const kind of KINDS) {
    const folder = join(base, kind.title.replaceAll(/\W+/g, "-"));
    const address = await prepare(kind, folder);
    // An empty profile each time.
    const editor = await startEditor({ vsix: [vsix], settings: settingsOf(kind) });
    try {
      const { gestures, seconds, message } = await verify(editor, folder, address, kind);
      const most = kind.hasRecord ? MAX_WITH_RECORD : MAX_WITHOUT_RECORD;
      isKept &&= gestures <= most;
      rows.push(`| ${kind.title} | ${gestures} | ${seconds.toFixed(1)} |`);
      console.log(
        `${kind.title}: ${gestures} gestures (at most ${most}), ${seconds.toFixed(1)} s: ${message}`,
      );
    } finally {
      await editor.stop();
    }
  }
} finally {
  await compilerList.stop();
  await sandbox.stop();
  await programs.stop();
  rmSync(base, { recursive: true, force: true });
}
console.log(["| project | gestures | seconds |", "| --- | --- | --- |", ...rows].join("\n"));
process.exit(isKept ? 0 : 1);

function settingsOf({ isOffline }: Kind): Readonly<Record<string, unknown>> {
  return {
    "ledgerLens.verificationUrl": isOffline ? "http://127.0.0.1:9" : sandbox.verification.url,
    "ledgerLens.solcListUrl": compilerList.listUrl,
    "ledgerLens.statusUrl": sandbox.statusPage.url,
    "ledgerLens.ledgerUrl": sandbox.ledger.url,
    "ledgerLens.rpcUrls": { [sandbox.chain.chainId]: sandbox.chain.rpcUrl },
  };
}

/** Writes the project, builds and deploys it as its developer would, and leaves what the kind has; the address. */
async function prepare({ files, tool, hasArtifacts, hasRecord }: Kind, folder: string): Promise<string> {
  writeTree(folder, files);
  const { chain } = sandbox;
  const { address, transactionHash } = await chain.deploy(await creationCode(folder, tool));
  if (!hasArtifacts)
    for (const made of ["out", "artifacts", "cache"])
      rmSync(join(folder, made), { recursive: true, force: true });
  if (hasRecord) {
    const transaction = {
      hash: transactionHash,
      transactionType: "CREATE",
      contractName: "Counter",
      contractAddress: address,
      arguments: [],
    };
    const record = {
      transactions: [transaction],
      receipts: [],
      chain: Number(chain.chainId),
      timestamp: Math.floor(Date.now() / 1000),
    };
    writeTree(folder, {
      [`broadcast/Deploy.s.sol/${chain.chainId}/run-latest.json`]: JSON.stringify(record),
    });
  }
  return address;
}

async function creationCode(folder: string, tool: Tool | undefined): Promise<string> {
  if (tool !== undefined) {
    if (tool !== "Foundry") {
      mkdirSync(join(folder, "node_modules"), { recursive: true });
      symlinkSync(
        join(packages, `node_modules/hardhat-${tool === "Hardhat 2" ? 2 : 3}`),
        join(folder, "node_modules/hardhat"),
      );
    }
    const { built, output } = await home.build(folder, { tool, artifacts: "", outputs: [] });
    if (!built) throw new Error(`${tool} did not build: ${output}`);
    const artifact =
      tool === "Foundry" ? "out/Counter.sol/Counter.json" : "artifacts/contracts/Counter.sol/Counter.json";
    const { bytecode } = JSON.parse(readFileSync(join(folder, artifact), "utf8")) as {
      bytecode: string | { object: string };
    };
    return typeof bytecode === "string" ? bytecode : bytecode.object;
  }
  const selection = { "*": { "*": ["evm.bytecode.object"] } };
  const isVyper = existsSync(join(folder, "Counter.vy"));
  const compiled = isVyper
    ? await new VyperCompilers().compile(VYPER_FULL_VERSION, {
        language: "Vyper",
        sources: { "Counter.vy": { content: VYPER } },
        settings: { outputSelection: { "*": ["evm.bytecode"] } },
      })
    : await sandbox.compilers.compile("0.8.37", {
        language: "Solidity",
        sources: { "Counter.sol": { content: SOLIDITY } },
        settings: { outputSelection: selection },
      });
  const code =
    compiled?.contracts?.[isVyper ? "Counter.vy" : "Counter.sol"]?.["Counter"]?.evm.bytecode.object;
  if (code === undefined) throw new Error(`It does not compile: ${JSON.stringify(compiled)}`);
  return code.startsWith("0x") ? code : `0x${code}`;
}

/** Verifies as a person does who answers what is asked and knows nothing else. */
async function verify(editor: EditorServer, folder: string, address: string, { isOffline }: Kind) {
  const workbench = await Workbench.open(editor.url, folder);
  try {
    return await workbench.keepPictureOnFailure("gestures", async () => {
      const { page } = workbench;
      const started = performance.now();
      let gestures = 1;
      await workbench.runCommand(`Ledger Lens: ${isOffline ? "Verify Locally…" : "Verify Contract…"}`);
      const end = workbench.waitForNotification(/^Counter\b.*(?:match|verified)/);
      end.catch(() => undefined);
      const input = page.locator(".quick-input-widget:visible input").first();
      for (let answered = ""; ;) {
        const asked = await Promise.race([
          end.then(() => undefined),
          eventually(async () => {
            const placeholder = (await input.getAttribute("placeholder")) ?? "";
            if (placeholder === "" || placeholder === answered) throw new Error(`still ${placeholder}`);
            return placeholder;
          }),
        ]);
        if (asked === undefined) break;
        answered = asked;
        gestures++;
        if (asked.startsWith("Press Enter to submit")) await pressSubmit(workbench);
        else if (asked.startsWith("Which contract")) await workbench.pick("Counter");
        else if (asked.startsWith("On which chain")) await workbench.pick(sandbox.chain.chainId);
        else if (asked.includes("0x")) await workbench.typeAndAccept(address);
        // Enter that comes with the question is not taken for an answer: a person presses it again.
        else
          await eventually(async () => {
            if (!(await input.isVisible()) || (await input.getAttribute("placeholder")) !== asked) return;
            await workbench.accept();
            throw new Error(`still asked: ${asked}`);
          });
      }
      const { text } = await end;
      return { gestures, seconds: (performance.now() - started) / 1000, message: text };
    });
  } finally {
    await workbench.close();
  }
}
