import { t } from "@vscode/l10n";
import { asRecord } from "../json/looseData.ts";
import { ownValue } from "../json/ownValue.ts";
import { SOLC_SINCE } from "../languages/solidity/solcCode.ts";
import { atLeast } from "../versions.ts";
import { settingValueInWords } from "./settingWords.ts";

const FIRST_RELEASE = SOLC_SINCE.optimizerDetails;

/** The parts of the optimizer that can be switched alone, by the release that brought them, those that projects switch first. */
const PARTS: readonly (readonly [name: string, since: string])[] = [
  ["yul", FIRST_RELEASE],
  ["inliner", SOLC_SINCE.inliner],
  ["deduplicate", FIRST_RELEASE],
  ["cse", FIRST_RELEASE],
  ["constantOptimizer", FIRST_RELEASE],
  ["peephole", FIRST_RELEASE],
  ["jumpdestRemover", FIRST_RELEASE],
  ["orderLiterals", FIRST_RELEASE],
  ["simpleCounterForLoopUncheckedIncrement", "0.8.22"],
];

/** From this release on the Yul optimizer is on where the optimizer is. */
const YUL_SINCE = "0.6.0";

/**
 * The steps of the Yul optimizer, and behind the colon those that clean up, by the first release that is known to have
 * them: what each release writes into its metadata where another part is switched.
 */
const STEPS: readonly (readonly [since: string, steps: string | undefined])[] = [
  [YUL_SINCE, undefined],
  [
    "0.6.11",
    "dhfoDgvulfnTUtnIf[xarrscLMcCTUtTOntnfDIulLculVcul jjeulxarulrulxarrcLgvifCTUcarrLsTOtfDncarrIulc]jmuljuljul VcTOcul jmul",
  ],
  [
    "0.7.5",
    "NdhfoDgvulfnTUtnIf[xarrscLMcCTUtTOntnfDIulLculVcul jjTpeulxarulrulxarrcLgvifCTUcarrLsTOtfDncarrIulc]jmuljuljul VcTOcul jmulN",
  ],
  [
    "0.7.6",
    "dhfoDgvulfnTUtnIf[xarrscLMcCTUtTOntnfDIulLculVcul jjTpeulxarulrulxarrcLgvifCTUcarrLsTOtfDncarrIulc]jmuljuljul VcTOcul jmul",
  ],
  [
    "0.8.4",
    "dhfoDgvulfnTUtnIf[xarrscLMcCTUtTOntnfDIulLculVcul jjTpeulxarulrulxarrcLgvifCTUcarrLsTFOtfDncarrIulc]jmuljuljul VcTOcul jmul",
  ],
  [
    "0.8.10",
    "dhfoDgvulfnTUtnIf[xa[r]scLMcCTUtTOntnfDIulLculVcul [j]Tpeulxa[rul]xa[r]cLgvifCTUca[r]LsTFOtfDnca[r]Iulc]jmul[jul] VcTOcul jmul",
  ],
  [
    "0.8.13",
    "dhfoDgvulfnTUtnIf[xa[r]EscLMcCTUtTOntnfDIulLculVcul [j]Tpeulxa[rul]xa[r]cLgvifCTUca[r]LSsTFOtfDnca[r]Iulc]jmul[jul] VcTOcul jmul",
  ],
  [
    "0.8.18",
    "dhfoDgvulfnTUtnIf[xa[r]EscLMcCTUtTOntnfDIulLculVcul [j]Tpeulxa[rul]xa[r]cLgvifCTUca[r]LSsTFOtfDnca[r]Iulc]jmul[jul] VcTOcul jmul:fDnTOc",
  ],
  [
    "0.8.22",
    "dhfoDgvulfnTUtnIf[xa[r]EscLMcCTUtTOntnfDIulLculVcul [j]Tpeulxa[rul]xa[r]cLgvifCTUca[r]LSsTFOtfDnca[r]Iulc]jmul[jul] VcTOcul jmul:fDnTOcmu",
  ],
  [
    "0.8.26",
    "dhfoDgvulfnTUtnIfxa[r]EscLMVcul [j]Trpeulxa[r]cLgvifMCTUca[r]LSsTFOtfDnca[r]IulcscCTUtgvifMx[scCTUt] TOntnfDIulgvifMjmul[jul] VcTOcul jmul:fDnTOcmuO",
  ],
  [
    "0.8.35",
    "dfDvulfnTUtnIfxa[r]EscLMVcul [j]Trpeulxa[r]cLvifMCTUca[r]LSsTFOtfDnca[r]IulcscCTUtvifMx[scCTUt] TOntnfDIulvifMjmul[jul] VcTOcul jmul:fDnTOcmuO",
  ],
];

/**
 * The steps that projects write themselves, the commonest first: Hardhat's documentation has `u` against a stack that is too
 * deep, and the example of Solidity's own, of which many take what it shows of the default, is the second.
 */
const OWN_STEPS = ["u", "dhfoDgvulfnTUtnIf", "", ":"] as const;

/** Details as metadata writes them: every part, and those of the Yul optimizer where that is on. */
type OptimizerDetails = Readonly<Record<string, unknown>>;

/**
 * What metadata says of an optimizer of which one part is switched (libsolidity/interface/CompilerStack.cpp,
 * `createMetadata`), the part that projects switch most often first.
 *
 * @param version of the compiler, short or full
 * @param own details of a build of which one more or one less is switched; without them all parts are as usual
 */
export function optimizerDetails(version: string, own?: unknown): OptimizerDetails[] {
  if (!atLeast(version, FIRST_RELEASE)) return [];
  const usual = usualParts(version);
  const base: OptimizerDetails = asRecord(own) ?? usual;
  const switched = Object.keys(usual)
    .filter((name) => name !== "inliner" || atLeast(version, SOLC_SINCE.inlinerSwitch))
    .flatMap((name) => withYulDetails({ ...base, [name]: ownValue(base, name) !== true }, version));
  const yul = base["yul"] === true ? yulDetailsOf(version) : [];
  const otherYul = yul.flatMap((one) => [
    { ...base, yulDetails: { ...one, stackAllocation: false } },
    ...ownSteps(one["optimizerSteps"]).map((optimizerSteps) => ({
      ...base,
      yulDetails: { ...one, optimizerSteps },
    })),
    // Details that were written out and come to the usual ones are not written, unless something else is switched.
    ...(asRecord(own) ? [{ ...base, yulDetails: one }] : []),
  ]);
  return [...switched, ...otherYul];
}

/** What metadata says of steps that a project wrote: where nothing is said of those that clean up, the usual ones stand behind. */
function ownSteps(usual: unknown): string[] {
  if (typeof usual !== "string") return [];
  const [, cleanUp] = usual.split(":");
  return cleanUp === undefined
    ? OWN_STEPS.filter((steps) => !steps.includes(":"))
    : OWN_STEPS.map((steps) => (steps.includes(":") ? steps : `${steps}:${cleanUp}`));
}

function usualParts(version: string): Readonly<Record<string, boolean>> {
  const hasYul = atLeast(version, YUL_SINCE);
  const parts = PARTS.filter(([, since]) => atLeast(version, since));
  return Object.fromEntries(parts.map(([name]) => [name, name !== "yul" || hasYul]));
}

/**
 * What a build's input has to say for its metadata to have these details: what is not as usual. Some releases write parts
 * that they don't take.
 */
export function switchedDetails(version: string, details: unknown): OptimizerDetails | undefined {
  const parts = asRecord(details);
  if (!parts) return undefined;
  const { yulDetails, ...others } = parts;
  const usual = usualParts(version);
  const yul = asRecord(yulDetails);
  const steps = yul?.["optimizerSteps"];
  const ownYul = {
    ...(yul?.["stackAllocation"] === false && { stackAllocation: false }),
    ...(typeof steps === "string" &&
      !STEPS.some(([, known]) => known === steps) && { optimizerSteps: steps }),
  };
  return {
    ...Object.fromEntries(Object.entries(others).filter(([name, value]) => ownValue(usual, name) !== value)),
    ...(Object.keys(ownYul).length > 0 && { yulDetails: ownYul }),
  };
}

/** Details as the end of a sentence: the parts that are not as usual, "deduplicate off". */
export function detailsInWords(version: string, details: unknown): string {
  const { yulDetails, ...parts } = switchedDetails(version, details) ?? {};
  const yul = asRecord(yulDetails) ?? {};
  const words = [
    ...Object.entries(parts).map(([name, value]) => `${name} ${settingValueInWords(value === true)}`),
    ...(yul["stackAllocation"] === false ? [`stackAllocation ${settingValueInWords(false)}`] : []),
    ...(yul["optimizerSteps"] === undefined ? [] : [t`its own steps`]),
  ];
  return words.length > 0 ? words.join(", ") : t`the usual details`;
}

/** The details with those of the Yul optimizer where it is on, for every sequence that the release may have. */
function withYulDetails(details: OptimizerDetails, version: string): OptimizerDetails[] {
  const { yulDetails, ...others } = details;
  if (others["yul"] !== true) return [others];
  if (yulDetails !== undefined) return [details];
  const known = yulDetailsOf(version);
  return known.length === 0 ? [others] : known.map((one) => ({ ...others, yulDetails: one }));
}

/** A release between two that are known has the steps of the one or of the other. */
function yulDetailsOf(version: string): Readonly<Record<string, unknown>>[] {
  const at = STEPS.findLastIndex(([since]) => atLeast(version, since));
  return STEPS.slice(Math.max(0, at), at + 2).map(([, optimizerSteps]) => ({
    ...(optimizerSteps !== undefined && { optimizerSteps }),
    stackAllocation: true,
  }));
}
