import { t } from "@vscode/l10n";
import type { Pieces } from "../concurrency/turns.ts";
import { compareBodiesInPieces } from "../evm/bodyComparison.ts";
import { isHarmless, type CodeComparison } from "../evm/codeComparison.ts";
import type { Disassembly } from "../evm/disassembly.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { counted, grouped } from "../text/counted.ts";
import { foreign } from "../text/shownText.ts";
import { functionPlacesInPieces, type FunctionPlace } from "./functionPlaces.ts";

/** The functions whose code differs, with that of everything that they call, and that nothing else differs. */
interface ChangedFunctions {
  /** In the order of the sources; `0x` and the selector where they tell no name. */
  readonly changed: readonly (Pick<FunctionPlace, "signature"> & Partial<FunctionPlace>)[];
  /** Whether what answers other calls differs, such as `receive`. */
  readonly isRestChanged: boolean;
  /** How many functions run the same code. */
  readonly same: number;
}

/** What was submitted, as far as a function's name and line are read of it. */
export interface SubmittedContract {
  readonly stdJsonInput: Pick<StandardJsonInput, "sources" | "language" | "settings">;
  readonly contractIdentifier: string;
}

/** More of them are no answer to where the change is. */
const MAX_SHOWN = 3;

/**
 * The functions that run other code in one of two codes; `undefined` where that is not proven, where none does, or where hardly
 * any runs the same.
 *
 * @param pairs of the same two codes
 */
export function* changedFunctionsInPieces(
  deployed: Disassembly,
  compiled: Disassembly,
  { pairs }: Pick<CodeComparison, "pairs">,
  submitted: SubmittedContract | undefined,
): Pieces<ChangedFunctions | undefined> {
  // What lies behind the code is of no function, or of more than one.
  const isElsewhere = pairs.some((pair) => {
    const section = (pair.left ?? pair.right)?.section;
    return !isHarmless(pair) && (section?.kind !== "code" || section.depth > 0);
  });
  if (isElsewhere) return undefined;
  const bodies = yield* compareBodiesInPieces(deployed, compiled);
  if (!bodies || (bodies.changed.length === 0 && !bodies.isRestChanged)) return undefined;
  const { changed, same, isRestChanged } = bodies;
  if (same.length === 0 && isRestChanged) return undefined;
  if (changed.length > MAX_SHOWN && changed.length > same.length) return undefined;
  const places = submitted
    ? yield* functionPlacesInPieces(submitted.stdJsonInput, submitted.contractIdentifier)
    : undefined;
  return {
    changed: changed
      .map((selector) => places?.get(selector) ?? { signature: `0x${selector}` })
      .sort(inOrderOfSources),
    isRestChanged,
    same: same.length,
  };
}

function inOrderOfSources(one: Partial<FunctionPlace>, other: Partial<FunctionPlace>): number {
  return one.file === other.file
    ? (one.line ?? 0) - (other.line ?? 0)
    : (one.file ?? "") < (other.file ?? "")
      ? -1
      : 1;
}

/** "The code of withdraw(uint256) (Vault.sol:19) differs, that of the other 11 functions is the same", without an end. */
export function changedFunctionsInWords({ changed, isRestChanged, same }: ChangedFunctions): string {
  const named = changed.map(({ signature, file, line }) =>
    file === undefined || line === undefined
      ? foreign(signature)
      : `${foreign(signature)} (${foreign(file.slice(file.lastIndexOf("/") + 1))}:${line})`,
  );
  const names = [...named.slice(0, MAX_SHOWN)];
  const more = named.length - names.length;
  if (more > 0) names.push(t`${grouped(more)} more`);
  if (isRestChanged) names.push(t`what answers other calls (receive, fallback)`);
  const last = names.pop() ?? "";
  const all = names.length > 0 ? t`${names.join(", ")} and ${last}` : last;
  if (same === 0) return t`The code of ${all} differs`;
  return changed.length === 0
    ? t`The code of ${all} differs; that of the ${counted(same, "function")} is the same`
    : same === 1
      ? t`The code of ${all} differs; that of the other function is the same`
      : t`The code of ${all} differs; that of the other ${grouped(same)} functions is the same`;
}
