import { t } from "@vscode/l10n";
import type { Pieces } from "../concurrency/turns.ts";
import { compareBodiesInPieces } from "../evm/bodyComparison.ts";
import {
  compareCodesInPieces,
  isHarmless,
  type CodeComparison,
  type ItemPair,
} from "../evm/codeComparison.ts";
import { isWithin } from "../evm/codeItems.ts";
import type { Disassembly, Section } from "../evm/disassembly.ts";
import { PUSH0 } from "../evm/opcodes.ts";
import { LANGUAGES } from "../languages/language.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { counted, grouped, listed } from "../text/counted.ts";
import { foreign } from "../text/shownText.ts";
import { carriedCodes } from "./carriedContracts.ts";
import {
  commonCallsInPieces,
  createdContractsInPieces,
  functionPlacesInPieces,
  ownFunctionPlacesInPieces,
  type FunctionPlace,
  type NamedPlace,
} from "./functionPlaces.ts";

/** A function as it is named: `0x` and the selector where the sources tell no name. */
type NamedFunction = Pick<FunctionPlace, "signature"> & Partial<FunctionPlace>;

/** The functions whose code differs, with that of everything that they call, and what else is known of the functions. */
interface ChangedFunctions {
  /** In the order of the sources, but that the one comes first to which most others of many lead. */
  readonly changed: readonly NamedFunction[];
  /** Whether what answers other calls differs, such as `receive`. */
  readonly isRestChanged: boolean;
  /** How many functions run the same code. */
  readonly same: number;
  /** Of how many neither is proven. */
  readonly unclear: number;
  /** Functions that only one of the codes has. */
  readonly onlyDeployed: readonly NamedFunction[];
  readonly onlyCompiled: readonly NamedFunction[];
  /** What all that changed, and nothing that did not, leads to in the sources. */
  readonly helpers: readonly NamedPlace[];
  /** Contracts whose code lies in the code, as that of one that it creates, and differs. */
  readonly carried: readonly CarriedContract[];
}

/** A contract whose code lies in another one's. */
interface CarriedContract {
  /** `undefined` where the sources have none, or several, of its functions. */
  readonly name: string | undefined;
  /** Empty where it is not known which, or where none does. */
  readonly changed: readonly NamedFunction[];
}

/** What was submitted, as far as a function's name and line are read of it. */
export interface SubmittedContract {
  readonly stdJsonInput: Pick<StandardJsonInput, "sources" | "language" | "settings">;
  readonly contractIdentifier: string;
}

/** More of them are no answer to where the change is. */
export const MAX_SHOWN = 3;

/** More helpers are no answer either. */
const MAX_HELPERS = 2;

/**
 * The functions that run other code in one of two codes, or that one of them has not; `undefined` where none is proven to, or
 * where hardly any runs the same.
 *
 * @param pairs of the same two codes
 * @param returned where the runtime code begins that a recompiled creation code returns: what it does is told of itself
 */
export function* changedFunctionsInPieces(
  deployed: Disassembly,
  compiled: Disassembly,
  { pairs }: Pick<CodeComparison, "pairs">,
  submitted: SubmittedContract | undefined,
  returned?: number,
): Pieces<ChangedFunctions | undefined> {
  if (isOfOtherCompiler(deployed, compiled)) return undefined;
  const differing = pairs.filter((pair) => !isHarmless(pair));
  const bodies = yield* compareBodiesInPieces(deployed, compiled);
  if (!bodies) return undefined;
  const [table, otherTable] = bodies.tables ?? [];
  const appended =
    submitted && LANGUAGES[submitted.stdJsonInput.language].hasDataBehindCode
      ? appendedData(deployed, compiled)
      : undefined;
  // What lies behind the code is of no function, or of more than one, but for what leads to them.
  const isElsewhere = ({ left, right }: ItemPair) =>
    [left, right].some(
      (item) =>
        item &&
        item.section.kind !== "code" &&
        item.section.depth === 0 &&
        !isWithin(item, item === left ? table : otherTable) &&
        !(item === left && isWithin(item, appended)),
    );
  if (differing.some(isElsewhere)) return undefined;
  const { same, unclear, onlyRight, isRestChanged } = bodies;
  const declared = submitted
    ? yield* ownFunctionPlacesInPieces(bodies.onlyLeft, submitted.stdJsonInput, submitted.contractIdentifier)
    : new Map<string, FunctionPlace>();
  // What the sources declare is no function of the deployed code alone: it does something else there.
  const onlyLeft = bodies.onlyLeft.filter((selector) => !declared.has(selector));
  const changed = [...bodies.changed, ...declared.keys()];
  const isCarried = differing.some(({ left, right }) => ((left ?? right)?.section.depth ?? 0) > 0);
  const carried = isCarried ? yield* carriedInPieces(deployed, compiled, submitted, returned) : [];
  // A contract within that differs, and is not found, may be all that does.
  if (isCarried && carried.length === 0) return undefined;
  const others = onlyLeft.length + onlyRight.length;
  if (changed.length + others + carried.length === 0 && !isRestChanged) return undefined;
  if (same.length === 0 && (isRestChanged || others > 0)) return undefined;
  if (others > same.length || unclear.length > same.length) return undefined;
  if (changed.length > MAX_SHOWN && changed.length > same.length) return undefined;
  const places = submitted
    ? yield* functionPlacesInPieces(submitted.stdJsonInput, submitted.contractIdentifier)
    : undefined;
  const named = (selectors: readonly string[]) =>
    selectors
      .map((selector): NamedFunction => places?.get(selector) ?? { signature: `0x${selector}` })
      .sort(inOrderOfSources);
  const placed = (selectors: readonly string[]) => selectors.flatMap((one) => places?.get(one) ?? []);
  const calls =
    submitted && changed.length > 1 && placed(changed).length === changed.length
      ? yield* commonCallsInPieces(
          submitted.stdJsonInput,
          submitted.contractIdentifier,
          placed(changed),
          placed([...same, ...unclear]),
        )
      : undefined;
  const callersOf = (one: NamedFunction) => calls?.callers.get(one as FunctionPlace) ?? 0;
  const { helpers = [] } = calls ?? {};
  return {
    changed:
      changed.length > MAX_SHOWN
        ? named(changed).sort((one, other) => callersOf(other) - callersOf(one))
        : named(changed),
    isRestChanged,
    same: same.length,
    unclear: unclear.length,
    // What the sources call by this name is not in them.
    onlyDeployed: onlyLeft.map((selector) => ({ signature: `0x${selector}` })),
    onlyCompiled: named(onlyRight),
    helpers: helpers.length > MAX_HELPERS ? [] : helpers,
    carried,
  };
}

/** What a deployment may have appended to a code by a release that does not say how much: whole words. */
function appendedData(deployed: Disassembly, compiled: Disassembly): Section | undefined {
  const last = deployed.sections.at(-1);
  const isMore = deployed.sections.length === compiled.sections.length + 1;
  return last?.kind === "data" && isMore && (last.end - last.start) % 32 === 0 ? last : undefined;
}

/** Whether another release, or another EVM version, made one of two codes: what they write otherwise is no edit. */
function isOfOtherCompiler(deployed: Disassembly, compiled: Disassembly): boolean {
  const [mine, theirs] = [deployed, compiled].map((code) => code.auxdatas.at(-1)?.compilerVersion);
  return (
    (mine !== undefined && theirs !== undefined && mine !== theirs) ||
    pushesZero(deployed) !== pushesZero(compiled)
  );
}

function pushesZero({ sections }: Disassembly): boolean {
  return sections.some(
    (section) => section.kind === "code" && section.instructions.some(({ opcode }) => opcode === PUSH0),
  );
}

/** The contracts within two codes, one after the other, that differ. */
function* carriedInPieces(
  deployed: Disassembly,
  compiled: Disassembly,
  submitted: SubmittedContract | undefined,
  returned: number | undefined,
): Pieces<readonly CarriedContract[]> {
  const [mine, theirs] = [carriedCodes(deployed), carriedCodes(compiled)];
  if (mine.length !== theirs.length) return [];
  const found: CarriedContract[] = [];
  for (const [at, { code: left }] of mine.entries()) {
    const { start, code: right } = theirs[at] ?? {};
    if (!right || start === returned) continue;
    const { pairs } = yield* compareCodesInPieces(left, right);
    if (pairs.every(isHarmless)) continue;
    const [run, ownRun] = [carriedCodes(left)[0]?.code ?? left, carriedCodes(right)[0]?.code ?? right];
    yield;
    const bodies = yield* compareBodiesInPieces(run, ownRun);
    const selectors = bodies && [...bodies.same, ...bodies.changed, ...bodies.unclear, ...bodies.onlyRight];
    const contract = selectors && submitted ? yield* contractOf(selectors, submitted) : undefined;
    const isKnown = bodies && bodies.changed.length <= MAX_SHOWN && bodies.same.length > 0;
    found.push({
      name: contract?.name,
      changed: isKnown
        ? bodies.changed
            .map((one): NamedFunction => contract?.places.get(one) ?? { signature: `0x${one}` })
            .sort(inOrderOfSources)
        : [],
    });
  }
  return found;
}

/**
 * The only contract that the sources create and that has exactly these functions; where there is none, or another one, what the
 * sources' contracts call the functions.
 */
function* contractOf(
  selectors: readonly string[],
  { stdJsonInput }: SubmittedContract,
): Pieces<{ readonly name?: string; readonly places: ReadonlyMap<string, NamedFunction> }> {
  const created = yield* createdContractsInPieces(stdJsonInput);
  const found = created.filter(
    ({ places }) => places.size === selectors.length && selectors.every((one) => places.has(one)),
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  return {
    places: new Map(
      created.flatMap(({ places }) =>
        [...places].map(([selector, { signature }]) => [selector, { signature }] as const),
      ),
    ),
  };
}

function inOrderOfSources(one: Partial<FunctionPlace>, other: Partial<FunctionPlace>): number {
  return one.file === other.file
    ? (one.line ?? 0) - (other.line ?? 0)
    : (one.file ?? "") < (other.file ?? "")
      ? -1
      : 1;
}

/**
 * "The code of withdraw(uint256) (Vault.sol:19) differs, that of the other 11 functions is the same", without an end; empty
 * where nothing is to be said but of functions that only one code has.
 */
export function changedFunctionsInWords(functions: ChangedFunctions): string {
  const { changed, isRestChanged, same, unclear, helpers, carried, onlyCompiled, onlyDeployed } = functions;
  const sentences: string[] = [];
  if (changed.length > 0 || isRestChanged) sentences.push(changedInWords(functions));
  if (helpers.length > 0) {
    const list = listed(helpers.map(namedPlaceInWords));
    sentences.push(
      changed.length === 2
        ? t`In the sources both lead to ${list}, and no other does`
        : t`In the sources all of them lead to ${list}, and no other does`,
    );
  }
  for (const one of carried) sentences.push(carriedInWords(one));
  const hasOthers = onlyCompiled.length + onlyDeployed.length > 0;
  if (sentences.length === carried.length && same > 0 && unclear === 0 && (hasOthers || carried.length > 0))
    sentences.push(
      hasOthers
        ? t`The code of the ${counted(same, "function")} in both is the same`
        : t`The code of the contract's own ${counted(same, "function")} is the same`,
    );
  return sentences.join(". ");
}

function carriedInWords({ name, changed }: CarriedContract): string {
  const functions = listed(changed.map(functionInWords));
  if (name === undefined)
    return changed.length === 0
      ? t`The code of a contract that the code carries differs`
      : t`The code of ${functions} in a contract that the code carries differs`;
  return changed.length === 0
    ? t`The code of ${foreign(name)}, which the code carries, differs`
    : t`The code of ${functions} in ${foreign(name)}, which the code carries, differs`;
}

/** "setMinimum(uint256) (Vault.sol:30) is in the sources and not deployed", without an end; empty where both have the same. */
export function otherFunctionsInWords({
  onlyDeployed,
  onlyCompiled,
}: Pick<ChangedFunctions, "onlyDeployed" | "onlyCompiled">): string {
  return otherFunctionsSaid(onlyDeployed.map(functionInWords), onlyCompiled.map(functionInWords));
}

/** @param deployed functions that only the deployed code has, in words */
export function otherFunctionsSaid(deployed: readonly string[], compiled: readonly string[]): string {
  const parts = [
    deployed.length > 0
      ? t`${listed(deployed)} ${deployed.length === 1 ? t`is` : t`are`} deployed and not in the sources`
      : "",
    compiled.length > 0
      ? t`${listed(compiled)} ${compiled.length === 1 ? t`is` : t`are`} in the sources and not deployed`
      : "",
  ].filter((part) => part !== "");
  return parts.join(t`, and `);
}

function changedInWords({
  changed,
  isRestChanged,
  same,
  unclear,
  onlyDeployed,
  onlyCompiled,
}: ChangedFunctions): string {
  const named = changed.map(functionInWords);
  const names = [...named.slice(0, MAX_SHOWN)];
  const more = named.length - names.length;
  if (more > 0) names.push(t`${grouped(more)} more`);
  if (isRestChanged) names.push(t`what answers other calls (receive, fallback)`);
  const last = names.pop() ?? "";
  const all = names.length > 0 ? t`${names.join(", ")} and ${last}` : last;
  if (same === 0) return t`The code of ${all} differs`;
  // Not all others are the same.
  if (changed.length === 0 || unclear + onlyDeployed.length + onlyCompiled.length > 0)
    return unclear > 0
      ? t`The code of ${all} differs; that of ${counted(same, "function")} is the same`
      : t`The code of ${all} differs; that of the ${counted(same, "function")} is the same`;
  return same === 1
    ? t`The code of ${all} differs; that of the other function is the same`
    : t`The code of ${all} differs; that of the other ${grouped(same)} functions is the same`;
}

/** `withdraw(uint256) (Vault.sol:19)` */
export function functionInWords({ signature, file, line }: NamedFunction): string {
  return file === undefined || line === undefined
    ? foreign(signature)
    : namedPlaceInWords({ name: signature, file, line });
}

function namedPlaceInWords({ name, file, line }: NamedPlace): string {
  return `${foreign(name)} (${foreign(file.slice(file.lastIndexOf("/") + 1))}:${line})`;
}
