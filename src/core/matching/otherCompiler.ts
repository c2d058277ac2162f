import { t } from "@vscode/l10n";
import { shortVersion } from "../versions.ts";
import type { Action } from "./explanation.ts";

/** What submits the same with another release of the compiler, in full form where it is known. */
export function otherCompiler(compilerVersion: string): Action {
  const name = shortVersion(compilerVersion);
  return {
    kind: "resubmit",
    label: t`Resubmit With ${name}`,
    localLabel: t`Verify With ${name}`,
    changes: { compilerVersion },
  };
}
