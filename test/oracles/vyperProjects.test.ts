// Real Vyper compiles files of a project where they lie, and the input that the product makes of them: both give the
// same code, checksum over the sources included.
import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../src/core/sources/standardJsonInput.ts";
import { asRecord, asText, field, fieldAt } from "../../src/core/json/looseData.ts";
import { pythonPackages, vyperEnvironment, type Missing } from "../sandbox/vyperEnvironment.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { writeTree } from "./writeTree.ts";
import {
  apeProject,
  besideProject,
  interfaceProject,
  layeredProject,
  moccasinProject,
  oldApeProject,
  shadowingProject,
} from "./vyper/projects.ts";
import { snekmateContracts } from "./vyper/snekmateContracts.ts";
import {
  bundleInProject,
  compileInProject,
  compileInputs,
  run,
  type VyperCall,
} from "./vyper/vyperPrograms.ts";

const MODULAR = vyperEnvironment("0.4.3");
const EARLIER = vyperEnvironment("0.3.10");
const SNEKMATE = pythonPackages(MODULAR, ["snekmate==0.1.2"]);
const EARLIER_SNEKMATE = pythonPackages(EARLIER, ["snekmate==0.0.5"]);

/** Contracts whose code differs, and why that is so. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

const folders: string[] = [];
const compared = { same: 0, different: 0 };

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
  console.log(
    `Vyper contracts with the code that the project's own compiler gives: ${compared.same}; named exceptions: ${compared.different}`,
  );
});

function newProject(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "vyper-project-")));
  folders.push(folder);
  writeTree(folder, files);
  return folder;
}

/** The site-packages of an environment. */
function sitePackages(bin: string): string {
  const lib = join(bin, "../lib");
  const python = readdirSync(lib).find((name) => name.startsWith("python")) ?? "";
  return join(lib, python, "site-packages");
}

async function inputsOf(
  root: string,
  files: readonly string[],
  fullVersion: string,
): Promise<CompilerInput[]> {
  const inputs: CompilerInput[] = [];
  for (const file of files) {
    const stem = file.slice(file.lastIndexOf("/") + 1).replace(/\.vy$/, "");
    const contract = await findWorkspaceContract(diskFiles, [root], `${file}:${stem}`);
    const input = await contractInput(diskFiles, [root], contract);
    assert.equal(input.compilerVersion, fullVersion, file);
    assert.deepEqual(
      input.findings.filter(({ severity }) => severity === "error"),
      [],
      file,
    );
    inputs.push(input);
  }
  return inputs;
}

/** Compiles files in their project and the product's inputs of them, and compares the codes. */
async function compare(call: VyperCall, files: readonly string[], fullVersion: string): Promise<void> {
  const inputs = await inputsOf(call.folder, files, fullVersion);
  const [expected, outputs] = await Promise.all([
    compileInProject(call, files),
    compileInputs(
      call,
      inputs.map(({ stdJsonInput, contractIdentifier }) => ({
        ...stdJsonInput,
        settings: {
          ...stdJsonInput.settings,
          outputSelection: { [placeOf(contractIdentifier).source]: ["evm.bytecode.object"] },
        },
      })),
    ),
  ]);
  for (const [at, file] of files.entries()) {
    const { source, name } = placeOf(inputs[at]?.contractIdentifier ?? "");
    const code = asText(fieldAt(outputs[at], "contracts", source, name, "evm", "bytecode", "object"));
    assert.ok(code, `${file}: ${JSON.stringify(field(outputs[at], "errors"))}`);
    const isSame = code === expected[at];
    assert.equal(!isSame, file in EXCEPTIONS, `${file}: ${isSame ? "the same code" : "another code"}`);
    compared[isSame ? "same" : "different"]++;
  }
}

function placeOf(identifier: string): { source: string; name: string } {
  const colon = identifier.lastIndexOf(":");
  return { source: identifier.slice(0, colon), name: identifier.slice(colon + 1) };
}

/** Compares an input with the bundle that Vyper makes of the same file, as far as it lies in the project. */
async function compareBundle(call: VyperCall, file: string, fullVersion: string): Promise<void> {
  const [input] = await inputsOf(call.folder, [file], fullVersion);
  const bundle = await bundleInProject(call, file);
  const contents = (sources: unknown) =>
    Object.fromEntries(
      Object.entries(asRecord(sources) ?? {}).map(([name, source]) => [name, field(source, "content")]),
    );
  const all = (one: unknown) => ({
    ...contents(field(one, "sources")),
    ...contents(field(one, "interfaces")),
  });
  assert.deepEqual(all(input?.stdJsonInput), all(bundle));
}

/** What a test needs, or `undefined` after the test is skipped because it isn't there. */
function needed<T extends object>(context: TestContext, found: T | Missing): T | undefined {
  if (!("missing" in found)) return found;
  context.skip(found.missing);
  return undefined;
}

describe("Vyper 0.4.3 gives the code of the project for the input of", () => {
  const version = "0.4.3+commit.bff19ea2";

  it(`${Object.keys(snekmateContracts).length} contracts that import snekmate from the virtual environment`, async (context) => {
    const bin = needed(context, MODULAR)?.bin;
    const snekmate = needed(context, SNEKMATE)?.folder;
    if (bin === undefined || snekmate === undefined) return;
    const files = Object.fromEntries(
      Object.entries(snekmateContracts).map(([name, content]) => [`contracts/${name}`, content]),
    );
    const root = newProject(files);
    await run(join(bin, "python"), ["-m", "venv", "--without-pip", ".venv"], root);
    const site = sitePackages(join(root, ".venv/bin"));
    cpSync(join(snekmate, "snekmate"), join(site, "snekmate"), { recursive: true });
    // The compiler itself stays where it is.
    writeFileSync(join(site, "compiler.pth"), `${sitePackages(bin)}\n`);
    const call = { bin, folder: root, python: join(root, ".venv/bin/python") };
    await compare(call, Object.keys(files), version);
    await compareBundle(call, "contracts/coin.vy", version);
  });

  it("a moccasin project with packages in lib/pypi and lib/github", async (context) => {
    const bin = needed(context, MODULAR)?.bin;
    const snekmate = needed(context, SNEKMATE)?.folder;
    if (bin === undefined || snekmate === undefined) return;
    const { files, entries } = moccasinProject;
    const root = newProject(files);
    mkdirSync(join(root, "lib/pypi"), { recursive: true });
    cpSync(join(snekmate, "snekmate"), join(root, "lib/pypi/snekmate"), { recursive: true });
    // What `mox compile` puts in front (Cyfrin/moccasin, _sys_path_and_config_setup.py).
    const pythonPath = [".", "src", "lib/github", "lib/pypi", "lib"].map((folder) => join(root, folder));
    const call = { bin, folder: root, pythonPath };
    await compare(call, entries, version);
    await compareBundle(call, entries[0], version);
  });

  it("a folder with nested packages, interfaces and ABIs", async (context) => {
    const bin = needed(context, MODULAR)?.bin;
    if (bin === undefined) return;
    const { files, entries } = layeredProject;
    const call = { bin, folder: newProject(files) };
    await compare(call, entries, version);
    await compareBundle(call, entries[0], version);
  });

  it("a folder whose files hide others of the same name", async (context) => {
    const bin = needed(context, MODULAR)?.bin;
    if (bin === undefined) return;
    const { files, entries } = shadowingProject;
    const call = { bin, folder: newProject(files) };
    await compare(call, entries, version);
    await compareBundle(call, entries[0], version);
  });

  it("an Ape project that sets a range of versions, the EVM's and decimals", async (context) => {
    const bin = needed(context, MODULAR)?.bin;
    if (bin === undefined) return;
    const { files, entries } = apeProject;
    const root = newProject(files);
    // What Ape calls (ApeWorX/ape-vyper, ape_vyper/compiler/_versions/vyper_04.py).
    const options = ["-p", root, "--evm-version", "cancun", "--enable-decimals"];
    await compare({ bin, folder: root, options }, entries, version);
    await compareBundle({ bin, folder: root, options }, entries[0], version);
  });

  it("a bundle that Vyper itself wrote, which goes as it is", async (context) => {
    const bin = needed(context, MODULAR)?.bin;
    if (bin === undefined) return;
    const { files, entries } = layeredProject;
    const root = newProject(files);
    const bundle = await bundleInProject({ bin, folder: root }, entries[0]);
    writeTree(root, { "out/Exchange.json": JSON.stringify(bundle) });
    const [input] = await inputsOf(root, [entries[0]], version);
    assert.equal(input?.source, "build-info");
    assert.deepEqual(input.changedSinceBuild, []);
    await compare({ bin, folder: root }, [entries[0]], version);
  });
});

describe("Vyper 0.4.0 gives the code of the project for the input of", () => {
  it("a module that imports what lies beside it, which a later compiler finds elsewhere", async (context) => {
    const bin = needed(context, MODULAR)?.bin;
    const packages = needed(context, pythonPackages(MODULAR, ["vyper==0.4.0"]))?.folder;
    if (bin === undefined || packages === undefined) return;
    const { files, entries } = besideProject;
    await compare({ bin, folder: newProject(files) }, entries, "0.4.3+commit.bff19ea2");
    const older = Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, content.replace("~=0.4.0", "0.4.0")]),
    );
    const call = { bin, folder: newProject(older), pythonPath: [packages] };
    await compare(call, entries, "0.4.0+commit.e9db8d9f");
  });
});

describe("Vyper 0.3.10 gives the code of the project for the input of", () => {
  const version = "0.3.10+commit.91361694";

  it("the contracts of snekmate 0.0.5 that import interfaces of it", async (context) => {
    const bin = needed(context, EARLIER)?.bin;
    const snekmate = needed(context, EARLIER_SNEKMATE)?.folder;
    if (bin === undefined || snekmate === undefined) return;
    const root = newProject({});
    cpSync(join(snekmate, "snekmate"), join(root, "snekmate"), { recursive: true });
    const files = readdirSync(join(root, "snekmate"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".vy") && !name.includes("interfaces/"))
      .map((name) => `snekmate/${name}`)
      .filter((name) => /^(?:import |from \.)/m.test(readFileSync(join(root, name), "utf8")))
      .sort();
    assert.ok(files.length >= 8);
    await compare({ bin, folder: root }, files, version);
  });

  it("a folder with interfaces of every kind", async (context) => {
    const bin = needed(context, EARLIER)?.bin;
    if (bin === undefined) return;
    const { files, entries } = interfaceProject;
    await compare({ bin, folder: newProject(files) }, entries, version);
  });

  it("an Ape project that sets the version and the EVM's", async (context) => {
    const bin = needed(context, EARLIER)?.bin;
    if (bin === undefined) return;
    const { files, entries } = oldApeProject;
    const call = { bin, folder: newProject(files), options: ["--evm-version", "paris"] };
    await compare(call, entries, version);
  });
});
