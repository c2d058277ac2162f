import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { rememberedDisk } from "../../rig/rememberedDisk.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { requireSentence } from "./hostileCells.ts";

const VAULT = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract Vault {}\n";
const FOUNDRY = { "foundry.toml": '[profile.default]\nsolc = "0.8.30"\n', "src/Vault.sol": VAULT };
const RECORD = "out/build-info/1.json";

const roots: string[] = [];
after(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

async function project(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "ledger-lens-odd-"));
  roots.push(root);
  // Another user has to find the way to it.
  await chmod(root, 0o755);
  for (const [name, content] of Object.entries({ ...FOUNDRY, ...files })) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

async function inputOf(root: string, contract = "src/Vault.sol:Vault"): Promise<CompilerInput> {
  const found = await findWorkspaceContract(rememberedDisk, [root], contract);
  return contractInput(rememberedDisk, [root], found);
}

function record(sources: Readonly<Record<string, { readonly content: string }>>): string {
  return JSON.stringify({
    source_id_to_path: {},
    solcVersion: "0.8.28",
    input: { language: "Solidity", sources, settings: {} },
  });
}

/** What another process, which is no administrator, makes of a contract. */
interface SeenByOthers {
  readonly source?: string;
  readonly sources?: readonly string[];
  readonly findings?: readonly string[];
  readonly code?: string;
  readonly message?: string;
}

/** An identity that owns nothing here. */
const SOMEONE = 65_534;

async function asSomeoneElse(root: string): Promise<SeenByOthers> {
  const from = (path: string) => JSON.stringify(`${repositoryRoot}/src/core/${path}`);
  // Loaded first: the sources may lie where only their owner gets.
  const program = `
    import { contractInput } from ${from("compilerInput/contractInput.ts")};
    import { findWorkspaceContract } from ${from("languages/workspaceContract.ts")};
    import { diskFiles } from ${from("files/diskFiles.ts")};
    if (process.getuid() === 0) { process.setgid(${SOMEONE}); process.setuid(${SOMEONE}); }
    const folders = [${JSON.stringify(root)}];
    try {
      const found = await findWorkspaceContract(diskFiles, folders, "src/Vault.sol:Vault");
      const { source, stdJsonInput, findings } = await contractInput(diskFiles, folders, found);
      const sentences = findings.map(({ sentence }) => sentence);
      console.log(JSON.stringify({ source, sources: Object.keys(stdJsonInput.sources), findings: sentences }));
    } catch ({ code, message }) {
      console.log(JSON.stringify({ code, message }));
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  return JSON.parse(stdout) as SeenByOthers;
}

describe(
  "What may not be read",
  { skip: process.platform === "win32" && "permissions are others there" },
  () => {
    for (const [what, path, reason] of [
      ["a build record", RECORD, "may not be read (no permission)"],
      ["the folder of build records", "out/build-info", "may not be read (no permission)"],
      ["a build's folder", "out", "may not be read (no permission)"],
      ["foundry.toml", "foundry.toml", "may not be read (no permission)"],
      ["an artifact", "out/Vault.sol/Vault.json", "may not be read (no permission)"],
    ] as const) {
      it(`${what} is named, and the contract has its input`, async () => {
        const root = await project({ [RECORD]: "{}", "out/Vault.sol/Vault.json": "{}" });
        await chmod(join(root, path), 0);
        const seen = await asSomeoneElse(root);
        await chmod(join(root, path), 0o755);
        assert.equal(seen.source, "derived", seen.message);
        assert.deepEqual(seen.sources, ["src/Vault.sol"]);
        const named = seen.findings?.filter((sentence) => sentence.startsWith(`${path} ${reason}`));
        assert.equal(named?.length, 1, seen.findings?.join("\n"));
      });
    }

    it("the contract's own file or folder is one sentence", async () => {
      for (const path of ["src/Vault.sol", "src"]) {
        const root = await project();
        await chmod(join(root, path), 0);
        const { code = "", message = "" } = await asSomeoneElse(root);
        await chmod(join(root, path), 0o755);
        requireSentence({ code, message });
        assert.match(message, /Vault\.sol may not be read \(no permission\)/);
      }
    });
  },
);

describe("What is no file of text", { skip: process.platform === "win32" && "it has no such files" }, () => {
  for (const place of [
    RECORD,
    "out/Vault.sol/Vault.json",
    "remappings.txt",
    "cache/solidity-files-cache.json",
  ]) {
    it(`a pipe and a socket as ${place} are named, and nothing waits for them`, async () => {
      const root = await project({ [`${dirname(place)}/.keep`]: "" });
      execFileSync("mkfifo", [join(root, place)]);
      const piped = await inputOf(root);
      const named = piped.warnings.filter((warning) => warning.startsWith(`${place} is no regular file; `));
      assert.equal(named.length, 1, piped.warnings.join("\n"));
      await rm(join(root, place));
      const server = createServer().listen(join(root, place));
      await once(server, "listening");
      try {
        const { stdJsonInput } = await inputOf(root);
        assert.deepEqual(Object.keys(stdJsonInput.sources), ["src/Vault.sol"]);
      } finally {
        server.close();
      }
    });
  }

  it("names that are not UTF-8 are passed over", async () => {
    const root = await project({ [RECORD]: record({ "src/Vault.sol": { content: VAULT } }) });
    const odd = (folder: string, ending: string) =>
      Buffer.concat([
        Buffer.from(join(root, folder)),
        Buffer.from([0x2f, 0xff, 0xfe, 0x41]),
        Buffer.from(ending),
      ]);
    await writeFile(odd("src", ".sol"), "contract Odd {}");
    await writeFile(odd("out/build-info", ".json"), "{");
    await mkdir(odd("src", ""));
    await symlink(odd("src", ".sol"), join(root, "src/Link.sol"));
    const { source, stdJsonInput } = await inputOf(root);
    assert.equal(source, "build-info");
    assert.deepEqual(Object.keys(stdJsonInput.sources), ["src/Vault.sol"]);
  });
});

describe("A record that", () => {
  it("grows while it is read has an end", async () => {
    const root = await project({ [RECORD]: "{" });
    const path = join(root, RECORD);
    const descriptor = openSync(path, "a");
    const more = Buffer.alloc(256 * 1024, " ");
    let isDone = false;
    const grow = () => {
      if (isDone) return;
      writeSync(descriptor, more);
      setImmediate(grow);
    };
    writeSync(descriptor, more);
    grow();
    try {
      const { source, warnings } = await inputOf(root);
      assert.equal(source, "derived");
      assert.match(
        warnings.join("\n"),
        /^out\/build-info\/1\.json (?:is not valid JSON|is larger than 256 MB)/m,
      );
    } finally {
      isDone = true;
      closeSync(descriptor);
    }
  });

  const count = proofSize({ sample: 2_000, whole: 100_000 });
  it(`holds ${count.toLocaleString("en")} sources is answered with what the contract needs`, async () => {
    const others = Array.from({ length: count }, (_, at): [string, { content: string }] => [
      `src/Other${at}.sol`,
      { content: `pragma solidity ^0.8.20;\ncontract Other${at} {}\n` },
    ]);
    const sources = { "src/Vault.sol": { content: VAULT }, ...Object.fromEntries(others) };
    const root = await project({ [RECORD]: record(sources) });
    const { stdJsonInput, source, warnings } = await inputOf(root);
    assert.equal(source, "build-info");
    assert.deepEqual(Object.keys(stdJsonInput.sources), ["src/Vault.sol"]);
    assert.match(
      warnings.join("\n"),
      /and [\d,]+ more, which are neither in the project nor in its dependencies/,
    );
  });
});
