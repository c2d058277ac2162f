import { t } from "@vscode/l10n";
import { relativePath } from "../files/fileReader.ts";
import type { InputFinding } from "../sources/inputFinding.ts";

/** What is built of a contract more than once, by paths. */
interface SeveralBuilds {
  readonly contractName: string;
  /** The root of the project, below which paths are shown. */
  readonly root: string;
  /** The one whose input is taken, absolute. */
  readonly taken: string;
  /** One of the others. */
  readonly other: string;
  /** The one that is taken is the newest. */
  readonly isNewest: boolean;
}

/** That a contract is built more than once, and nothing tells which of the builds was deployed. */
export function severalBuilds({ contractName, root, taken, other, isNewest }: SeveralBuilds): InputFinding {
  const reason = isNewest ? t`the newest, ` : "";
  return {
    code: "several_builds",
    severity: "warning",
    sentence: t`Several builds hold ${contractName} and nothing tells which one was deployed; ${reason}${relativePath(taken, root) ?? taken} is taken, ${relativePath(other, root) ?? other} is another.`,
    path: taken,
  };
}
