import type { Cause, CauseCode } from "../../../src/core/matching/explanation.ts";
import { predict, type Prediction } from "../../../src/core/matching/predict.ts";
import { implementationOf } from "../../../src/core/chains/proxyImplementation.ts";
import {
  CaseIsNotDeployed,
  compileBuild,
  runCase,
  stateOf,
  type CaseResult,
  type World,
} from "./mismatchCase.ts";
import { CaseDoesNotCompile, observedCauses, type Extent, type Observed } from "./observedCauses.ts";
import { COMPARED, predictedOf } from "./predictedWord.ts";
import type { RegistryCase } from "./registryCases.ts";
import { repair, type Repair } from "./repair.ts";

/** What is wrong about what the product said of a case. */
export type Fault = "other cause first" | "false prediction" | "fix that ends in nothing" | "loop";

/** What became of a case. */
export interface JudgedCase {
  readonly one: Subject;
  readonly extent: Extent;
  readonly isRight: boolean;
  /** Another cause is first with a confidence of 0.8 or more. */
  readonly isSurelyWrong: boolean;
  readonly faults: readonly Fault[];
  /** How many predictions there were, and how many of them were "unknown". */
  readonly predictions: { readonly made: number; readonly unknown: number };
  readonly end: "verified" | "source" | "asks" | "nothing";
  /** Everything in one line. */
  readonly line: string;
}

/** How often a button is pressed before it counts as going on for ever. */
export const MAX_PRESSES = 8;

/** A confidence with which a wrong cause misleads. */
const SURE = 0.8;

/** Buttons that ask a person for something that only they have. */
export const ASKING: readonly string[] = [
  "show difference",
  "find commit",
  "check address",
  "show errors",
  "submit full input",
  "choose contract",
];

/** Runs a case, presses its button to the end and judges what was said. `undefined` where nothing differs. */
export async function judge(world: World, one: RegistryCase): Promise<JudgedCase | undefined> {
  const { extent, causes } = one.isGiven
    ? { extent: "code" as const, causes: one.causes }
    : await observedCauses(world.compilers, one);
  if (extent === "same") return undefined;
  const { errors } = await compileBuild(world.compilers, one.deployed);
  if (errors.length > 0) throw new CaseDoesNotCompile(errors.join("\n"));
  const result = await runCase(world, one).catch((error: unknown) => {
    // A comparison that was edited may be the constructor's own, which then refuses.
    const isOfEdit =
      one.causes.includes("edited_source") && /^Error: The deployment \S+ reverted\.$/.test(String(error));
    throw isOfEdit ? new CaseIsNotDeployed(String(error)) : error;
  });
  // Line ends that the service itself puts right.
  if (result.answer === "exact_match") return undefined;
  const repaired = await repair(world, one, result, MAX_PRESSES);
  const withoutBuild = one.isNodeDown ? undefined : await predictionWithoutBuild(world, result.submission);
  return judgement(one, { extent, causes }, result, repaired, withoutBuild);
}

/** What is judged, whatever it was compiled with. */
export type Subject = Pick<
  RegistryCase,
  "id" | "name" | "library" | "version" | "knowledge" | "isHeldOut"
> & {
  readonly differences: readonly Pick<RegistryCase["differences"][number], "kind">[];
};

/** Judges what was said of a case, against what can be observed of it. */
export function judgement(
  one: Subject,
  { extent, causes }: Observed,
  { answer, explanation, prediction }: CaseResult,
  repaired: Repair | undefined,
  withoutBuild: Prediction | undefined,
): JudgedCase {
  const [first] = explanation.causes;
  // What makes the codes equal by itself is as right as what was really done.
  const isEquivalent =
    repaired?.labels.length === 1 && predictedOf(repaired.answer) !== "mismatch" && extent === "code";
  const isRight = first !== undefined && (causes.includes(first.code) || isEquivalent);
  const predictions = [prediction, withoutBuild].filter((made) => made !== undefined);
  const isFalse = (outcome: string) =>
    COMPARED.test(answer) && outcome !== "unknown" && outcome !== predictedOf(answer);
  const end = endOf(repaired, first, causes);
  const faults: Fault[] = [
    ...(isRight ? [] : ["other cause first" as const]),
    ...(predictions.some((made) => isFalse(made.prediction)) ? ["false prediction" as const] : []),
    ...(end === "nothing" ? ["fix that ends in nothing" as const] : []),
    ...(repaired?.isLoop ? ["loop" as const] : []),
  ];
  const said = explanation.causes.map(({ code, confidence }) => `${code} ${confidence.toFixed(2)}`);
  const line = [
    one.name,
    `true: ${causes.join(" or ")}`,
    `service: ${answer}`,
    `says: ${said.join(", ")}`,
    `predicted: ${prediction?.prediction ?? "-"} / ${withoutBuild?.prediction ?? "-"}`,
    repaired
      ? `${repaired.labels.join(" → ")}: ${repaired.answer}${repaired.last ? ` (then ${repaired.last.code})` : ""}`
      : (first?.action?.kind ?? "no button"),
  ].join(" · ");
  return {
    one,
    extent,
    isRight,
    isSurelyWrong: !isRight && (first?.confidence ?? 0) >= SURE,
    faults,
    predictions: {
      made: predictions.length,
      unknown: predictions.filter((made) => made.prediction === "unknown").length,
    },
    end,
    line,
  };
}

/** Where pressing ends: a button that was pressed has to verify, or to end in what really differs. */
function endOf(
  repaired: Repair | undefined,
  first: Cause | undefined,
  causes: readonly CauseCode[],
): JudgedCase["end"] {
  if (repaired && predictedOf(repaired.answer) !== "mismatch") return "verified";
  const last = repaired ? repaired.last : first;
  if (last?.code === "edited_source") return "source";
  if (!repaired) return "asks";
  const asks = last?.action === undefined || [...ASKING, "retry"].includes(last.action.kind);
  return last && asks && causes.includes(last.code) ? "asks" : "nothing";
}

/** What is predicted where nothing was built: from the sources, the settings and the version alone. */
async function predictionWithoutBuild(
  world: World,
  { address, submitted }: Awaited<ReturnType<typeof runCase>>["submission"],
) {
  const deployedCode = await world.chain.rpc<string>("eth_getCode", address, "latest");
  const { stdJsonInput, compilerVersion } = submitted;
  return predict(
    {
      deployedCode,
      localBuild: {
        language: "Solidity",
        compilerVersion,
        sources: Object.fromEntries(
          Object.entries(stdJsonInput.sources).map(([name, { content }]) => [name, content]),
        ),
        settings: stdJsonInput.settings,
      },
    },
    (proxy) => implementationOf(address, proxy, stateOf(world.chain)),
  );
}
