import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitAt } from "../repository.ts";
import {
  type StrangersCase,
  HOUR,
  MINUTE,
  vault,
  library,
  usesDep,
  HARDHAT_SETTINGS,
  hardhat,
  hardhatCode,
  FOUNDRY_VAULT,
  HARDHAT_VAULT,
  otherWork,
  threeStates,
  hostileRepository,
  foundry,
} from "./strangersFiles.ts";
import { solc, treeHash } from "./strangersWorld.ts";

/** Repositories in which the deployed commit lies in odd ways, lacks something, or wants to do harm. */
export const REPOSITORY_CASES: readonly StrangersCase[] = [
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
      await assert.rejects(world.search({ root: shared, time: at }, { contract: HARDHAT_VAULT, code, at }), {
        code: "repository_borrows",
      });
      // As the message says.
      execFileSync("git", ["repack", "-a", "-d", "-q"], { cwd: shared });
      rmSync(join(shared, ".git/objects/info/alternates"));
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
      // All forty take longer.
      assert.ok(performance.now() - began < 30_000);
      assert.deepEqual([isCut, found], [true, undefined]);
    },
  },
];
