import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { implementationOf } from "../../../src/core/chains/proxyImplementation.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { Action, Cause, EarlierTry } from "../../../src/core/matching/explanation.ts";
import { withChanges } from "../../../src/core/matching/resubmission.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import {
  answerOf,
  compileBuild,
  errorOf,
  stateOf,
  submit,
  type CaseResult,
  type CaseSubmission,
  type MismatchCase,
  type World,
} from "./mismatchCase.ts";

/** What came of doing what the first cause's button does, again and again as long as it does not verify. */
export interface Repair {
  /** The buttons that were pressed. */
  readonly labels: readonly string[];
  /** The last answer of the service: a match, or a code. */
  readonly answer: string;
  /** The first cause after the last press, where that did not verify. */
  readonly last?: Cause;
  /** A button offered what had been submitted before. */
  readonly isLoop: boolean;
}

/** How often a person would press. */
const MAX_PRESSES = 8;

/** Presses the first cause's button; `undefined` for one that does nothing by itself, such as showing a difference. */
export async function repair(
  world: World,
  one: MismatchCase,
  { answer, explanation, submission, recompiledCode }: CaseResult,
  mostPresses = MAX_PRESSES,
): Promise<Repair | undefined> {
  const labels: string[] = [];
  const sent = new Set([JSON.stringify(submission)]);
  let isLoop = false;
  const earlier: EarlierTry[] = [];
  let recompiledRuntimeCode = recompiledCode;
  let [last, current, causes]: [string, CaseSubmission, readonly Cause[]] = [
    answer,
    submission,
    explanation.causes,
  ];
  while (labels.length < mostPresses) {
    const action = causes[0]?.action;
    const next = action && (await afterAction(world, one, current, action));
    if (!action || !next) break;
    labels.push(action.label);
    isLoop = action.kind !== "retry" && sent.has(JSON.stringify(next));
    if (isLoop) break;
    sent.add(JSON.stringify(next));
    earlier.push({ ...current.submitted, recompiledRuntimeCode });
    const verdict = await submit(world.verifier, world, next);
    [last, current] = [answerOf(verdict), next];
    if (!verdict.error) break;
    const error = errorOf(verdict, "", "");
    ({ recompiledRuntimeCode } = error);
    ({ causes } = atOnce(explainInPieces({ error, submitted: next.submitted, earlier })));
  }
  if (labels.length === 0) return undefined;
  const isVerified = last === "match" || last === "exact_match";
  return { labels, answer: last, isLoop, ...(!isVerified && causes[0] && { last: causes[0] }) };
}

/** The submission that an action makes. */
async function afterAction(
  world: World,
  one: MismatchCase,
  { submitted, address, creationTransactionHash }: CaseSubmission,
  action: Action,
): Promise<CaseSubmission | undefined> {
  switch (action.kind) {
    case "resubmit":
      return { submitted: withChanges(submitted, action.changes), address, creationTransactionHash };
    case "retry":
      return { submitted, address, creationTransactionHash };
    case "verify implementation": {
      const implementation = await implementationOf(address, action.proxy, stateOf(world.chain));
      return implementation === undefined
        ? undefined
        : { submitted, address: implementation, creationTransactionHash: undefined };
    }
    case "choose contract": {
      const { contract } = action;
      if (contract === undefined) return undefined;
      const file = contract.slice(0, contract.lastIndexOf(":"));
      const build = [one.submitted, ...(one.workspace ?? [])].find(({ sources }) => file in sources);
      if (!build) return undefined;
      const { input } = await compileBuild(world.compilers, build);
      return {
        submitted: {
          compilerVersion: completeSolcVersion(build.version),
          stdJsonInput: input,
          contractIdentifier: contract,
        },
        address,
        creationTransactionHash,
      };
    }
    default:
      return undefined;
  }
}
