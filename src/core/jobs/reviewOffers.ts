import { asRecord } from "../json/looseData.ts";
import { provenChanges } from "../matching/causes/provenCauses.ts";
import { shortName } from "../matching/contractNames.ts";
import { settingInWords } from "../matching/settingWords.ts";
import { findFitting, type SelectorComparison } from "../matching/contractSearch.ts";
import type { Explanation, LocalContract, ResubmitChanges, SubmittedBuild } from "../matching/explanation.ts";
import { proxyInWords } from "../matching/findingWords.ts";
import type { PredictedOutcome, Prediction } from "../matching/predict.ts";
import type { Pieces } from "../concurrency/turns.ts";
import { grouped } from "../text/counted.ts";
import { foreign, joined, shortAddress, shown, type ShownText } from "../text/shownText.ts";
import { shortVersion } from "../versions.ts";

/** What a review can be changed to. */
type OfferedChange =
  /** Another address, which is asked for. */
  | { readonly kind: "address" }
  /** The contract behind a proxy; the address is asked for where the chain does not tell it. */
  | { readonly kind: "implementation"; readonly address: string | undefined }
  /** Compiled as the deployed code proves that it was. */
  | { readonly kind: "settings"; readonly changes: ResubmitChanges }
  /** `path/to/File.sol:Name` */
  | { readonly kind: "contract"; readonly contract: string };

/** What a review offers before anything is sent, since the deployed code shows that it is not what the review is of. */
export type ReviewOffer = OfferedChange & {
  readonly label: ShownText;
  /** What it comes to, in brief. */
  readonly description?: ShownText;
  /** What of the deployed code speaks for it. */
  readonly evidence: ShownText;
};

/** What a review is of, and what the workspace has instead. */
interface ReviewedContract {
  readonly submitted: SubmittedBuild;
  /** Selector (eight hex digits, no `0x`) → signature of the contract's own functions. */
  readonly selectors: Readonly<Record<string, string>>;
  /** The workspace's contracts. */
  readonly contracts: readonly LocalContract[];
  /** What stands last in every list. */
  readonly isBehind: (contract: string) => boolean;
}

/** Where nothing is deployed a submission is certain to fail. One object: who learns it again offers the very same. */
export const CHANGE_ADDRESS: ReviewOffer = {
  kind: "address",
  label: shown`Change Address…`,
  evidence: shown`Nothing is deployed at this address on this chain`,
};

/** More contracts with the same functions are not told apart by looking at their names. */
const MAX_CONTRACTS = 3;

/**
 * What the deployed code alone offers, the decisive one first: another address where there is no code, the contract behind a
 * proxy, settings that its metadata hash proves, or the contracts of the workspace whose functions it has. What is only likely
 * is not offered.
 *
 * @param predicted from the codes
 */
export function* offersOfCode(
  predicted: Prediction,
  deployedCode: string,
  reviewed: ReviewedContract,
): Pieces<ReviewOffer[]> {
  if (deployedCode === "0x") return [CHANGE_ADDRESS];
  const { proxy, implementation, proven, prediction } = predicted;
  if (prediction === "exact_match") return [];
  if (proxy) {
    return [
      {
        kind: "implementation",
        address: implementation,
        label: shown`Verify the Implementation`,
        ...(implementation !== undefined && { description: foreign(shortAddress(implementation)) }),
        evidence: shown`This address is ${proxyInWords(proxy)}`,
      },
    ];
  }
  const changes = proven && provenChanges(proven.differences, reviewed.submitted);
  if (changes) return [settingsOffer(changes, shown`Proven by the metadata hash of the deployed code`)];
  return prediction === "match" ? [] : yield* contractOffers(deployedCode, reviewed);
}

function* contractOffers(
  deployedCode: string,
  { submitted: { contractIdentifier }, selectors, contracts, isBehind }: ReviewedContract,
): Pieces<ReviewOffer[]> {
  const found = yield* findFitting(deployedCode, Object.keys(selectors), contracts, contractIdentifier);
  if (!found) return [];
  return found.contracts
    .map(({ name }) => name)
    .sort((one, other) => Number(isBehind(one)) - Number(isBehind(other)))
    .slice(0, MAX_CONTRACTS)
    .map((contract) => ({
      kind: "contract",
      contract,
      label: shown`Verify ${shortName(contract)} Instead`,
      evidence: functionsInWords(
        shortName(contract),
        shortName(contractIdentifier),
        found.functions,
        found.chosen,
      ),
    }));
}

function functionsInWords(
  fitting: string,
  chosen: string,
  all: number,
  { missing, extra }: SelectorComparison,
): ShownText {
  return missing.length === 0
    ? shown`${fitting} has exactly the functions of the deployed code; ${chosen} has ${grouped(extra.length)} more`
    : shown`${fitting} has exactly the functions of the deployed code; ${chosen} has ${grouped(all - missing.length)} of ${grouped(all)}`;
}

/** Causes of which the first ones are compiled to see whether they are true. */
const MAX_TRIED = 2;
/** Below this it is a guess that is hardly worth a compilation. */
const MIN_CONFIDENCE = 0.5;

/** What to compile, the likeliest first, to see whether it makes the deployed code: settings and the compiler. */
export function changesToTry({ causes }: Explanation): ResubmitChanges[] {
  return causes
    .flatMap(({ action, confidence }) =>
      action?.kind === "resubmit" && confidence >= MIN_CONFIDENCE ? [action.changes] : [],
    )
    .filter(({ sourceNames, contractIdentifier }) => !sourceNames && contractIdentifier === undefined)
    .slice(0, MAX_TRIED);
}

/** Settings with which the code that was compiled here is the deployed one. */
export function compiledOffer(changes: ResubmitChanges, verdict: "exact_match" | "match"): ReviewOffer {
  return settingsOffer(
    changes,
    verdict === "exact_match"
      ? shown`Proven by compiling on this machine: exact match`
      : shown`Proven by compiling on this machine: match`,
  );
}

/** Of what the codes offered, that which is of use now that compiling told what comes of the review as it is. */
export function offersLeft(offers: readonly ReviewOffer[], outcome: PredictedOutcome): ReviewOffer[] {
  if (outcome === "exact_match") return [];
  // What the metadata alone shows makes an exact match of a match.
  return offers.filter(({ kind }) => outcome !== "match" || kind === "settings");
}

function settingsOffer(changes: ResubmitChanges, evidence: ShownText): ReviewOffer {
  return {
    kind: "settings",
    changes,
    label: settingsLabel(changes),
    description: joined(changesInWords(changes), ", "),
    evidence,
  };
}

function settingsLabel({ compilerVersion, settings = {} }: ResubmitChanges): ShownText {
  const names = [...Object.keys(settings), ...(compilerVersion === undefined ? [] : ["compiler"])];
  switch (names.length === 1 ? names[0] : undefined) {
    case "compiler":
      return shown`Compile With the Compiler as Deployed`;
    case "optimizer":
      return shown`Compile With the Optimizer as Deployed`;
    case "evmVersion":
      return shown`Compile for the EVM Version as Deployed`;
    case "viaIR":
      return shown`Compile With the IR Pipeline as Deployed`;
    default:
      return shown`Compile With the Settings as Deployed`;
  }
}

function changesInWords({ compilerVersion, settings = {} }: ResubmitChanges): ShownText[] {
  return [
    ...(compilerVersion === undefined ? [] : [shown`compiler ${shortVersion(compilerVersion)}`]),
    ...Object.entries(settings).map(([name, value]) =>
      // What changes leave unsaid stays as it is: an optimizer that is off has nothing to change.
      settingInWords(name, name === "optimizer" ? { enabled: true, ...asRecord(value) } : value),
    ),
  ];
}
