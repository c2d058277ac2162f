import { shortVersion } from "../../core/versions.ts";
import { t } from "@vscode/l10n";
import type { CompilerSettings } from "../../core/sources/standardJsonInput.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
import type { StepFrame } from "../ui/multiStep.ts";
import { askText, pick } from "../ui/questions.ts";
import { DEFAULT_OPTIMIZER } from "../../core/languages/solidity/solcCode.ts";

/**
 * Asks for a release of a compiler.
 *
 * @param releases in full form, oldest first
 * @param chosen the one that is chosen now, in full form
 */
export function pickRelease(frame: StepFrame, releases: readonly string[], chosen?: string): Promise<string> {
  return pick(frame, {
    placeholder: shown`Which compiler?`,
    choices: releases.toReversed().map((version) => ({
      label: foreign(shortVersion(version)),
      description: version === chosen ? shown`${version} · chosen` : foreign(version),
      value: version,
    })),
  });
}

/** Asks for solc's optimizer. */
export async function askOptimizer(
  frame: StepFrame,
  now: CompilerSettings["optimizer"],
): Promise<NonNullable<CompilerSettings["optimizer"]>> {
  const text = await askText(frame, {
    prompt: shown`Optimizer runs, or off`,
    placeholder: shown`200`,
    value: now?.enabled ? String(now.runs ?? 200) : now ? "off" : "200",
    check: (value) => {
      if (/^(?:off|\d{1,10})$/.test(value.trim())) return value.trim();
      throw new LedgerLensError("invalid_argument", t`Use a number of runs like 200, or off.`);
    },
  });
  return text === "off" ? DEFAULT_OPTIMIZER : { enabled: true, runs: Number(text) };
}
