import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FolderReader } from "../../../src/core/files/folderReader.ts";
import { ARTIFACT_GLOB, NO_ARTIFACT_GLOB } from "../../../src/core/workspace/artifact.ts";
import { SOURCE_GLOB } from "../../../src/core/workspace/contracts.ts";
import { DividedFinder, type FileSearch } from "../../../src/core/workspace/dividedFinder.ts";
import { FOREIGN_GLOB } from "../../../src/core/workspace/foreignFolders.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import { mapFinder } from "./mapFinder.ts";

const ROOT = "/w";
/** An answer of more paths than this is none for an editor to read at once. */
const MOST = 5_000;

/** An editor with these files open, which says what it was asked. */
function editor(names: readonly string[], links: Readonly<Record<string, string>> = {}) {
  const files = below(ROOT, Object.fromEntries(names.map((name) => [name, ""])));
  const searches: (FileSearch & { readonly answered: number })[] = [];
  const folders = memoryFolders(files);
  const reader: Pick<FolderReader, "list" | "realPath"> = {
    list: async (path) => {
      const inner = Object.keys(links).filter((link) => link.slice(0, link.lastIndexOf("/")) === path);
      const linked = inner.map((link) => {
        return { name: link.slice(path.length + 1), kind: "folder", link: true } as const;
      });
      return [...((await folders.list(path)) ?? []), ...linked];
    },
    realPath: (path) => Promise.resolve(links[path] ?? path),
  };
  const finder = new DividedFinder({
    search: async (search) => {
      const place = Object.entries(links).find(([link]) => search.below === link);
      const base = place?.[1] ?? search.below ?? ROOT;
      const found = await mapFinder(files, [base]).find(search.include, search.exclude);
      const answer = found.slice(0, search.most);
      searches.push({ ...search, answered: answer.length });
      return answer;
    },
    files: reader,
    folders: () => [ROOT],
  });
  return { finder, searches, files };
}

function many(folder: string, count: number, ending = "sol"): string[] {
  return Array.from({ length: count }, (_, at) => `${folder}/File${at}.${ending}`);
}

describe("The search for the files of a workspace", () => {
  it("is one for a workspace of any usual size", async () => {
    const { finder, searches } = editor(many("src", MOST - 1));
    assert.equal((await finder.find(SOURCE_GLOB, FOREIGN_GLOB)).length, MOST - 1);
    assert.equal(searches.length, 1);
  });

  it("finds every file of a very large one, and asks for no more at once than an editor reads in one go", async () => {
    const names = [
      "Top.sol",
      ...many("src/a", 4_000),
      ...many("src/b/deep", 4_000),
      ...many("src", 10),
      ...many("node_modules/big", 6_000),
      ...many("packages/x/node_modules/big", 6_000),
    ];
    const { finder, searches } = editor(names);
    const found = await finder.find(SOURCE_GLOB, FOREIGN_GLOB);
    const own = names.filter((name) => !name.includes("node_modules"));
    assert.deepEqual([...found].sort(), own.map((name) => `${ROOT}/${name}`).sort());
    assert.ok(searches.every(({ answered }) => answered <= MOST));
  });

  it("finds the artifacts below the folders that tools write to, and no other file there or elsewhere", async () => {
    const names = [
      ...many("packages/a/out/A.sol", 3_000, "json"),
      ...many("packages/a/out/B.sol", 3_000, "json"),
      ...many("packages/a/out/build-info", 10, "json"),
      ...many("packages/b/artifacts/contracts", 3_000, "json"),
      ...many("packages/b/config", 100, "json"),
    ];
    const { finder } = editor(names);
    const found = await finder.find(ARTIFACT_GLOB, NO_ARTIFACT_GLOB);
    const artifacts = names.filter((name) => !/build-info|config/.test(name));
    assert.deepEqual([...found].sort(), artifacts.map((name) => `${ROOT}/${name}`).sort());
  });

  it("follows a link out of the workspace once, and ends where links go in circles", async () => {
    const names = [...many("src/a", 4_000), ...many("src/b", 4_000)];
    const { finder, searches } = editor(names, {
      "/w/src/a/self": "/w/src/a",
      "/w/src/up": "/w",
      "/w/src/shared": "/elsewhere",
      "/w/src/again": "/elsewhere",
    });
    assert.equal((await finder.find(SOURCE_GLOB, FOREIGN_GLOB)).length, names.length);
    assert.deepEqual(
      searches.flatMap(({ below: place = "" }) => (/shared|again|up|self/.test(place) ? [place] : [])),
      ["/w/src/shared"],
    );
  });
});
