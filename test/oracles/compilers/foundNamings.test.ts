import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LocalVerifier } from "../../../src/core/compilers/localVerifier.ts";
import type { LocalCompilers } from "../../../src/core/compilers/localCompilers.ts";
import { fieldAt, parseJson } from "../../../src/core/json/looseData.ts";

import { ImportGraph, type SourceNaming } from "../../../src/core/languages/solidity/sourceNaming.ts";
import { likelyNamings, type NamingClues } from "../../../src/core/settingsSearch/likelyNamings.ts";
import { withChanges, type Submittable } from "../../../src/core/matching/resubmission.ts";

import { changesTo } from "../../../src/core/settingsSearch/searchedCause.ts";
import type { CompileRelease } from "../../../src/core/settingsSearch/settingsAttempt.ts";
import { searchSettings } from "../../../src/core/settingsSearch/settingsSearch.ts";

import { isWholeProof } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import { corpusCompilers, corpusFolders } from "../../sandbox/mismatches/corpora.ts";
import { registryContracts } from "../../sandbox/mismatches/registryContracts.ts";
import { COMPILER_THREADS, installedCompilers } from "../../sandbox/installedCompilers.ts";
import { buildsOf, cluesOf, NAMED_CONTRACTS } from "./namedContracts.ts";
import { deployedCode } from "./settingsCases.ts";

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** So many are tried of the largest metadata, which has some 12 kB. */
const MAX_RANK = 2_000;

/** Of all cases; what else a project's folders are called nobody can know. */
const MIN_FOUND = 0.95;

function namingOf({ contractIdentifier, stdJsonInput }: Submittable): SourceNaming {
  return {
    entry: contractIdentifier.slice(0, contractIdentifier.lastIndexOf(":")),
    remappings: stdJsonInput.settings.remappings ?? [],
  };
}

/** How many are thought of until this one is; `undefined` where that is too late. */
function rankOf(sought: SourceNaming, given: Submittable, clues: NamingClues): number | undefined {
  const key = ({ entry, remappings }: SourceNaming) =>
    JSON.stringify([entry, [...new Set(remappings)].sort()]);
  const naming = namingOf(given);
  const tried = new Set<string>();
  const graph = new ImportGraph(given.stdJsonInput.sources, naming);
  for (const one of likelyNamings(graph, naming, clues)) {
    tried.add(key(one));
    if (tried.has(key(sought))) return tried.size;
    if (tried.size >= MAX_RANK) return undefined;
  }
  return undefined;
}

describe("The names of a deployed contract's files", () => {
  let compilers: LocalCompilers;
  let compile: CompileRelease;
  let contracts: ReturnType<typeof registryContracts>;
  let stop: () => Promise<void>;
  before(async () => {
    contracts = registryContracts(await corpusFolders());
    ({ compilers, compile, stop } = installedCompilers(await corpusCompilers(true)));
  });
  after(() => stop());

  async function codeOf(build: Submittable): Promise<string> {
    const { compilerVersion, contractIdentifier, stdJsonInput } = build;
    const colon = contractIdentifier.lastIndexOf(":");
    const [file, name] = [contractIdentifier.slice(0, colon), contractIdentifier.slice(colon + 1)];
    const outputs = ["object", "linkReferences", "immutableReferences"].map(
      (one) => `evm.deployedBytecode.${one}`,
    );
    const settings = { ...stdJsonInput.settings, outputSelection: { [file]: { [name]: outputs } } };
    const input = JSON.stringify({ ...stdJsonInput, settings });
    const answer = await compile(compilerVersion, input, new AbortController().signal);
    const code = fieldAt(parseJson(answer ?? ""), "contracts", file, name, "evm", "deployedBytecode");
    assert.ok(code, answer?.slice(0, 500));
    return deployedCode(code as Parameters<typeof deployedCode>[0]);
  }

  it("are among the first that are thought of, whichever tool deployed it and whichever has the files now", () => {
    const late: string[] = [];
    const ranks: number[] = [];
    for (const one of NAMED_CONTRACTS) {
      const all = buildsOf(one, contracts);
      for (const [from, given] of all)
        for (const [to, deployed] of all) {
          if (from === to) continue;
          const rank = rankOf(namingOf(deployed), given, cluesOf(one, given));
          if (rank === undefined) late.push(`${one.contract}: ${from} → ${to}`);
          else ranks.push(rank);
        }
    }
    ranks.sort((a, b) => a - b);
    console.log(
      `${ranks.length} of ${ranks.length + late.length} namings thought of; rank median ${ranks[ranks.length >> 1]}, worst ${ranks.at(-1)}`,
    );
    assert.deepEqual(late, []);
  });

  it("are found and proven, whichever tool deployed it and whichever has the files now", async () => {
    const wrong: string[] = [];
    let [count, found] = [0, 0];
    const seconds: number[] = [];
    const draw = random("found namings");
    // One, to another tool's names.
    const sampled = new Map(
      [draw.oneOf(NAMED_CONTRACTS)].map(({ contract, projects }) => [
        contract,
        draw.oneOf(Object.keys(projects).slice(1)),
      ]),
    );
    for (const one of NAMED_CONTRACTS) {
      const all = buildsOf(one, contracts);
      const [first] = all.keys();
      for (const [from, given] of all)
        for (const [to, deployed] of all) {
          if (from === to || !(isWholeProof() || (from === first && to === sampled.get(one.contract))))
            continue;
          count++;
          const runtimeCode = await codeOf(deployed);
          const verifier = new LocalVerifier(compilers);
          const place = { chainId: "1", address: ADDRESS, runtimeCode };
          const result = await searchSettings(given, runtimeCode, {
            compile,
            prove: (submission, signal) => verifier.verify(submission, place, { signal }),
            threads: COMPILER_THREADS,
            limitSeconds: 60,
            namingClues: () => Promise.resolve(cluesOf(one, given)),
          });
          seconds.push(result.seconds);
          const isExact = result.found?.verdict.verdict === "exact_match";
          if (isExact) found++;
          else
            wrong.push(`${one.contract}: ${from} → ${to}: ${result.found?.verdict.verdict ?? "not found"}`);
          console.log(
            `${isExact ? "exact" : "NOT"} ${one.contract}: ${from} → ${to}: ${result.seconds.toFixed(1)} s, ${result.found?.what ?? ""}`,
          );
          if (result.found?.verdict.verdict !== "exact_match") continue;
          const again = withChanges(given, changesTo(given, result.found.submission) ?? {});
          const verdict = await new LocalVerifier(compilers).verify(again, place);
          assert.equal(verdict?.verdict, "exact_match", "what changes come to is what was found");
        }
    }
    console.log(`${found} of ${count} exact; worst ${Math.max(...seconds).toFixed(1)} s`);
    assert.ok(found >= MIN_FOUND * count, wrong.join("\n"));
  });
});
