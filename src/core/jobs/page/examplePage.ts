import { splitIdentifier } from "../../sources/contractIdentifier.ts";
import { chainLabel } from "../../chains/chainNames.ts";
import { inTurns } from "../../concurrency/turns.ts";
import { codeSummaryInPieces } from "../../matching/codeSummary.ts";
import { explainInPieces } from "../../matching/explain.ts";
import type { JobError } from "../../service/job.ts";
import type { CompilerInput } from "../../sources/standardJsonInput.ts";
import { foreign, shown, type ShownText } from "../../text/shownText.ts";
import { compilerInWords } from "../jobWords.ts";
import { BUTTONS, pageCause, placeOf } from "./jobPage.ts";
import type { VerificationPage } from "./pageModel.ts";
import { sentSummaryInPieces } from "./sentSummary.ts";

/** Where the example that ships lies, below the extension. */
export const EXAMPLE_FILE = ["media", "walkthrough", "mismatch.json"] as const;

/** A contract on a chain that does not match what was compiled: what a failure looks like, for who has none. */
export interface MismatchExample extends Pick<
  CompilerInput,
  "compilerVersion" | "contractIdentifier" | "stdJsonInput"
> {
  readonly chainId: string;
  readonly address: string;
  /** As the engine of the public service told it. */
  readonly error: JobError;
}

/** The name of an example's contract. */
export function exampleName({ contractIdentifier }: MismatchExample): ShownText {
  return foreign(splitIdentifier(contractIdentifier).name);
}

/**
 * The page of the example, explained as a failed job is. It has the buttons that look at it; what acts on a contract of the
 * workspace or on a job has nothing to act on.
 */
export async function examplePage(example: MismatchExample): Promise<VerificationPage> {
  const { chainId, address, compilerVersion, contractIdentifier, stdJsonInput, error } = example;
  const { onchainRuntimeCode, recompiledRuntimeCode, recompiledCreationCode } = error;
  const name = exampleName(example);
  const { causes } = await inTurns(
    explainInPieces({ error, submitted: { compilerVersion, contractIdentifier, stdJsonInput } }),
  );
  const code = await inTurns(
    codeSummaryInPieces(
      onchainRuntimeCode ?? "",
      recompiledRuntimeCode ?? "",
      { ...stdJsonInput, contractIdentifier },
      recompiledCreationCode,
    ),
  );
  const compiler = compilerInWords(contractIdentifier.slice(0, -name.length - 1), compilerVersion);
  const placeOfFile = () => "project" as const;
  return {
    title: shown`Example: ${name}`,
    outcome: "failed",
    headline: shown`Example: ${name} does not match`,
    place: placeOf(example),
    sentences: [
      shown`This is an example that comes with Ledger Lens: nothing was sent anywhere.`,
      shown`With a contract of your own, causes have buttons, such as ${BUTTONS.findCommit.label}.`,
    ],
    facts: [
      { label: shown`Chain`, value: foreign(chainLabel(chainId)) },
      { label: shown`Address`, value: foreign(address) },
    ],
    buttons: [],
    causes: causes.map(({ action: _action, ...cause }, at) => pageCause(cause, at)),
    ...(code && { code, codeButton: BUTTONS.showDifference }),
    sent: await inTurns(
      sentSummaryInPieces({
        compiler,
        compilerVersion,
        contractIdentifier,
        stdJsonInput,
        placeOf: placeOfFile,
      }),
    ),
    sentTitle: shown`What was compiled`,
    sentButtons: [BUTTONS.rawInput],
    hasFiles: true,
    explorers: [],
    transformations: [],
    constructorArguments: [],
  };
}
