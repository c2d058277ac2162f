import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { UnresolvedImportError } from "../../../src/core/languages/solidity/solidityClosure.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { rememberedDisk } from "../../rig/rememberedDisk.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";

const roots: string[] = [];
after(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

const VAULT = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract Vault {}\n";
const PROJECT = {
  "foundry.toml": '[profile.default]\nsolc = "0.8.30"\noptimizer = true\n',
  "src/Vault.sol": VAULT,
};
const BAD = "out/build-info/bad.json";

/** What a record of a build says, with what is wrong in it on top. */
function record(wrong: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    source_id_to_path: {},
    solcVersion: "0.8.28",
    input: { language: "Solidity", sources: { "src/Vault.sol": { content: VAULT } }, settings: {}, ...wrong },
  };
}

const text = (value: unknown) => JSON.stringify(value);
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "ledger-lens-records-"));
  roots.push(root);
  for (const [name, content] of Object.entries({ ...PROJECT, ...files })) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

async function vaultIn(root: string, options?: ContractInputOptions): Promise<CompilerInput> {
  const contract = await findWorkspaceContract(rememberedDisk, [root], "src/Vault.sol:Vault");
  return contractInput(rememberedDisk, [root], contract, options);
}

/** The input is what the project's configuration comes to, and one warning names the file. */
async function skips(root: string, file: string, reason: RegExp): Promise<void> {
  const input = await vaultIn(root);
  assert.equal(input.source, "derived");
  assert.deepEqual(input.stdJsonInput.sources, { "src/Vault.sol": { content: VAULT } });
  const warnings = input.findings.filter(({ code }) => code === "unreadable_file");
  assert.equal(warnings.length, 1, input.warnings.join("\n"));
  const sentence = warnings[0]?.sentence ?? "";
  assert.ok(sentence.startsWith(`${file} `), sentence);
  assert.match(sentence, reason);
  assert.match(sentence, /; it is left out, and the input is made from the configuration and the sources\.$/);
  assert.equal(warnings[0]?.severity, "warning");
}

describe("A build record that can't be used is skipped by name, and the contract still has its input", () => {
  for (const [what, content, reason] of [
    ["is empty", "", /is not valid JSON/],
    ["was cut off", text(record()).slice(0, -20), /is not valid JSON/],
    ["is binary", "\u0000\u0001\u0002", /is not UTF-8 text/],
    ["is a list", "[]", /is no record of a build/],
    ["is nothing", "null", /is no record of a build/],
    ["is nested 100,000 levels deep", deep(100_000), /is no record of a build/],
    [
      "has settings nested 100,000 levels deep",
      text(record({ settings: { details: 0 } })).replace('"details":0', `"details":${deep(100_000)}`),
      /is nested too deeply/,
    ],
    [
      "names a version of no compiler",
      text({ ...record(), solcVersion: "latest" }),
      /no release of a compiler/,
    ],
    ["has a number for a version", text({ ...record(), solcVersion: 8 }), /no release of a compiler/],
    ["has remappings that are no list", text(record({ settings: { remappings: "a=b" } })), /\(remappings\)/],
    ["has an optimizer that is a text", text(record({ settings: { optimizer: "on" } })), /\(optimizer\)/],
    ["has settings that are a list", text(record({ settings: [] })), /settings of a wrong form/],
    ["has another language", text(record({ language: "Cobol" })), /no language/],
    ["has sources that are a list", text(record({ sources: [] })), /holds no sources/],
    [
      "has a source that is no text",
      text(record({ sources: { "src/Vault.sol": { content: 1 } } })),
      /without its text/,
    ],
    [
      "has a name with a null",
      text(record({ sources: { "a\u0000b": { content: "" } } })),
      /whose name is none/,
    ],
  ] as const) {
    it(what, async () => skips(await project({ [BAD]: content }), BAD, reason));
  }

  it("is larger than any that a tool writes", async () => {
    const root = await project({ [BAD]: "{" });
    // Nothing is written: the file has a hole.
    await truncate(join(root, BAD), 600 * 1024 * 1024);
    await skips(root, BAD, /is larger than 256 MB/);
  });

  it("is a link to a device, or a pipe", { skip: process.platform === "win32" }, async () => {
    const root = await project({ "out/build-info/.keep": "" });
    await symlink("/dev/zero", join(root, BAD));
    await skips(root, BAD, /is no regular file/);
    const other = await project({ "out/build-info/.keep": "" });
    execFileSync("mkfifo", [join(other, BAD)]);
    await skips(other, BAD, /is no regular file/);
  });

  const isRoot = process.getuid?.() === 0;
  it("may not be read", { skip: isRoot ? "root may read all" : process.platform === "win32" }, async () => {
    const root = await project({ [BAD]: text(record()) });
    await chmod(join(root, BAD), 0);
    await skips(root, BAD, /may not be read/);
    const other = await project({ [BAD]: text(record()) });
    await chmod(join(other, "out/build-info"), 0);
    await skips(other, "out/build-info", /may not be read/);
    await chmod(join(other, "out/build-info"), 0o755);
  });

  it("stands beside a good one, which is taken", async () => {
    const root = await project({ [BAD]: "{", "out/build-info/good.json": text(record()) });
    const input = await vaultIn(root);
    assert.equal(input.source, "build-info");
    assert.equal(input.compilerVersion, "0.8.28+commit.7893614a");
    assert.match(
      input.warnings.join("\n"),
      /^out\/build-info\/bad\.json is not valid JSON; it is left out, and the input is made from out\/build-info\/good\.json\.$/m,
    );
  });

  it("is one of a thousand: ten are named, the rest are counted", async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `out/build-info/${1_000 + at}.json`);
    const root = await project(Object.fromEntries(names.map((name) => [name, "{"])));
    const { findings } = await vaultIn(root);
    const warnings = findings.filter(({ code }) => code === "unreadable_file");
    assert.equal(warnings.length, 11);
    assert.match(warnings[10]?.sentence ?? "", /^31 more files are left out that can't be read/);
  });
});

describe("Other data of a project that can't be used", () => {
  const metadata = {
    compiler: { version: "0.8.28+commit.7893614a" },
    language: "Solidity",
    settings: { compilationTarget: { "src/Vault.sol": "Vault" }, remappings: [] },
    sources: { "src/Vault.sol": { content: VAULT, keccak256: "0x" } },
  };

  it("is metadata with settings or a version that no compiler has", async () => {
    for (const [wrong, reason] of [
      [{ compiler: { version: "newest" } }, /no release of a compiler/],
      [{ settings: { ...metadata.settings, remappings: 1 } }, /\(remappings\)/],
      [{ settings: { ...metadata.settings, libraries: [] } }, /\(libraries\)/],
    ] as const) {
      const artifact = "out/Vault.sol/Vault.json";
      await skips(
        await project({ [artifact]: text({ metadata: { ...metadata, ...wrong } }) }),
        artifact,
        reason,
      );
    }
  });

  it("is foundry.toml: the defaults are taken", async () => {
    await skips(
      await project({ "foundry.toml": "[profile.default" }),
      "foundry.toml",
      /not valid TOML \(line 1\)/,
    );
    await skips(await project({ "foundry.toml": "\ufeff\u0001" }), "foundry.toml", /not valid TOML/);
  });

  it("is what comes after two thousand remappings, each of which is compared with every other one", async () => {
    const names = (count: number) =>
      Array.from({ length: count }, (_, at) => `r${at}/=lib/r${at}/\n`).join("");
    const remapped = async (root: string) =>
      (await vaultIn(root)).stdJsonInput.settings.remappings?.length ?? 0;
    assert.equal(await remapped(await project({ "remappings.txt": names(1_999) })), 1_999);
    const root = await project({ "remappings.txt": names(5_000) });
    await skips(root, "foundry.toml", /comes to more than 2,000 remappings, and what comes after these/);
    assert.equal(await remapped(root), 2_000);
  });

  it("is remappings.txt in another encoding", async () => {
    const root = await project({});
    await writeFile(join(root, "remappings.txt"), Buffer.from("\ufeffa/=lib/a/\n", "utf16le"));
    await skips(root, "remappings.txt", /is not UTF-8 text/);
  });

  it("is what hardhat-deploy keeps, with a version that is none", async () => {
    const root = await project({
      "deployments/mainnet/Vault.json": text({
        solcInputHash: "1",
        metadata: text({ ...metadata, compiler: { version: "newest" } }),
      }),
      "deployments/mainnet/solcInputs/1.json": text(record()["input"]),
    });
    await skips(root, "deployments/mainnet/Vault.json", /no release of a compiler/);
  });
});

describe("An import that can't be found", () => {
  const importing = 'pragma solidity ^0.8.20;\nimport "token/Token.sol";\ncontract Vault {}\n';

  it("tells what was left out, which may be why", async () => {
    const root = await project({ "src/Vault.sol": importing, "foundry.toml": "[profile.default" });
    await assert.rejects(vaultIn(root), (error) => {
      assert.ok(error instanceof UnresolvedImportError);
      assert.equal(error.code, "import_not_found");
      assert.match(
        error.message,
        /Install the dependency or add a remapping\. Left out: foundry\.toml is not valid TOML \(line 1\)\.$/,
      );
      assert.match(error.detail ?? "", /^Left out: foundry\.toml is not valid TOML \(line 1\)$/m);
      assert.equal(error.imports.length, 1);
      return true;
    });
  });

  it("keeps what to do next where the sentence is long already", async () => {
    const name = `${"long/".repeat(60)}Token.sol`;
    const root = await project({
      "src/Vault.sol": importing.replace("token/Token.sol", name),
      "foundry.toml": "[profile.default",
    });
    await assert.rejects(vaultIn(root), (error) => {
      assert.ok(error instanceof UnresolvedImportError);
      assert.doesNotMatch(error.message, /Left out/);
      assert.match(error.detail ?? "", /^Left out: foundry\.toml/m);
      return true;
    });
  });
});

describe("The contract's own file", () => {
  it("is told in one sentence where it can't be read", { skip: process.platform === "win32" }, async () => {
    const root = await project({});
    await rm(join(root, "src/Vault.sol"));
    await symlink("/dev/zero", join(root, "src/Vault.sol"));
    await assert.rejects(vaultIn(root), (error) => {
      assert.ok(error instanceof LedgerLensError);
      assert.equal(error.code, "unreadable_file");
      assert.match(error.message, /Vault\.sol is no regular file\. Check the file and try again\.$/);
      return true;
    });
  });
});
