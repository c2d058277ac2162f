import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CommitFiles } from "../../../src/core/deployedCommit/commitFiles.ts";
import { ContractPlaces } from "../../../src/core/deployedCommit/contractPlaces.ts";
import type { GitHistory } from "../../../src/core/git/gitHistory.ts";
import type { GitCommit, GitEntry } from "../../../src/core/git/gitObjects.ts";
import { memoryFolders } from "../files/memoryFolders.ts";

const ROOT = "/home/me/vault";
const LEVELS = 8;

const commit: GitCommit = { id: "c", tree: "level 0", parents: [], time: 0, subject: "Add everything" };

/** Trees that each name the next one ten times, beside one source: nine objects, and a hundred million folders. */
function bomb(): GitHistory {
  const tree = (id: string): Promise<readonly GitEntry[] | undefined> => {
    const level = Number(id.slice("level ".length));
    const folders = Array.from({ length: 10 }, (_, at) => ({
      name: `folder${at}`,
      kind: "folder" as const,
      id: `level ${level + 1}`,
    }));
    const sources = [{ name: "Vault.sol", kind: "file" as const, id: "source" }];
    return Promise.resolve(level === 0 ? [...folders, ...sources] : level < LEVELS ? folders : []);
  };
  return {
    root: ROOT,
    objects: {
      tree,
      commit: () => Promise.resolve(commit),
      blob: () => Promise.resolve(Buffer.from("contract Vault {}\n")),
    },
    commit: () => Promise.resolve(commit),
    commits: () => Promise.resolve({ commits: [commit], missingParents: [], isCut: false }),
    formerCommits: () => Promise.resolve([]),
    submodule: () => Promise.resolve(undefined),
    dispose: () => Promise.resolve(),
  };
}

const filesOf = (history: GitHistory) =>
  new CommitFiles({ history, commit, root: ROOT, disk: memoryFolders({}) });
const moved = { path: `${ROOT}/src/Vault.sol`, contractName: "Vault" };

describe("A contract that was moved, in a commit of folders without end", () => {
  it("is found near the top", async () => {
    const places = await new ContractPlaces(ROOT, moved).in(filesOf(bomb()), () =>
      Promise.resolve(undefined),
    );
    assert.deepEqual(places, [{ path: `${ROOT}/Vault.sol`, contractName: "Vault" }]);
  });

  it("is not looked for any longer when the search is cancelled", async () => {
    const places = new ContractPlaces(ROOT, moved, AbortSignal.abort());
    await assert.rejects(
      places.in(filesOf(bomb()), () => Promise.resolve(undefined)),
      { name: "AbortError" },
    );
  });
});
