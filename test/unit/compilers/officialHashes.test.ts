import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { officialBuild, officialBuilds } from "../../../src/core/compilers/officialBuilds.ts";
import { OFFICIAL_BUILDS } from "../../../src/core/compilers/officialHashes.ts";
import { solcReleases } from "../../../src/core/languages/solidity/solcReleases.ts";
import { atLeast, compareVersions } from "../../../src/core/versions.ts";
import { solcPackages } from "../../oracles/solcPackages.ts";
import { contentHash } from "../../rig/keptResults.ts";
import { repositoryRoot } from "../../rig/paths.ts";

describe("The hashes of official compilers", () => {
  it("are well formed, each of one release alone", () => {
    const seen = new Map<string, string>();
    for (const line of OFFICIAL_BUILDS.trim().split("\n")) {
      assert.match(line, /^\d+\.\d+\.\d+\+commit\.[0-9a-f]{8}(?: (?:[0-9a-f]{64}|-)){2,3}$/);
      const [longVersion = "", ...hashes] = line.split(" ");
      for (const hash of hashes.filter((one) => one !== "-")) {
        assert.equal(
          seen.get(hash),
          undefined,
          `${longVersion} and ${seen.get(hash) ?? ""} have the same file`,
        );
        seen.set(hash, longVersion);
      }
    }
    console.log(`${officialBuilds.size} releases, ${seen.size} files`);
    assert.ok([...officialBuilds.values()].every(({ sha256 }) => sha256.length > 0));
    const order = [...officialBuilds.keys()];
    assert.deepEqual(order, order.toSorted(compareVersions));
  });

  it("are there for every release that takes standard JSON input", () => {
    const wanted = solcReleases.filter((release) => atLeast(release, "0.4.11"));
    assert.ok(wanted.length > 90, `${wanted.length}`);
    assert.deepEqual(
      wanted.filter((release) => !officialBuilds.has(release)),
      [],
    );
    assert.equal(officialBuilds.get("0.4.10+commit.f0d539ae"), undefined);
  });

  it("know the file of every compiler that npm brought here", () => {
    const packages = [...solcPackages(repositoryRoot)];
    assert.ok(packages.length >= 4);
    for (const [version, file] of packages) {
      const known = [...officialBuilds.values()].find(({ sha256 }) => sha256.includes(contentHash(file)));
      assert.equal(known?.longVersion.split("+")[0], version, file);
    }
  });

  it("take no other name for a release than its own, and no other file for one that ships", () => {
    const hash = "0".repeat(64);
    for (const name of [
      "0.8.28+commit.7893614a/../../x",
      "0.8.28+commit.7893614a\u0000",
      "v0.8.28+commit.7893614a",
      "0.8.28",
      "0.8.28+commit.7893614A",
      "0.8.28-nightly.2024.10.9+commit.7893614a",
      "__proto__",
      "constructor",
      "",
    ])
      assert.equal(officialBuild(name, {}), undefined, name);
    const shipped = officialBuild("0.8.28+commit.7893614a", { "0.8.28+commit.7893614a": hash });
    assert.deepEqual(shipped, officialBuilds.get("0.8.28+commit.7893614a"));
    assert.ok(!shipped?.sha256.includes(hash));
    assert.deepEqual(officialBuild("0.9.1+commit.00000001", { "0.9.1+commit.00000001": hash })?.sha256, [
      hash,
    ]);
  });
});
