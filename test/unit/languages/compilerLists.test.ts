import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { afterEach, describe, it } from "node:test";
import {
  knownCompilers,
  refreshCompilerLists,
  type CompilerListStorage,
} from "../../../src/core/languages/compilerLists.ts";
import { completeSolcVersion, solcReleases } from "../../../src/core/languages/solidity/solcReleases.ts";
import { completeVyperVersion, vyperReleases } from "../../../src/core/languages/vyper/vyperReleases.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function memory(first?: unknown): CompilerListStorage & { kept: unknown } {
  return {
    kept: first,
    get() {
      return this.kept;
    },
    set(value) {
      this.kept = JSON.parse(JSON.stringify(value)) as unknown;
      return Promise.resolve();
    },
  };
}

/** A service with the two lists, and what a person asks of it. */
async function service(solc: unknown, vyper: unknown) {
  const answer: RequestListener = (request, response) => {
    const body = request.url === "/solc/list.json" ? solc : vyper;
    response
      .writeHead(typeof body === "number" ? body : 200, { "content-type": "application/json" })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const server = await startServer(answer);
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
  stops.push(
    () => client.dispose(),
    () => server.stop(),
  );
  const addresses = { solc: `${server.url}/solc/list.json`, vyper: `${server.url}/vyper/list.json` };
  return (storage: CompilerListStorage) => refreshCompilerLists(client, storage, addresses);
}

/** A list as solc's builds have it. */
const builds = (...versions: readonly string[]) => ({
  builds: versions.map((longVersion) => ({
    path: `solc-linux-amd64-v${longVersion}`,
    version: longVersion.split("+")[0],
    build: longVersion.split("+")[1],
    longVersion,
    keccak256: "0x00",
    urls: [],
  })),
  releases: Object.fromEntries(versions.map((version) => [version.split("+")[0] ?? "", version] as const)),
  latestRelease: versions.at(-1)?.split("+")[0],
});

/** A list as GitHub has releases. */
const releases = (...versions: readonly string[]) =>
  versions.map((version) => ({
    tag_name: `v${version.split("+")[0]}`,
    prerelease: false,
    body: "notes",
    assets: ["darwin", "linux", "windows.exe"].map((system) => ({ name: `vyper.${version}.${system}` })),
  }));

describe("The lists of compilers", () => {
  it("are those that ship, until a person asks for newer ones", async () => {
    const storage = memory();
    assert.deepEqual(knownCompilers(storage), {
      solc: solcReleases,
      vyper: vyperReleases,
      solcHashes: {},
    });
    const refresh = await service(
      builds("0.8.30+commit.73712a01", "0.8.38+commit.0123abcd", "0.9.0+commit.89abcdef"),
      releases("0.4.3+commit.bff19ea2", "0.5.0rc1+commit.00112233", "0.5.0+commit.aabbccdd"),
    );
    const { added, lists } = await refresh(storage);
    assert.deepEqual(added, {
      solc: ["0.8.38+commit.0123abcd", "0.9.0+commit.89abcdef"],
      vyper: ["0.5.0rc1+commit.00112233", "0.5.0+commit.aabbccdd"],
    });
    assert.equal(lists.solc.at(-1), "0.9.0+commit.89abcdef");
    assert.equal(lists.vyper.at(-1), "0.5.0+commit.aabbccdd");
    assert.deepEqual(knownCompilers(storage), lists, "they are kept");
    assert.equal(completeSolcVersion("0.8.38", lists.solc), "0.8.38+commit.0123abcd");
    assert.equal(completeVyperVersion("0.5.0", lists.vyper), "0.5.0+commit.aabbccdd");
    assert.deepEqual((await refresh(storage)).added, { solc: [], vyper: [] });
  });

  it("tell the hashes of JavaScript builds that do not ship, and of no other", async () => {
    const list = (...paths: readonly (readonly [version: string, path: string])[]) => ({
      builds: paths.map(([longVersion, path], at) => ({
        longVersion,
        path,
        sha256: `0x${String(at).padStart(64, "0")}`,
      })),
    });
    const refresh = await service(
      list(
        ["0.8.28+commit.7893614a", "soljson-v0.8.28+commit.7893614a.js"],
        ["0.8.38+commit.0123abcd", "soljson-v0.8.38+commit.0123abcd.js"],
        ["0.8.39+commit.0123abcd", "solc-linux-amd64-v0.8.39+commit.0123abcd"],
      ),
      releases("0.4.3+commit.bff19ea2"),
    );
    const storage = memory();
    await refresh(storage);
    const hashes = { "0.8.38+commit.0123abcd": `${"0".repeat(63)}1` };
    assert.deepEqual(knownCompilers(storage).solcHashes, hashes);
    for (const path of [
      "../soljson-v0.8.38+commit.0123abcd.js",
      "https://other.example/soljson.js",
      "a\\b.js",
    ]) {
      const elsewhere = await service(
        list(["0.8.38+commit.0123abcd", path]),
        releases("0.4.3+commit.bff19ea2"),
      );
      await assert.rejects(elsewhere(storage), { code: "compiler_list_refused" });
    }
    assert.deepEqual(knownCompilers(storage).solcHashes, hashes, "what was kept stays");
  });

  it("can't make another compiler of a release that is known", async () => {
    const refresh = await service(
      builds("0.8.30+commit.00000000", "0.8.39+commit.00000001"),
      releases("0.4.3+commit.00000000"),
    );
    const storage = memory({ solc: ["0.8.30+commit.11111111"], vyper: ["0.3.10+commit.11111111"] });
    assert.equal(
      completeSolcVersion("0.8.30", knownCompilers(storage).solc),
      "0.8.30+commit.73712a01",
      "not from what is kept",
    );
    const { lists } = await refresh(storage);
    assert.equal(completeSolcVersion("0.8.30", lists.solc), "0.8.30+commit.73712a01");
    assert.equal(completeVyperVersion("0.4.3", lists.vyper), "0.4.3+commit.bff19ea2");
    assert.equal(completeVyperVersion("0.3.10", lists.vyper), "0.3.10+commit.91361694");
  });

  it("leave out nightly builds, files of another name and whatever else is no release", async () => {
    const refresh = await service(
      {
        builds: [
          ...builds("0.9.0+commit.89abcdef", "0.9.1-nightly.2027.1.1+commit.01234567").builds,
          null,
          7,
        ],
      },
      [
        ...releases("0.6.0+commit.aabbccdd"),
        { tag_name: "v0.7.0", assets: [{ name: "vyper.0.7.1+commit.aabbccdd.linux" }] },
        { tag_name: "v0.8.0", assets: [{ name: "notes.txt" }, { name: "vyper.0.8.0.linux" }] },
        { assets: "none" },
        "text",
      ],
    );
    const { added } = await refresh(memory({ solc: 5, vyper: ["nonsense", 1, "../../x+commit.aabbccdd"] }));
    assert.deepEqual(added, { solc: ["0.9.0+commit.89abcdef"], vyper: ["0.6.0+commit.aabbccdd"] });
  });

  it("stay as they are when an answer is no list", async () => {
    const good = { solc: builds("0.9.0+commit.89abcdef"), vyper: releases("0.6.0+commit.aabbccdd") };
    for (const [solc, vyper, message, expectedCode = "wrong_shape"] of [
      [[], good.vyper, /list of Solidity compilers/],
      [good.solc, {}, /list of Vyper compilers/],
      [{ builds: [] }, good.vyper, /list of Solidity compilers/],
      [good.solc, "<html>", /list of Vyper compilers/, "not_json"],
      [404, good.vyper, /list of Solidity compilers at 127\.0\.0\.1:\d+ answered with status 404/],
    ] as const) {
      const storage = memory();
      const refresh = await service(solc, vyper);
      await assert.rejects(refresh(storage), { code: expectedCode, message });
      assert.equal(storage.kept, undefined);
    }
  });
});
