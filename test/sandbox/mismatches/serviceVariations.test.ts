import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SolidityMetadataContract } from "@ethereum-sourcify/lib-sourcify";
import { builtMetadata } from "../../../src/core/matching/builtMetadata.ts";
import { findProvenBuildInPieces, metadataDigest } from "../../../src/core/matching/metadataSearch.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random, type Random } from "../../unit/random.ts";

const ROUNDS = proofSize({ sample: 8, whole: 60 });

const NAMES = [
  "a.sol",
  "B.sol",
  "c.sol",
  "contracts/Z.sol",
  "contracts/a.sol",
  "lib/x-y.sol",
  "lib/x_y.sol",
] as const;

/** A file as editors leave it: some lines, some of them empty, and an end. */
function drawContent({ below, pick }: Random): string {
  // Files of the same content are confused by the service, so some must be.
  const lines = Array.from({ length: 1 + below(3) }, () => `contract C${below(3)} {}`);
  return `${lines.join(pick(["\n", "\r\n", "\n\n"]))}${pick(["", "\n", "\r\n", "\n\n", " \n"])}`;
}

/** Another spelling of the same text; the text itself, too. */
function respelled(content: string, { pick }: Random): string {
  const ended = pick([
    (text: string) => text,
    (text: string) => text.trimEnd(),
    (text: string) => `${text.trimEnd()}\n`,
    (text: string) => `${text.trimEnd()}\r\n`,
    (text: string) => `${text}\n`,
  ])(content);
  return pick([
    (text: string) => text,
    (text: string) => text.replace(/\r?\n/g, "\r\n"),
    (text: string) => text.replaceAll("\r\n", "\n"),
  ])(ended);
}

describe("What the service finds by itself when files are spelled otherwise", () => {
  it("is foretold, whatever the files and their spellings", async () => {
    const source = random("spellings of files");
    const counts = { service: 0, ourselves: 0, nobody: 0, same: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const names = [
        ...new Set(Array.from({ length: 1 + source.below(3) }, () => source.pick(NAMES))),
      ].sort();
      const submitted = Object.fromEntries(names.map((name) => [name, drawContent(source)]));
      const isAlike = source.below(2) === 0;
      const [style, end] = [source.pick(["\n", "\r\n"]), source.pick(["", "\n", "\r\n"])];
      const deployed = Object.fromEntries(
        names.map((name) => [
          name,
          isAlike
            ? `${(submitted[name] ?? "").trimEnd().replace(/\r?\n/g, style)}${end}`
            : respelled(submitted[name] ?? "", source),
        ]),
      );
      const kind = source.pick(["ipfs", "bzzr1"] as const);
      const settings = { metadata: { bytecodeHash: kind } };
      const metadataOf = (sources: Readonly<Record<string, string>>) =>
        builtMetadata(
          {
            compilerVersion: completeSolcVersion("0.8.28"),
            contractIdentifier: `${names[0] ?? ""}:C0`,
            settings,
            sources,
          },
          { abi: [] },
        ) ?? "";
      const [own, wanted] = [metadataOf(submitted), metadataOf(deployed)];
      if (own === wanted) {
        counts.same++;
        continue;
      }
      const digest = metadataDigest(wanted, kind);
      const engine = new SolidityMetadataContract(
        JSON.parse(own) as never,
        names.map((path) => ({ path, content: submitted[path] ?? "" })),
      );
      const isFound = await engine.tryToFindPerfectMetadata(runtimeCode(kind, digest));
      const proven = atOnce(findProvenBuildInPieces({ kind, digest }, own, submitted, "0.8.28"));
      const told = JSON.stringify({ submitted, deployed });
      assert.equal(proven?.isFoundByService ?? false, isFound, told);
      for (const difference of proven?.differences ?? [])
        if (difference.kind === "file")
          assert.equal(metadataOf({ ...submitted, ...difference.contents }), wanted, told);
      counts[isFound ? "service" : proven ? "ourselves" : "nobody"]++;
    }
    console.log(
      `found by the service: ${counts.service}, only here: ${counts.ourselves}, by nobody: ${counts.nobody}; ${counts.same} were the same`,
    );
    assert.ok(counts.service > 0 && counts.ourselves > 0);
  });
});

/** A code that ends with the auxdata of solc 0.8.28 and a hash of the given kind. */
function runtimeCode(kind: "ipfs" | "bzzr1", digest: string): string {
  const hash = kind === "ipfs" ? `64697066735822${digest}` : `65627a7a72315820${digest}`;
  const map = `a2${hash}64736f6c634300081c`;
  return `0x600160015bfe${map}${(map.length / 2).toString(16).padStart(4, "0")}`;
}
