import { t } from "@vscode/l10n";
import { ownValue } from "../../json/ownValue.ts";
import { isComputed } from "./computed.ts";
import { asRecord } from "../../json/looseData.ts";

/** The places in a value of a configuration script that have another form than the tool takes. */
export type ScriptShape = (value: unknown, place: string) => readonly string[];

/** What is not there, and what is computed, has every form. */
function when(isRight: (value: unknown) => boolean): ScriptShape {
  return (value, place) => (value === undefined || isComputed(value) || isRight(value) ? [] : [place]);
}

export const aText = when((value) => typeof value === "string");

/** A list whose items have a form. */
export function aList(item: ScriptShape): ScriptShape {
  return (value, place) =>
    Array.isArray(value)
      ? value.flatMap((one, at) => item(one, `${place}[${at}]`))
      : when(() => false)(value, place);
}

/** An object; of the parts that are named each has its form. */
export function aTable(parts: Readonly<Record<string, ScriptShape>>): ScriptShape {
  return (value, place) => {
    const record = isComputed(value) ? undefined : asRecord(value);
    if (!record) return when(() => false)(value, place);
    return Object.entries(parts).flatMap(([name, part]) =>
      part(ownValue(record, name), place === "" ? name : `${place}.${name}`),
    );
  };
}

/** An object all of whose values have a form. */
export function everyIn(item: ScriptShape): ScriptShape {
  return (value, place) => {
    const record = isComputed(value) ? undefined : asRecord(value);
    if (!record) return when(() => false)(value, place);
    return Object.entries(record).flatMap(([name, one]) => item(one, `${place}.${name}`));
  };
}

/** One of several forms: of texts, lists and tables, the one that the value is. */
export function eitherOf(...shapes: readonly ScriptShape[]): ScriptShape {
  return (value, place) => {
    const answers = shapes.map((shape) => shape(value, place));
    return (
      answers.find((places) => places.length === 0) ??
      answers.find((places) => !places.includes(place)) ?? [place]
    );
  };
}

/** The sentences about what is left out of a script for its form. */
export function misshapen(shape: ScriptShape, exported: unknown, script: string, tool: string): string[] {
  return shape(exported, "").map(
    (place) =>
      t`${script}: ${place === "" ? t`what it exports` : place} has no form that ${tool} takes; it is left out.`,
  );
}
