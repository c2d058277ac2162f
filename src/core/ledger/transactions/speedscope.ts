import { t } from "@vscode/l10n";
import { integerText } from "../../text/exactDecimal.ts";
import { childrenOf, type ActionTree } from "../actions/actionTree.ts";

/** More than any gas, and so little that JSON has sums of it. */
const MAX_GAS = 1e200;

interface FrameEvent {
  readonly type: "O" | "C";
  readonly frame: number;
  readonly at: number;
}

/**
 * The gas of a transaction in speedscope's evented format (jlfwong/speedscope, src/lib/file-format-spec.ts): a call is
 * open for as much gas as it used. Where the children of a call say that they used more than the call, the call counts
 * as long as they, since the format allows nothing that is open beyond its caller.
 *
 * @param nameOf what a call is called: "Router.swapExact"
 * @returns JSON
 */
export function speedscopeProfile(tree: ActionTree, name: string, nameOf: (at: number) => string): string {
  const frames = new Map<string, number>();
  const frameOf = (at: number) => {
    const called = nameOf(at);
    const known = frames.get(called) ?? frames.size;
    frames.set(called, known);
    return known;
  };
  const events: FrameEvent[] = [];
  let at = 0;
  // Without recursion: calls nest as deeply as a server says.
  const open: { readonly frame: number; readonly until: number }[] = [];
  const todo: (number | "close")[] = tree.roots.toReversed();
  while (todo.length > 0) {
    const next = todo.pop();
    if (next === undefined) break;
    if (next === "close") {
      const ended = open.pop();
      if (!ended) continue;
      at = Math.max(at, ended.until);
      events.push({ type: "C", frame: ended.frame, at });
      continue;
    }
    const frame = frameOf(next);
    events.push({ type: "O", frame, at });
    open.push({
      frame,
      until: at + Math.min(MAX_GAS, Number(integerText(tree.actions[next]?.gas_used) ?? "0")),
    });
    // What a call used itself is not told in its order: it stands behind its children.
    todo.push("close");
    for (const child of childrenOf(tree, next).toReversed()) todo.push(child);
  }
  return JSON.stringify({
    $schema: "https://www.speedscope.app/file-format-schema.json",
    name,
    exporter: t`Ledger Lens`,
    shared: { frames: [...frames.keys()].map((one) => ({ name: one })) },
    profiles: [{ type: "evented", name, unit: "none", startValue: 0, endValue: at, events }],
  });
}
