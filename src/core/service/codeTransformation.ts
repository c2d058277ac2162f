import { t } from "@vscode/l10n";
import { ifReadable, listOf, numberFrom, object, oneOf, text } from "../json/shape.ts";
import { counted } from "../text/counted.ts";
import type { LabelledText } from "../text/labelledText.ts";
import { shown, type ShownText } from "../text/shownText.ts";

/** One place in which the compiled code was changed before it was compared, as the verification interface tells it. */
export interface CodeTransformation {
  readonly type: "replace" | "insert";
  readonly reason: "constructorArguments" | "library" | "immutable" | "cborAuxdata" | "callProtection";
  /** In bytes. */
  readonly offset: number;
  readonly id?: string;
}

/** Reads transformations of an answer or of what was kept. */
export const codeTransformations = listOf(
  object({
    type: oneOf("replace", "insert"),
    reason: oneOf("constructorArguments", "library", "immutable", "cborAuxdata", "callProtection"),
    offset: numberFrom(0, 1e9),
    id: ifReadable(text(1_000)),
  }),
);

const REASONS: Readonly<
  Record<CodeTransformation["reason"], { readonly label: ShownText; readonly what: string }>
> = {
  constructorArguments: { label: shown`Constructor arguments`, what: "appended" },
  library: { label: shown`Libraries`, what: t`address linked` },
  immutable: { label: shown`Immutables`, what: t`value written` },
  cborAuxdata: { label: shown`Metadata`, what: t`auxdata replaced` },
  callProtection: { label: shown`Call protection`, what: t`the library's own address written` },
};

/**
 * What was changed before the codes were compared, a line for each reason: "Immutables: value written, 3 places in the runtime code".
 *
 * @param immutables what was written into those, in words, where that is known
 */
export function transformationFacts(
  code: "runtime" | "creation",
  transformations: readonly CodeTransformation[],
  immutables?: string,
): LabelledText[] {
  const places = Map.groupBy(transformations, ({ reason }) => reason);
  return [...places].map(([reason, those]) => {
    const { label, what } = REASONS[reason];
    const where = t`${counted(those.length, "place")} in the ${code === "runtime" ? t`runtime` : t`creation`} code`;
    const bytes = those.map(({ offset }) => offset.toLocaleString("en-US")).join(", ");
    const value =
      reason === "immutable" && immutables !== undefined
        ? shown`${immutables} (${what}, ${where})`
        : shown`${what}, ${where}`;
    return { label, value, whole: shown`at byte ${bytes}` };
  });
}
