// `npm run gestures` counts what a person does from an empty profile to a verified contract, and how long that takes, in
// projects of several kinds. What is built or deployed was by the real tools. A command of the palette, an answered question
// and a command in a terminal are a gesture each. README has the figures.
import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
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
import { promisify } from "node:util";
import { soljsonName } from "../src/core/languages/solidity/solcReleases.ts";
import { SAMPLE_FILES } from "../src/editor/verification/sampleProject.ts";
import { startCompilerPrograms } from "./oracles/compilerPrograms.ts";
import { deployerPackages } from "./oracles/deployerPackages.ts";
import { writeTree } from "./oracles/writeTree.ts";
import { forgeProgram } from "./oracles/forgeProgram.ts";
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

/** So long a person looks whether something comes of Enter before pressing it again. */
const LOOK_MS = 700;
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

const IGNITION = {
  ...HARDHAT_2,
  "hardhat.config.js": `require("@nomicfoundation/hardhat-ignition");
module.exports = { solidity: "0.8.37", networks: { here: { url: process.env.HERE } } };
`,
  "ignition/modules/Main.js": `const { buildModule } = require("@nomicfoundation/hardhat-ignition/modules");
module.exports = buildModule("Main", (m) => ({ counter: m.contract("Counter") }));
`,
};
/** What the sample names as the node of this machine. */
const LOCAL_NODE = "http://127.0.0.1:8545";
/** Where nothing listens. */
const NOWHERE = "http://127.0.0.1:9";

interface Kind {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly tool?: Tool;
  readonly hasArtifacts?: boolean;
  /** What deployed it, and keeps a record of that. */
  readonly deployedBy?: "forge" | "Ignition";
  /**
   * What is not there, so that the contract is verified on this machine: the service, with a compiler to be downloaded;
   * or the network, where a compiler is in another tool's cache, with or without a node on this machine.
   */
  readonly away?: "service" | "network" | "network and node";
}

const counter = { "contracts/Counter.sol": SOLIDITY };
const KINDS: readonly Kind[] = [
  {
    title: "Foundry, deployed by forge",
    files: { ...counter, "foundry.toml": FOUNDRY, "script/Deploy.s.sol": deployScript("../contracts/") },
    tool: "Foundry",
    hasArtifacts: true,
    deployedBy: "forge",
  },
  {
    title: "Hardhat, deployed by Ignition",
    files: { ...counter, ...IGNITION },
    hasArtifacts: true,
    deployedBy: "Ignition",
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
  { title: "Verify Locally, the service is away", files: { "Counter.sol": SOLIDITY }, away: "service" },
  { title: "Verify Locally without a network", files: { "Counter.sol": SOLIDITY }, away: "network" },
  {
    title: "the same without a node",
    files: { "Counter.sol": SOLIDITY },
    away: "network and node",
  },
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
const cached = join(base, "cached");
const [longVersion = ""] = (await repositoryCompilers()).flatMap(({ longVersion: one }) =>
  one.startsWith("0.8.37") ? [one] : [],
);
mkdirSync(join(cached, "hardhat-nodejs/compilers-v2/wasm"), { recursive: true });
copyFileSync(
  solcs.get("0.8.37") ?? "",
  join(cached, "hardhat-nodejs/compilers-v2/wasm", soljsonName(longVersion)),
);

const rows: string[] = [];
const outcome = { isKept: true };
try {
  const only = new RegExp(process.argv[2] ?? "");
  for (const kind of KINDS.filter(({ title }) => only.test(title))) {
    const folder = join(base, kind.title.replaceAll(/\W+/g, "-"));
    const address = await prepare(kind, folder);
    await measured(kind, kind.deployedBy ? MAX_WITH_RECORD : MAX_WITHOUT_RECORD, (editor) =>
      inWindow(editor, folder, (workbench) => verify(workbench, address, kind)),
    );
  }
  const sample: Kind = { title: "no folder: the sample, on this machine", files: {}, away: "service" };
  if (only.test(sample.title))
    await measured(sample, MAX_WITHOUT_RECORD, (editor) =>
      inWindow(editor, undefined, (workbench) => beginWithSample(workbench, sample)),
    );
} finally {
  await compilerList.stop();
  await sandbox.stop();
  await programs.stop();
  rmSync(base, { recursive: true, force: true });
}
console.log(["| project | gestures | seconds |", "| --- | --- | --- |", ...rows].join("\n"));
process.exit(outcome.isKept ? 0 : 1);

interface Measured {
  readonly gestures: number;
  readonly seconds: number;
  readonly message: string;
}

/** Does it in an editor with an empty profile. */
async function measured(
  kind: Kind,
  most: number,
  work: (editor: EditorServer) => Promise<Measured>,
): Promise<void> {
  const { title } = kind;
  let editor: EditorServer | undefined;
  try {
    editor = await startEditor({
      vsix: [vsix],
      settings: settingsOf(kind),
      ...(kind.away?.startsWith("network") && { env: { XDG_CACHE_HOME: cached } }),
    });
    const { gestures, seconds, message } = await work(editor);
    outcome.isKept &&= gestures <= most;
    rows.push(`| ${title} | ${gestures} | ${seconds.toFixed(1)} |`);
    console.log(`${title}: ${gestures} gestures (at most ${most}), ${seconds.toFixed(1)} s: ${message}`);
  } catch (error) {
    // The other kinds are worth counting all the same.
    outcome.isKept = false;
    console.error(title, error);
  } finally {
    await editor?.stop();
  }
}

async function inWindow(
  editor: EditorServer,
  folder: string | undefined,
  work: (workbench: Workbench) => Promise<Measured>,
): Promise<Measured> {
  const workbench = await Workbench.open(editor.url, folder);
  try {
    return await workbench.keepPictureOnFailure("gestures", () => work(workbench));
  } finally {
    await workbench.close();
  }
}

function settingsOf({ away }: Kind): Readonly<Record<string, unknown>> {
  const { chain, verification, statusPage, ledger } = sandbox;
  const isWithoutNetwork = away?.startsWith("network") === true;
  return {
    "ledgerLens.verificationUrl": away ? NOWHERE : verification.url,
    "ledgerLens.solcListUrl": isWithoutNetwork ? NOWHERE : compilerList.listUrl,
    "ledgerLens.statusUrl": isWithoutNetwork ? NOWHERE : statusPage.url,
    "ledgerLens.ledgerUrl": isWithoutNetwork ? NOWHERE : ledger.url,
    "ledgerLens.rpcUrls": { [chain.chainId]: away === "network and node" ? NOWHERE : chain.rpcUrl },
  };
}

/** The script of the sample, for a contract in another folder and for its compiler. */
function deployScript(sources: string): string {
  const script = SAMPLE_FILES.get("script/Deploy.s.sol") ?? "";
  return script.replace("../src/", sources).replace(/pragma solidity [^;]+;/, "pragma solidity 0.8.37;");
}

/** Runs a tool in a project, which finds every compiler that is installed. */
async function run(folder: string, program: string, ...args: readonly string[]): Promise<void> {
  const env = {
    ...process.env,
    HOME: join(base, "home"),
    XDG_CACHE_HOME: join(base, "home/cache"),
    HERE: sandbox.chain.rpcUrl,
    CI: "1",
    HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: "false",
  };
  await promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
}

/** Runs forge script as the sample's README says, at the node of the sandbox. */
async function runForgeScript(folder: string): Promise<void> {
  const [, command = ""] =
    /^ {4}forge (script .*127\.0\.0\.1.*)$/m.exec(SAMPLE_FILES.get("README.md") ?? "") ?? [];
  const args = command.replace(LOCAL_NODE, sandbox.chain.rpcUrl).split(" ");
  await run(folder, forgeProgram(packages), ...args);
}

/** Writes the project, builds and deploys it as its developer would, and leaves what the kind has; the address. */
async function prepare({ files, tool, hasArtifacts, deployedBy }: Kind, folder: string): Promise<string> {
  writeTree(folder, files);
  const { chain } = sandbox;
  if (deployedBy === "forge") {
    await runForgeScript(folder);
    return "";
  }
  if (deployedBy === "Ignition") {
    symlinkSync(join(await deployerPackages(), "node_modules"), join(folder, "node_modules"));
    const hardhat = "node_modules/hardhat/internal/cli/cli.js";
    const deploy = ["ignition", "deploy", "ignition/modules/Main.js", "--network", "here"];
    await run(folder, process.execPath, hardhat, ...deploy);
    return "";
  }
  const { address } = await chain.deploy(await creationCode(folder, tool));
  if (!hasArtifacts)
    for (const made of ["out", "artifacts", "cache"])
      rmSync(join(folder, made), { recursive: true, force: true });
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

/** Begins without a folder: creates the sample, deploys it as its README says, and verifies it. */
async function beginWithSample(workbench: Workbench, kind: Kind): Promise<Measured> {
  const { page } = workbench;
  const started = performance.now();
  const folder = join(base, "new-project");
  mkdirSync(folder);
  await workbench.runCommand("Ledger Lens: Create Sample…");
  const input = page.locator(".quick-input-widget:visible input").first();
  await page.locator(".quick-input-widget:visible", { hasText: "Create Sample" }).waitFor();
  // The dialog writes where it begins, over what was typed before.
  await eventually(async () => {
    if ((await input.inputValue()) === "") throw new Error("The dialog does not say where it begins.");
  });
  const loaded = page.waitForEvent("load");
  await eventually(async () => {
    await input.fill(`${folder}/`);
    await page.keyboard.press("Enter");
    await input.waitFor({ state: "hidden", timeout: 3_000 });
  });
  await loaded;
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "foundry.toml" }).waitFor();
  // The node is that of the sandbox, in the place of the one that a person starts.
  const settings = join(folder, ".vscode/settings.json");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(LOCAL_NODE, sandbox.chain.rpcUrl));
  await runForgeScript(folder);
  const deployed = 3;
  const { gestures, message } = await verify(workbench, "", kind);
  return { gestures: deployed + gestures, seconds: (performance.now() - started) / 1000, message };
}

/** Verifies as a person does who answers what is asked and knows nothing else. */
async function verify(workbench: Workbench, address: string, { away }: Kind): Promise<Measured> {
  const { page } = workbench;
  const started = performance.now();
  let gestures = 1;
  await workbench.runCommand(`Ledger Lens: ${away ? "Verify Locally…" : "Verify Contract…"}`);
  const end = workbench.waitForNotification(
    away === "network and node" ? /can't be reached|can't be read/ : /^Counter\b.*(?:match|verified)/,
  );
  end.catch(() => undefined);
  const input = page.locator(".quick-input-widget:visible input").first();
  for (let answered = ""; ;) {
    const asked = await Promise.race([
      end.then(() => undefined),
      eventually(async () => {
        // Without what it says besides where it asks for another Enter.
        const [placeholder = ""] = ((await input.getAttribute("placeholder")) ?? "").split(" · ");
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
        const isAsked = async () =>
          (await input.isVisible()) &&
          (
            (await input.getAttribute("placeholder", { timeout: LOOK_MS }).catch(() => null)) ?? ""
          ).startsWith(asked);
        if (!(await isAsked())) return;
        await workbench.accept();
        // It is not pressed again before there was time for an answer; a key that is held down is none.
        for (const end = performance.now() + LOOK_MS; performance.now() < end;)
          if (!(await isAsked())) return;
        throw new Error(`still asked: ${asked}`);
      });
  }
  const { text } = await end;
  return { gestures, seconds: (performance.now() - started) / 1000, message: text };
}
