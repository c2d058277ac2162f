import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareVyperVersions, satisfiesVyper } from "../../../../src/core/languages/vyper/vyperPragma.ts";
import { completeVyperVersion, vyperReleases } from "../../../../src/core/languages/vyper/vyperReleases.ts";

describe("A version pragma of Vyper", () => {
  it("is read by PEP 440 from 0.3.10 on", () => {
    const cases: readonly (readonly [expression: string, version: string, accepted: boolean])[] = [
      ["0.4.3", "0.4.3", true],
      ["0.4.0", "0.4.3", false],
      ["^0.4.0", "0.4.3", true],
      ["^0.4", "0.4.3", true],
      ["^0.3", "0.4.3", true],
      ["~=0.4.0", "0.3.10", false],
      [">=0.3.7,<0.4", "0.3.10", true],
      [">=0.4.0 <0.5", "0.4.3", false],
      ["==0.4.*", "0.4.2", true],
      ["!=0.4.*", "0.4.2", false],
      ["===0.4.0", "0.4.0", true],
      ["===0.4", "0.4.0", false],
      ["~=1", "1.0.0", false],
      ["", "0.4.3", false],
    ];
    for (const [expression, version, accepted] of cases)
      assert.equal(satisfiesVyper(version, expression), accepted, `${expression} for ${version}`);
  });

  it("is read by npm's rules before that", () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ["0.3.7", "0.3.7", true],
      ["^0.3.0", "0.3.9", true],
      ["^0.2.0", "0.3.0", false],
      [">=0.2.4 <0.3.0", "0.2.16", true],
      ["0.2.8 - 0.3.3", "0.3.3", true],
      ["0.2.x || 0.3.7", "0.2.12", true],
      ["~0.3", "0.3.9", true],
      ["^0.0.3", "0.0.4", false],
      ["*", "0.3.1", true],
      [">= 0.3.0", "0.3.1", false],
      [">=0.3.0  <0.4.0", "0.3.1", false],
      ["<v0.3.1", "0.2.12", false],
      ["v^0.3.0", "0.3.7", true],
      ["0.1.0b17", "0.1.0-beta.17", true],
    ];
    for (const [expression, version, accepted] of cases)
      assert.equal(satisfiesVyper(version, expression), accepted, `${expression} for ${version}`);
  });
});

describe("A release of Vyper", () => {
  it("is completed to the name of its file", () => {
    assert.equal(completeVyperVersion("0.4.3"), "0.4.3+commit.bff19ea2");
    assert.equal(completeVyperVersion("v0.3.10+commit.9136169"), "0.3.10+commit.91361694");
    assert.equal(completeVyperVersion("0.5.0+commit.0123abcd"), "0.5.0+commit.0123abcd");
    assert.throws(() => completeVyperVersion("0.9"), { code: "invalid_compiler_version" });
    assert.equal(completeVyperVersion("0.1.0b17"), "0.1.0-beta.17+commit.0671b7b");
    assert.equal(completeVyperVersion("0.5.0b1"), "0.5.0b1+commit.577d2534");
    assert.throws(() => completeVyperVersion("0.4.3rc9"), { code: "invalid_compiler_version" });
    assert.ok(vyperReleases.every((release) => completeVyperVersion(release) === release));
    assert.deepEqual(vyperReleases.toSorted(compareVyperVersions), vyperReleases);
  });
});
