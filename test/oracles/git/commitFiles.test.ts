import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, it } from "node:test";
import { CommitFiles } from "../../../src/core/deployedCommit/commitFiles.ts";
import { diskFiles } from "../../../src/core/files/diskFiles.ts";
import { openHistory, type GitHistory } from "../../../src/core/git/gitHistory.ts";
import { workTreeAt } from "../../../src/core/git/repositoryFolders.ts";
import { TestRepository } from "./repository.ts";

describe("The files of a commit", () => {
  const made: TestRepository[] = [];
  const opened: GitHistory[] = [];
  afterEach(async () => {
    for (const history of opened.splice(0)) await history.dispose();
    for (const repository of made.splice(0)) repository.remove();
  });
  const repository = () => {
    const one = new TestRepository();
    made.push(one);
    return one;
  };
  const filesOf = async (one: TestRepository, id: string) => {
    const workTree = await workTreeAt(one.root);
    assert.ok(workTree);
    const history = await openHistory("git", workTree);
    opened.push(history);
    const commit = await history.objects.commit(id);
    assert.ok(commit);
    return new CommitFiles({ history, commit, root: one.root, disk: diskFiles });
  };

  it("are of the commit in a package of the repository's own, too, to which node_modules has a link", async () => {
    const one = repository();
    const names = { "package.json": "{}", "packages/shared/package.json": '{"name":"@my/shared"}' };
    const old = one.commit("Old", { ...names, "packages/shared/S.sol": "old" });
    one.commit("New", { "packages/shared/S.sol": "new" });
    one.write({
      "packages/shared/S.sol": "edited",
      "node_modules/other/package.json": '{"version":"1.0.0"}',
    });
    mkdirSync(join(one.root, "node_modules/@my"), { recursive: true });
    symlinkSync("../../packages/shared", join(one.root, "node_modules/@my/shared"));
    const files = await filesOf(one, old);
    const path = join(one.root, "node_modules/@my/shared/S.sol");
    assert.equal(Buffer.from((await files.read(path)) ?? []).toString(), "old");
    assert.equal(await files.realPath(path), join(one.root, "packages/shared/S.sol"));
    assert.deepEqual(
      (await files.list(join(path, "..")))?.map(({ name }) => name),
      ["S.sol", "package.json"],
    );
    assert.match(await files.answer("read", path), /packages\/shared\/S\.sol/);
    assert.equal(await files.answer("read", join(one.root, "node_modules/other/package.json")), "other");
    assert.deepEqual(
      files.packages.others.map(({ name }) => name),
      ["other"],
    );
  });

  it("are those that git checks out, here and on Windows, whatever the attributes say", async () => {
    const one = repository();
    const lf = "a\nb\n";
    const crlf = "a\r\nb\r\n";
    const mixed = "a\r\nb\n";
    const id = one.commit("All", {
      ".gitattributes": [
        "*.sol text=auto",
        "*.lf text eol=lf",
        "*.crlf eol=crlf",
        "/top.txt -text",
        "src/*.bin binary",
        "src/**/deep.txt text eol=crlf",
        "doc/*.md text",
        "*.legacy crlf",
        "*.no -crlf",
        "# *.sol eol=crlf",
      ].join("\n"),
      "src/.gitattributes": "Special.sol eol=crlf\nOther.lf -text\n",
      ...Object.fromEntries(
        [
          "A.sol",
          "A.lf",
          "A.crlf",
          "top.txt",
          "plain.txt",
          "src/A.sol",
          "src/Special.sol",
          "src/Other.lf",
          "src/x.bin",
          "src/a/b/deep.txt",
          "src/deep.txt",
          "doc/a.md",
          "doc/inner/a.md",
          "old.legacy",
          "old.no",
        ].map((name) => [name, lf]),
      ),
      "stored.txt": crlf,
      "mixed.txt": mixed,
      "nul.txt": "a\n\0\n",
    });
    const files = await filesOf(one, id);
    for (const [view, config] of [
      [files, "false"],
      [files.as("windows"), "true"],
    ] as const) {
      const clone = `${one.root}-${config}`;
      try {
        one.git("-c", `core.autocrlf=${config}`, "clone", "-q", one.root, clone);
        for (const name of readdirSync(clone, { recursive: true, encoding: "utf8" })) {
          if (name.startsWith(".git/") || name === ".git" || statSync(join(clone, name)).isDirectory())
            continue;
          const bytes = await view.read(join(one.root, name));
          const real = readFileSync(join(clone, name), "latin1");
          assert.equal(Buffer.from(bytes ?? []).toString("latin1"), real, `${name}, autocrlf=${config}`);
        }
      } finally {
        rmSync(clone, { recursive: true, force: true });
      }
    }
  });

  it("are there with their links, but for those that lead out, and without what a build left", async () => {
    const one = repository();
    one.write({ "src/A.sol": "A", ".gitignore": "out/\n", "out/A.json": "{}" });
    mkdirSync(join(one.root, "links"));
    symlinkSync("../src", join(one.root, "links/folder"));
    symlinkSync("../src/A.sol", join(one.root, "links/file"));
    symlinkSync("/etc", join(one.root, "links/absolute"));
    symlinkSync("../../../../../../../../etc", join(one.root, "links/out"));
    symlinkSync("round", join(one.root, "links/round"));
    symlinkSync("nowhere", join(one.root, "links/nowhere"));
    // Each leads through the next one twice.
    for (let at = 0; at < 60; at++)
      symlinkSync(`bomb${at + 1}/bomb${at + 1}`, join(one.root, `links/bomb${at}`));
    const files = await filesOf(one, one.commit("All"));
    const at = (path: string) => join(one.root, path);
    assert.deepEqual(
      (await files.list(one.root))?.map(({ name, kind }) => `${name} ${kind}`),
      [".gitignore file", "links folder", "src folder"],
    );
    assert.deepEqual(await files.list(at("links")), [
      { name: "file", kind: "file", link: true },
      { name: "folder", kind: "folder", link: true },
    ]);
    assert.equal(Buffer.from((await files.read(at("links/folder/A.sol"))) ?? []).toString(), "A");
    assert.equal(await files.realPath(at("links/folder/A.sol")), at("src/A.sol"));
    for (const path of [
      "links/out/passwd",
      "links/absolute/passwd",
      "links/round",
      "links/bomb0/x",
      "out/A.json",
      "../A",
    ])
      assert.equal(await files.read(at(path)), undefined, path);
    assert.equal(await files.read("/etc/passwd"), undefined);
  });

  for (const [name, lock] of [
    [
      "package-lock.json",
      (version: string) => JSON.stringify({ packages: { "node_modules/@a/b": { version } } }),
    ],
    ["npm-shrinkwrap.json", (version: string) => JSON.stringify({ dependencies: { "@a/b": { version } } })],
    [
      "yarn.lock",
      (version: string) =>
        `# yarn lockfile v1\n\n"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "${version}"\n\n"@a/b@^9.0.0":\n  version "1.0.0"\n`,
    ],
    [
      "yarn.lock",
      (version: string) =>
        `__metadata:\n  version: 8\n\n"@a/b@npm:^1.0.0":\n  version: ${version}\n  resolution: "@a/b@npm:${version}"\n`,
    ],
    [
      "pnpm-lock.yaml",
      (version: string) =>
        `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      '@a/b':\n        specifier: ^1.0.0\n        version: ${version}(peer@1.0.0)\n\npackages:\n\n  '@a/b@1.0.0':\n    resolution: {}\n`,
    ],
    [
      "pnpm-lock.yaml",
      (version: string) =>
        `lockfileVersion: '6.0'\n\npackages:\n\n  /@a/b@${version}(peer@1.0.0):\n    resolution: {}\n`,
    ],
    [
      "pnpm-lock.yaml",
      (version: string) =>
        `lockfileVersion: 5.4\n\npackages:\n\n  /@a/b/${version}_peer@1.0.0:\n    resolution: {}\n`,
    ],
    [
      // As Bun 1.2.20 writes it, with the same package of another version below another one.
      "bun.lock",
      (version: string) =>
        `{\n  "lockfileVersion": 1,\n  "packages": {\n    "@a/b": ["@a/b@${version}", "", {}, "sha512-IL2A"],\n\n    "b": ["b@1.2.3", "", {}, "sha512-g3Fe"],\n\n    "c/@a/b": ["@a/b@1.0.0", "", {}, "sha512-GYrC"],\n  }\n}\n`,
    ],
    ["package.json", (version: string) => JSON.stringify({ dependencies: { "@a/b": version } })],
  ] as const) {
    it(`have the installed package whose version ${name} names, and no other`, async () => {
      const one = repository();
      one.write({ ".gitignore": "node_modules/\n" });
      const manifest = { "package.json": JSON.stringify({ dependencies: { "@a/b": "^1.0.0" } }) };
      const same = one.commit("Same", { ...manifest, [name]: lock("1.2.3") });
      const other = one.commit("Other", { ...manifest, [name]: lock("1.2.4") });
      one.write({
        "node_modules/@a/b/package.json": '{"name":"@a/b","version":"1.2.3"}',
        "node_modules/@a/b/B.sol": "B",
      });
      const path = join(one.root, "node_modules/@a/b/B.sol");
      assert.equal(Buffer.from((await (await filesOf(one, same)).read(path)) ?? []).toString(), "B");
      const files = await filesOf(one, other);
      assert.equal(await files.read(path), undefined);
      assert.deepEqual(files.packages.others, [
        { name: "@a/b", installed: "1.2.3", wanted: ["1.2.4"], saidBy: name },
      ]);
    });
  }
});
