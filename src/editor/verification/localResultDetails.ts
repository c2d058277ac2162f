import { t } from "@vscode/l10n";
import type { DeployedContract } from "../../core/compilers/compilerQuestions.ts";
import type { LocalVerdict } from "../../core/compilers/localVerifier.ts";
import { inTurns } from "../../core/concurrency/turns.ts";
import { compilerInWords } from "../../core/jobs/jobWords.ts";
import type { LocalDetails } from "../../core/jobs/page/localDetails.ts";
import { codeSummaryInPieces, creationSummaryInPieces } from "../../core/matching/codeSummary.ts";
import { transformationFacts } from "../../core/service/codeTransformation.ts";
import { immutablesInWordsInPieces, writtenImmutables } from "../../core/matching/immutables.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
import type { WorkspaceInput } from "./compilerInputOf.ts";
import { sentSummaryOf } from "./sentSummaryOf.ts";

const SOURCES: Readonly<Record<LocalVerdict["compiler"]["source"], string>> = {
  kept: t`kept from an earlier download`,
  "other tool": t`found with another tool`,
  downloaded: t`downloaded`,
  installed: t`installed`,
};

/** What of a verdict its page shows. */
export async function localResultDetails(
  input: WorkspaceInput,
  { engine, compiler }: LocalVerdict,
  deployed: DeployedContract,
): Promise<LocalDetails> {
  const { recompiledRuntimeCode, recompiledCreationCode, runtimeMatch, creationMatch, transformations } =
    engine;
  const isMismatch = runtimeMatch === null && creationMatch === null;
  const sources = { ...input.stdJsonInput, contractIdentifier: input.contractIdentifier };
  const code =
    isMismatch && recompiledRuntimeCode !== undefined
      ? await inTurns(
          codeSummaryInPieces(deployed.runtimeCode, recompiledRuntimeCode, sources, recompiledCreationCode),
        )
      : undefined;
  // Of a match that an earlier session found the codes are not kept.
  const creationCode =
    creationMatch === null && deployed.creationCode !== undefined && recompiledCreationCode !== undefined
      ? await inTurns(
          creationSummaryInPieces(
            deployed.creationCode,
            recompiledCreationCode,
            sources,
            // Told of the runtime code is only what is not a match.
            code && recompiledRuntimeCode !== undefined
              ? { deployed: deployed.runtimeCode, recompiled: recompiledRuntimeCode }
              : undefined,
          ),
        )
      : undefined;
  const { constructorArguments } = await import("../../core/evm/constructorArguments.ts");
  const appended = transformations.creation.find(({ reason }) => reason === "constructorArguments");
  const data = appended && deployed.creationCode?.slice(2 + 2 * appended.offset);
  const immutables = await inTurns(
    immutablesInWordsInPieces(
      writtenImmutables(deployed.runtimeCode, transformations.runtime),
      input.stdJsonInput,
      input.contractIdentifier,
    ),
  );
  return {
    sent: await sentSummaryOf(input, input.files),
    ...(code && { code }),
    ...(creationCode && { creationCode }),
    compiler: [
      { label: shown`Compiler`, value: foreign(compilerInWords(input.path, compiler.version)) },
      {
        label: shown`From`,
        value: foreign(SOURCES[compiler.source]),
        ...(compiler.sha256 !== undefined && { whole: shown`SHA-256 ${compiler.sha256}` }),
      },
    ],
    runtimeMatch,
    creationMatch,
    transformations: [
      ...transformationFacts("runtime", transformations.runtime, immutables),
      ...transformationFacts("creation", transformations.creation),
    ],
    constructorArguments: data ? constructorArguments(`0x${data}`, engine.constructorInputs) : [],
  };
}
