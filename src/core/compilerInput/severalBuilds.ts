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
  /** Why that one is taken: it is the newest, or has the files as they are now. Missing where it is just the first. */
  readonly reason?: "newest" | "unchanged" | undefined;
}

/** That a contract is built more than once, and nothing tells which of the builds was deployed. */
export function severalBuilds({ contractName, root, taken, other, reason }: SeveralBuilds): InputFinding {
  const why =
    reason === "newest"
      ? t`the newest, `
      : reason === "unchanged"
        ? t`the one of the files as they are now, `
        : "";
  return {
    code: "several_builds",
    severity: "warning",
    sentence: t`Several builds hold ${contractName} and nothing tells which one was deployed; ${why}${relativePath(taken, root) ?? taken} is taken, ${relativePath(other, root) ?? other} is another.`,
    path: taken,
  };
}
