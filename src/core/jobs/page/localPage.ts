import { chainLabel } from "../../chains/chainNames.ts";
import { languageOfPath } from "../../languages/language.ts";
import type { MetadataHashPlace } from "../../languages/languageRules.ts";
import { metadataHashPlace } from "../../matching/metadataHashPlace.ts";
import { foreign, foreignSentence, shown } from "../../text/shownText.ts";
import { exactTime } from "../../text/timeWords.ts";
import { LOCAL_VERDICTS, offeredLocalCauses, type LocalResult } from "../localResults.ts";
import { addressFact, BUTTONS, leadAndCauses, matchInWords, placeOf, runtimeFact } from "./jobPage.ts";
import type { VerificationPage } from "./pageModel.ts";

/**
 * The page of what compiling on this machine came to.
 *
 * @param hasInput whether what was compiled is kept
 * @param hasHistory whether there is one to look through for what was deployed; `undefined` until that is known
 * @param canBePublished whether the service can see the chain
 * @param isVerified whether the deployment is on record as verified, so that there is nothing to publish
 * @param isInLedger whether the ledger that is shown is that of the deployment's chain
 */
export function localPage(
  result: LocalResult,
  {
    hasInput,
    hasHistory,
    canBePublished,
    isVerified,
    isInLedger,
  }: {
    readonly hasInput: boolean;
    readonly hasHistory: boolean | undefined;
    readonly canBePublished: boolean;
    readonly isVerified: boolean;
    readonly isInLedger: boolean;
  },
): VerificationPage {
  const { contractName, chainId, address, verdict, compilerVersion, at, reason, details } = result;
  const title = foreign(contractName);
  const isMismatch = verdict === "mismatch";
  const offered = offeredLocalCauses(result, hasHistory);
  const { causes, lead } = leadAndCauses(offered);
  const finds = (id: string) => offered.some(({ action }) => action?.kind === id);
  return {
    title,
    outcome: isMismatch ? "failed" : "verified",
    headline: shown`${title}: ${LOCAL_VERDICTS[verdict]} on this machine`,
    place: placeOf(result),
    sentences: [
      // What the first cause says is not said before it.
      ...(causes.some(({ evidence }) => reason.includes(evidence)) ? [] : [foreignSentence(reason)]),
      ...(isVerified ? [] : [shown`Verified locally: nothing was published.`]),
    ],
    facts: [
      { label: shown`Chain`, value: foreign(chainLabel(chainId)) },
      addressFact(address, isInLedger),
      { label: shown`Compared`, value: foreign(exactTime(at, undefined)) },
      ...(details
        ? [
            runtimeFact(details.runtimeMatch, details.creationMatch, hashPlaceOf(result), result.verdict),
            ...(details.creationMatch === null && !isMismatch
              ? []
              : [{ label: shown`Creation code`, value: matchInWords(details.creationMatch) }]),
            ...details.compiler,
          ]
        : [{ label: shown`Compiler`, value: foreign(compilerVersion) }]),
    ],
    ...(lead && { lead }),
    buttons: [
      ...(isMismatch
        ? [
            BUTTONS.findSettings,
            ...(hasHistory === true && !finds("find commit") ? [BUTTONS.findCommit] : []),
            BUTTONS.compareAgain,
          ]
        : [canBePublished && !isVerified ? BUTTONS.publish : BUTTONS.compareAgain]),
      BUTTONS.copyAddress,
      BUTTONS.rawJson,
    ],
    causes,
    ...(details?.code && { code: details.code, codeButton: BUTTONS.showDifference }),
    ...(details?.creationCode && {
      creationCode: details.creationCode,
      // The codes are compiled anew for it, and then have to differ as a whole.
      ...(isMismatch && { creationButton: BUTTONS.showCreationDifference }),
    }),
    ...(details && { sent: details.sent }),
    sentTitle: shown`What was compiled`,
    sentButtons: details && hasInput ? [BUTTONS.rawInput] : [],
    hasFiles: details !== undefined && hasInput,
    explorers: [],
    transformations: details?.transformations ?? [],
    constructorArguments: details?.constructorArguments ?? [],
  };
}

/** Where the code has its metadata hash, unless a setting leaves it out. */
function hashPlaceOf({ path, compilerVersion }: LocalResult): MetadataHashPlace | undefined {
  const language = languageOfPath(path);
  return language && metadataHashPlace({ language, settings: {} }, compilerVersion);
}
