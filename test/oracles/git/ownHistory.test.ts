// A folder that was handed on could be made to have the commits of another repository of the machine; git itself reads most of these.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { afterEach, describe, it } from "node:test";
import { openHistory, type GitHistory } from "../../../src/core/git/gitHistory.ts";
import { findWorkTree } from "../../../src/core/git/repositoryFolders.ts";
import { gitAt, TestRepository } from "./repository.ts";

/** Makes a folder have the commits of another repository, and answers the folder. */
type Attack = (made: TestRepository, other: TestRepository) => string;

const BORROWS = "repository_borrows";
const ELSEWHERE = "repository_elsewhere";

const objectsOf = ({ root }: TestRepository) => join(root, ".git/objects");
const alternates = (objects: string, text: string) => {
  mkdirSync(join(objects, "info"), { recursive: true });
  writeFileSync(join(objects, "info/alternates"), text);
};
/** A folder of objects in another one, whose name is all that the file of the outer one says. */
const nested =
  (name: string): Attack =>
  (made, other) => {
    mkdirSync(join(objectsOf(made), name));
    alternates(join(objectsOf(made), name), `${objectsOf(other)}\n`);
    alternates(objectsOf(made), `${name}\n`);
    return made.root;
  };

const ATTACKS: Readonly<Record<string, readonly [code: string, attack: Attack]>> = {
  "its alternates name the other by its way from here": [
    BORROWS,
    (made, other) => {
      alternates(objectsOf(made), `# none\n\n${relative(objectsOf(made), objectsOf(other))}\n`);
      return made.root;
    },
  ],
  "its alternates name the other in quotes": [
    BORROWS,
    (made, other) => {
      alternates(objectsOf(made), `\n"${objectsOf(other)}"\n`);
      return made.root;
    },
  ],
  "its alternates name a folder called by one space, which names the other": [BORROWS, nested(" ")],
  "its alternates name a folder called by a space of another script": [BORROWS, nested("\u3000")],
  "its alternates name a folder called by a byte order mark": [BORROWS, nested("\ufeff")],
  "its alternates are larger than a text can be": [
    BORROWS,
    (made, other) => {
      alternates(objectsOf(made), `${objectsOf(other)}\n`);
      truncateSync(join(objectsOf(made), "info/alternates"), 600 * 1024 * 1024);
      return made.root;
    },
  ],
  "its alternates are a pipe, for which nobody waits": [
    BORROWS,
    (made) => {
      mkdirSync(join(objectsOf(made), "info"), { recursive: true });
      execFileSync("mkfifo", [join(objectsOf(made), "info/alternates")]);
      return made.root;
    },
  ],
  "its git folder says that another one is the common one": [
    BORROWS,
    (made, other) => {
      writeFileSync(join(made.root, ".git/commondir"), `${join(other.root, ".git")}\n`);
      return made.root;
    },
  ],
  "its git folder has no objects and says that another one has them": [
    BORROWS,
    (made, other) => {
      rmSync(objectsOf(made), { recursive: true });
      writeFileSync(join(made.root, ".git/commondir"), `${join(other.root, ".git")}\n`);
      return made.root;
    },
  ],
  "it brings a second work tree of the other along, of which that one does not know": [
    ELSEWHERE,
    (made, other) => {
      const forged = join(made.root, "forged");
      mkdirSync(forged);
      rmSync(join(made.root, ".git"), { recursive: true });
      writeFileSync(join(made.root, ".git"), "gitdir: forged\n");
      writeFileSync(join(forged, "gitdir"), "../.git\n");
      writeFileSync(join(forged, "commondir"), `${join(other.root, ".git")}\n`);
      writeFileSync(join(forged, "HEAD"), "ref: refs/heads/main\n");
      return made.root;
    },
  ],
  "its .git is a link, and a repository lies above it": [
    ELSEWHERE,
    (made, other) => {
      mkdirSync(join(made.root, "inner"));
      symlinkSync(join(other.root, ".git"), join(made.root, "inner/.git"));
      return join(made.root, "inner");
    },
  ],
  "it lies in the other and points at a submodule of that, which is somewhere else": [
    ELSEWHERE,
    (made, other) => {
      other.git("submodule", "--quiet", "add", made.root, "lib/inner");
      return strangeIn(other, "../../.git/modules/lib/inner");
    },
  ],
  "it lies in the other and points at a submodule of that, which is checked out nowhere": [
    ELSEWHERE,
    (made, other) => {
      other.git("submodule", "--quiet", "add", made.root, "lib/inner");
      other.commit("With a submodule");
      other.git("submodule", "--quiet", "deinit", "-f", "lib/inner");
      return strangeIn(other, "../../.git/modules/lib/inner");
    },
  ],
  "it lies in the other and points at a submodule of that, whose place is in another file of its configuration":
    [
      ELSEWHERE,
      (made, other) => {
        other.git("submodule", "--quiet", "add", made.root, "lib/inner");
        gitAt(join(other.root, "lib/inner"), { author: 1_767_225_600 }, "sparse-checkout", "set", "src");
        return strangeIn(other, "../../.git/modules/lib/inner");
      },
    ],
};

/** A folder of a dependency, which says where its repository is. */
function strangeIn({ root }: TestRepository, gitFolder: string): string {
  const strange = join(root, "node_modules/strange");
  mkdirSync(strange, { recursive: true });
  writeFileSync(join(strange, ".git"), `gitdir: ${gitFolder}\n`);
  return strange;
}

/** A list of one pack (gitformat-pack, multi-pack-index files) with another name for it. */
function namingPack(list: Buffer, nameFor: (name: string) => string): Buffer {
  const chunks = list.readUInt8(6);
  const entries = Array.from({ length: chunks + 1 }, (_, at) => ({
    id: list.toString("latin1", 12 + at * 12, 16 + at * 12),
    from: Number(list.readBigUInt64BE(16 + at * 12)),
  }));
  const bodies = entries.slice(0, -1).map(({ id, from }, at) => {
    const body = list.subarray(from, entries[at + 1]?.from);
    if (id !== "PNAM") return { id, body };
    const name = Buffer.from(`${nameFor(body.toString("latin1").replaceAll("\0", ""))}\0`);
    return { id, body: Buffer.concat([name, Buffer.alloc((4 - (name.length % 4)) % 4)]) };
  });
  const table = Buffer.alloc((chunks + 1) * 12);
  let at = 12 + table.length;
  for (const [index, { id, body }] of [...bodies, { id: "\0\0\0\0", body: Buffer.alloc(0) }].entries()) {
    table.write(id, index * 12, "latin1");
    table.writeBigUInt64BE(BigInt(at), index * 12 + 4);
    at += body.length;
  }
  const all = Buffer.concat([list.subarray(0, 12), table, ...bodies.map(({ body }) => body)]);
  return Buffer.concat([all, createHash("sha1").update(all).digest()]);
}

describe("The commits of another repository", () => {
  const made: { remove(): void }[] = [];
  const opened: GitHistory[] = [];
  afterEach(async () => {
    for (const history of opened.splice(0)) await history.dispose();
    for (const one of made.splice(0)) one.remove();
  });
  const repository = () => {
    const one = new TestRepository();
    made.push(one);
    one.commit("Of its own", { "a.txt": one.root });
    return one;
  };
  const open = async (root: string) => {
    const workTree = await findWorkTree(root);
    assert.ok(workTree, "there is a repository");
    const history = await openHistory("git", workTree);
    opened.push(history);
    return history;
  };
  const subjectsOf = async (root: string) =>
    (await (await open(root)).commits()).commits.map(({ subject }) => subject);

  for (const [name, [code, attack]] of Object.entries(ATTACKS))
    it(`are not those of a folder where ${name}`, { timeout: 30_000 }, async () => {
      const root = attack(repository(), repository());
      await assert.rejects(findWorkTree(root), { code });
      await assert.rejects(findWorkTree(join(root, "below")), { code });
    });

  const skip = process.getuid?.() === 0 ? false : "needs root, to be another user for a moment";
  it("are not those of a folder of which not all can be listed", { skip }, () => {
    const [one, other] = [repository(), repository()];
    other.git("repack", "-a", "-d", "-q");
    rmSync(join(objectsOf(one), "pack"), { recursive: true });
    symlinkSync(join(objectsOf(other), "pack"), join(objectsOf(one), "pack"));
    execFileSync("chmod", ["755", one.root, other.root]);
    execFileSync("chmod", ["711", objectsOf(one)]);
    const program = `import { workTreeAt } from ${JSON.stringify(new URL("../../../src/core/git/repositoryFolders.ts", import.meta.url).href)};
      process.stdout.write(String(await workTreeAt(process.argv[1])));`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", program, one.root], {
      encoding: "utf8",
      uid: 65534,
      gid: 65534,
    });
    assert.equal(said, "undefined");
  });

  const SUBMODULES: Readonly<Record<string, (one: TestRepository, other: TestRepository) => void>> = {
    "its git folder is a link": (one, other) => {
      mkdirSync(join(one.root, ".git/modules/lib"), { recursive: true });
      symlinkSync(join(other.root, ".git"), join(one.root, ".git/modules/lib/inner"));
    },
    "all git folders of submodules are behind a link": (one, other) => {
      const modules = join(one.root, "elsewhere");
      mkdirSync(join(modules, "lib"), { recursive: true });
      cpSync(join(other.root, ".git"), join(modules, "lib/inner"), { recursive: true });
      symlinkSync(modules, join(one.root, ".git/modules"));
    },
    "its place in the work tree is a link": (one, other) => {
      mkdirSync(join(one.root, "lib"));
      symlinkSync(other.root, join(one.root, "lib/inner"));
    },
    "the folder of its place in the work tree is a link": (one, other) => {
      const place = `${other.root}/inner`;
      cpSync(join(other.root, ".git"), join(place, ".git"), { recursive: true });
      symlinkSync(dirname(place), join(one.root, "lib"));
    },
  };
  for (const [name, attack] of Object.entries(SUBMODULES))
    it(`are not those of a submodule where ${name}`, async () => {
      const [one, other] = [repository(), repository()];
      attack(one, other);
      const history = await open(one.root);
      assert.equal(await history.submodule("lib/inner", "lib/inner"), undefined);
    });

  it("are not those of a folder with a list of packs that names one of the other", async () => {
    const [one, other] = [repository(), repository()];
    const theirs = other.commit("Secret", { "b.txt": "secret" });
    other.git("repack", "-a", "-d", "-q");
    other.git("multi-pack-index", "write");
    const list = readFileSync(join(objectsOf(other), "pack/multi-pack-index"));
    mkdirSync(join(objectsOf(one), "pack"), { recursive: true });
    writeFileSync(
      join(objectsOf(one), "pack/multi-pack-index"),
      namingPack(list, (name) =>
        join(relative(join(objectsOf(one), "pack"), join(objectsOf(other), "pack")), name),
      ),
    );
    assert.equal(one.git("cat-file", "-t", theirs), "commit", "git itself reads it");
    const history = await open(one.root);
    assert.equal(await history.objects.commit(theirs), undefined);
  });

  it(
    "are not waited for where a file that says whose folder it is is a pipe",
    { timeout: 30_000 },
    async () => {
      const [one, other] = [repository(), repository()];
      for (const place of [".git/HEAD", ".git/config.worktree"]) {
        rmSync(join(one.root, place), { force: true });
        execFileSync("mkfifo", [join(one.root, place)]);
      }
      await findWorkTree(one.root);
      rmSync(join(other.root, ".git"), { recursive: true });
      execFileSync("mkfifo", [join(other.root, ".git")]);
      assert.equal((await findWorkTree(other.root))?.root, undefined);
      // A folder that points at a repository of which the configuration is one.
      const apart = `${other.root}-apart`;
      mkdirSync(join(apart, "objects"), { recursive: true });
      made.push({ remove: () => rmSync(apart, { recursive: true, force: true }) });
      rmSync(join(other.root, ".git"));
      writeFileSync(join(other.root, ".git"), `gitdir: ${apart}\n`);
      writeFileSync(join(apart, "HEAD"), "ref: refs/heads/main\n");
      execFileSync("mkfifo", [join(apart, "config")]);
      await assert.rejects(findWorkTree(other.root), { code: ELSEWHERE });
    },
  );

  it("are the same that an honest clone, work tree or submodule has", async () => {
    const one = repository();
    one.git("repack", "-a", "-d", "-q");
    const second = one.commit("Second");
    const outer = new TestRepository();
    made.push(outer);
    const plain = join(outer.root, "plain");
    const linked = join(outer.root, "hard links");
    outer.git("clone", "-q", `file://${one.root}`, plain);
    outer.git("clone", "-q", one.root, linked);
    for (const root of [plain, linked]) {
      // What the program that hands a repository on or git itself may leave there.
      alternates(join(root, ".git/objects"), "\n\n");
      assert.deepEqual(await subjectsOf(root), ["Second", "Of its own"], root);
    }
    const tree = join(outer.root, "tree");
    one.git("worktree", "add", "-q", "-b", "other", tree);
    assert.deepEqual(await subjectsOf(tree), ["Second", "Of its own"]);
    // A work tree that knows its repository by its way from there, as newer versions of git write it.
    const gitFolder = join(one.root, ".git/worktrees/tree");
    writeFileSync(join(tree, ".git"), `gitdir: ${relative(tree, gitFolder)}\n`);
    writeFileSync(join(gitFolder, "gitdir"), `${relative(gitFolder, join(tree, ".git"))}\n`);
    assert.deepEqual(await subjectsOf(tree), ["Second", "Of its own"]);

    const top = repository();
    top.git("submodule", "--quiet", "add", one.root, "lib/inner");
    top.commit("With a submodule");
    const inner = join(top.root, "lib/inner");
    assert.deepEqual(await subjectsOf(inner), ["Second", "Of its own"]);
    const innerTree = join(outer.root, "inner tree");
    gitAt(inner, { author: 1_767_225_600 }, "worktree", "add", "-q", "--detach", innerTree);
    assert.deepEqual(await subjectsOf(innerTree), ["Second", "Of its own"]);
    // A sparse one has its place in the work tree written in another file.
    gitAt(inner, { author: 1_767_225_600 }, "sparse-checkout", "set", "src");
    assert.doesNotMatch(readFileSync(join(top.root, ".git/modules/lib/inner/config"), "utf8"), /worktree =/);
    assert.deepEqual(await subjectsOf(inner), ["Second", "Of its own"]);
    const topTree = join(outer.root, "top tree");
    top.git("worktree", "add", "-q", "-b", "other", topTree);
    gitAt(topTree, { author: 1_767_225_600 }, "submodule", "--quiet", "update", "--init");
    assert.deepEqual(await subjectsOf(join(topTree, "lib/inner")), ["Second", "Of its own"]);
    // Its place has what the configuration of git quotes.
    const quoted = `lib/the "first" \\ #1`;
    top.git("submodule", "--quiet", "add", "--name", "quoted", one.root, quoted);
    assert.deepEqual(await subjectsOf(join(top.root, quoted)), ["Second", "Of its own"]);
    // The whole was moved, and is opened through a link.
    const moved = `${top.root}-moved`;
    renameSync(top.root, moved);
    made.push({ remove: () => rmSync(moved, { recursive: true, force: true }) });
    const link = join(outer.root, "link");
    symlinkSync(moved, link);
    assert.deepEqual(await subjectsOf(join(link, "lib/inner")), ["Second", "Of its own"]);
    const history = await open(link);
    for (const isCheckedOut of [true, false]) {
      if (!isCheckedOut) rmSync(join(moved, "lib"), { recursive: true });
      const submodule = await history.submodule("lib/inner", "lib/inner");
      assert.equal((await submodule?.objects.commit(second))?.subject, "Second");
    }
    // A submodule that has a whole git folder of its own, as of old.
    const old = repository();
    old.git("clone", "-q", one.root, "lib/old");
    const oldest = await (await open(old.root)).submodule("lib/old", "lib/old");
    assert.equal((await oldest?.objects.commit(second))?.subject, "Second");
    // A link to a repository that says by its own configuration that this folder is its own.
    const named = repository();
    renameSync(join(named.root, ".git"), join(outer.root, "apart"));
    symlinkSync(join(outer.root, "apart"), join(named.root, ".git"));
    named.git("config", "core.worktree", named.root);
    assert.deepEqual(await subjectsOf(named.root), ["Of its own"]);
  });
});
