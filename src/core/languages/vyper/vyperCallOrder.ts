import { t } from "@vscode/l10n";
import { atLeast, compareVersions, shortVersion } from "../../versions.ts";
import { logicalLines } from "./vyperScanner.ts";

/** The releases that keep the functions that a function calls in a set, and put them into the code in its order. */
const FIRST_BY_CHANCE = "0.3.4";
const LAST_BY_CHANCE = "0.3.7";
/** Far more than fit into a deployed contract; each pair of them is looked at. */
const MAX_CALLS = 5_000;

/**
 * A function of a Vyper contract whose internal functions stand in the code in an order that is left to chance: Python
 * hashes names with another seed in every process. Vyper 0.3.4 to 0.3.7 write a function behind those that it calls, and
 * of several that call no other of them any may come first (vyperlang/vyper, `_topsort` in vyper/codegen/module.py at
 * v0.3.7; mended in 0.3.8).
 *
 * @param version of the compiler, short or full
 * @returns the first such function and what it calls by chance; `undefined` where every process makes the same code
 */
export function functionsByChance(
  source: string,
  version: string,
): { readonly caller: string; readonly called: readonly [string, string] } | undefined {
  const release = shortVersion(version);
  if (!atLeast(release, FIRST_BY_CHANCE) || compareVersions(release, LAST_BY_CHANCE) > 0) return undefined;
  const calls = callsOf(source);
  const count = [...calls.values()].reduce((sum, called) => sum + 1 + called.size, 0);
  if (count > MAX_CALLS) return undefined;
  const reached = new Map([...calls.keys()].map((name) => [name, reachedFrom(name, calls)]));
  const isFree = (one: string, other: string) =>
    reached.get(one)?.has(other) === false && reached.get(other)?.has(one) === false;
  const written = new Set<string>();
  for (const below of reached.values()) {
    for (const caller of below) {
      const open = [...(calls.get(caller) ?? [])].filter((name) => !written.has(name));
      for (const [at, one] of open.entries()) {
        const other = open.slice(at + 1).find((name) => isFree(one, name));
        if (other !== undefined) return { caller, called: [one, other] };
      }
    }
    for (const name of below) written.add(name);
  }
  return undefined;
}

/**
 * That a contract may not be reproducible, and why; `undefined` where every run of its compiler makes the same code.
 *
 * @param sources all that are compiled together
 */
export function chanceInWords(sources: Iterable<string>, version: string): string | undefined {
  for (const source of sources) {
    const found = functionsByChance(source, version);
    if (!found) continue;
    const release = shortVersion(version);
    const [one, other] = found.called;
    return t`The code may not be reproducible with Vyper ${release}: which of ${one} and ${other} comes first, both of which ${found.caller} calls, is left to chance in every run of that compiler.`;
  }
  return undefined;
}

/** The functions of a source in its order, each with those of the same source that it calls. */
function callsOf(source: string): ReadonlyMap<string, ReadonlySet<string>> {
  const calls = new Map<string, Set<string>>();
  let current: Set<string> | undefined;
  for (const { text, isIndented } of logicalLines(source)) {
    if (!isIndented) {
      const [, name] = /^def\s+(\w+)\s*\(/.exec(text) ?? [];
      current = name === undefined ? undefined : new Set();
      if (name !== undefined && current) calls.set(name, current);
    }
    for (const [, name = ""] of text.matchAll(/\bself\s*\.\s*(\w+)\s*\(/g)) current?.add(name);
  }
  for (const called of calls.values()) for (const name of called) if (!calls.has(name)) called.delete(name);
  return calls;
}

/** A function, and all that it calls, by others too. */
function reachedFrom(start: string, calls: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const name of reached) for (const called of calls.get(name) ?? []) reached.add(called);
  return reached;
}
