import type { ActionNames, NamedCall } from "./actionNames.ts";
import { actionLine, actionWords } from "./actionRows.ts";
import { failingPath, NONE, type ActionTree } from "./actionTree.ts";
import { isHardFailure } from "./actionFailure.ts";
import { jsonText, visibleJson } from "../../json/jsonText.ts";
import type { ContractAction } from "./contractAction.ts";
import type { NamedValue } from "./tokenAmounts.ts";

/** Lines are indented up to this level; deeper ones name theirs, or the text would grow with the square of the depth. */
const MAX_INDENT = 64;

/**
 * A tree as text, one line for each action, indented by its nesting. `!` marks a failure, `!!` where the failure
 * began.
 *
 * @param namesOf names that are known already
 * @param visible of a filter; everything where missing
 */
export function actionsAsText(
  tree: ActionTree,
  namesOf: (action: ContractAction) => ActionNames | undefined = () => undefined,
  visible?: Uint8Array,
): string {
  const origin = failingPath(tree).at(-1);
  const levels = new Int32Array(tree.actions.length);
  const lines: string[] = [];
  for (const [at, action] of tree.actions.entries()) {
    const parent = tree.parent[at] ?? NONE;
    const level = parent === NONE ? 0 : (levels[parent] ?? 0) + 1;
    levels[at] = level;
    if (visible && visible[at] !== 1) continue;
    const indent = level > MAX_INDENT ? `${"  ".repeat(MAX_INDENT)}[level ${level}] ` : "  ".repeat(level);
    const mark = at === origin ? "!! " : isHardFailure(action) ? "! " : "";
    lines.push(`${indent}${mark}${actionLine(actionWords(tree, at, namesOf(action), "whole"))}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** The fields that are integers of any size in the interface. */
const INTEGERS: ReadonlySet<string> = new Set(["call_depth", "gas", "gas_used", "index", "value"]);

/**
 * Actions as a JSON array in order of execution, each with the position of its `parent` (null for a root), and as `decoded` what
 * is known of it by name (see {@link namesAsJson}). Integers are written out in full, as the ledger sent them.
 *
 * @param namesOf names that are known already
 * @param visible of a filter; everything where missing
 */
export function actionsAsJson(
  tree: ActionTree,
  namesOf: (action: ContractAction) => ActionNames | undefined = () => undefined,
  visible?: Uint8Array,
): string {
  const objects = [...tree.actions.entries()].flatMap(([at, action]) => {
    if (visible && visible[at] !== 1) return [];
    return [actionObject(tree, at, namesOf(action), "  ")];
  });
  return objects.length === 0 ? "[]\n" : `[\n${objects.join(",\n")}\n]\n`;
}

/** One of {@link actionsAsJson}, as a JSON object. */
export function actionAsJson(tree: ActionTree, at: number, names: ActionNames | undefined): string {
  return `${actionObject(tree, at, names, "")}\n`;
}

function actionObject(tree: ActionTree, at: number, names: ActionNames | undefined, indent: string): string {
  const parent = tree.parent[at] ?? NONE;
  const fields = Object.entries(tree.actions[at] ?? {}).map(
    ([name, value]) => `${JSON.stringify(name)}: ${fieldText(name, value)}`,
  );
  const own = [`"position": ${at}`, `"parent": ${parent === NONE ? "null" : parent}`];
  const decoded = names && namesAsJson(names);
  const told = decoded && Object.keys(decoded).length > 0 ? [`"decoded": ${visibleJson(decoded)}`] : [];
  const lines = [...own, ...fields, ...told].map((line) => `${indent}  ${line}`);
  return `${indent}{\n${lines.join(",\n")}\n${indent}}`;
}

/** What is known of an action by name, for JSON: its contract, function, arguments, results and error, as far as there are any. */
function namesAsJson({ contract, call, results = [], error, redirectedTo, token }: ActionNames): object {
  return {
    ...(contract && { contract: contract.name }),
    ...(redirectedTo !== undefined && { handed_on_to: redirectedTo }),
    ...(token && { token }),
    ...(call && { function: callAsJson(call) }),
    ...(results.length > 0 && { results: results.map(valueAsJson) }),
    ...(error && { error: callAsJson(error) }),
  };
}

/** A function, an event or an error with its values, for JSON. */
export function callAsJson({
  signature,
  certainty,
  values,
}: Pick<NamedCall, "signature" | "certainty" | "values">): object {
  return { signature, certainty, values: values.map(valueAsJson) };
}

function valueAsJson({ name, type, text, amount, meaning, calls }: NamedValue): object {
  return {
    ...(name !== undefined && { name }),
    type,
    text,
    ...(amount !== undefined && { amount }),
    ...(meaning !== undefined && { meaning }),
    ...(calls && {
      calls: [...calls].map(([at, call]) => ({
        at,
        name: call.name,
        values: call.values.map(valueAsJson),
      })),
    }),
  };
}

function fieldText(name: string, value: unknown): string {
  if (INTEGERS.has(name) && typeof value === "string" && /^-?(?:0|[1-9]\d*)$/.test(value)) return value;
  return jsonText(value);
}
