import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { openHistory } from "../../../src/core/git/gitHistory.ts";
import { workTreeAt } from "../../../src/core/git/repositoryFolders.ts";
import { TestRepository } from "../../oracles/git/repository.ts";

/** Every setting of a repository by which git runs a program, but for those that a remote needs. */
const PROGRAMS = [
  "core.fsmonitor",
  "core.pager",
  "core.editor",
  "core.askPass",
  "core.sshCommand",
  "core.gitProxy",
  "core.alternateRefsCommand",
  "pager.cat-file",
  "pager.for-each-ref",
  "sequence.editor",
  "diff.external",
  "diff.run.textconv",
  "diff.run.command",
  "filter.run.smudge",
  "filter.run.clean",
  "filter.run.process",
  "merge.run.driver",
  "gpg.program",
  "gpg.ssh.program",
  "credential.helper",
  "uploadpack.packObjectsHook",
  "interactive.diffFilter",
  "ssh.variant",
] as const;

describe("A repository that is set up to run programs", () => {
  let repository: TestRepository;
  let marker: string;
  let program: string;
  let missing: string;
  beforeEach(() => {
    repository = new TestRepository();
    const { root } = repository;
    repository.commit("First", { "A.sol": "contract A {}\n", "a.bin": "bin\n" });
    repository.commit("Second", {
      "A.sol": "contract A { uint x; }\n",
      ".gitattributes": "* diff=run filter=run merge=run\n",
    });
    marker = join(root, ".git", "ran");
    program = join(root, ".git", "program");
    writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> '${marker}'\nexit 1\n`);
    chmodSync(program, 0o755);
    for (const name of readdirSync(join(root, ".git", "hooks")).filter((one) => one.endsWith(".sample"))) {
      const hook = join(root, ".git", "hooks", name.replace(".sample", ""));
      writeFileSync(hook, `#!/bin/sh\necho hook >> '${marker}'\n`);
      chmodSync(hook, 0o755);
    }
    // An object that is gone, and a remote that promises it.
    missing = repository.git("rev-parse", "HEAD~1:A.sol");
    rmSync(join(root, ".git", "objects", missing.slice(0, 2), missing.slice(2)));
    for (const name of PROGRAMS) repository.git("config", name, program);
    const settings = {
      "core.repositoryFormatVersion": "1",
      "extensions.partialClone": "far",
      "remote.far.promisor": "true",
      "remote.far.partialCloneFilter": "blob:none",
      "remote.far.uploadpack": program,
      "alias.cat-file": `!${program}`,
      "alias.for-each-ref": `!${program}`,
      "log.showSignature": "true",
    };
    for (const [name, value] of Object.entries(settings)) repository.git("config", name, value);
  });
  afterEach(() => repository.remove());

  for (const [name, url] of [
    ["a folder of this machine", "."],
    ["ssh", "ssh://example.invalid/a"],
    ["a helper of its own", "ext::sh -c 'echo ext >> MARKER'"],
    ["a program of git for a protocol", "https://example.invalid/a"],
  ] as const) {
    it(`runs none, and what it lacks is lacking, where its remote is ${name}`, async () => {
      repository.git("config", "remote.far.url", url.replace("MARKER", marker));
      repository.git("config", "protocol.ext.allow", "always");
      const workTree = await workTreeAt(repository.root);
      assert.ok(workTree);
      const history = await openHistory("git", workTree);
      try {
        const { commits } = await history.commits();
        assert.deepEqual(
          commits.map(({ subject }) => subject),
          ["Second", "First"],
        );
        const files: string[] = [];
        for (const { tree } of commits) {
          for (const entry of (await history.objects.tree(tree)) ?? []) {
            const bytes = await history.objects.blob(entry.id, 1_000);
            files.push(`${entry.name} ${bytes ? Buffer.from(bytes).toString().trim() : "is missing"}`);
          }
        }
        assert.deepEqual(files, [
          ".gitattributes * diff=run filter=run merge=run",
          "A.sol contract A { uint x; }",
          "a.bin bin",
          "A.sol is missing",
          "a.bin bin",
        ]);
      } finally {
        await history.dispose();
      }
      assert.equal(existsSync(marker) ? readFileSync(marker, "utf8") : "nothing ran", "nothing ran");
    });
  }

  it("would run them if git were asked in the repository itself", () => {
    repository.git("config", "remote.far.url", ".");
    const asked = () =>
      execFileSync("git", ["cat-file", "-p", missing], { cwd: repository.root, stdio: "ignore" });
    assert.throws(asked);
    assert.match(readFileSync(marker, "utf8"), /program/);
  });
});
