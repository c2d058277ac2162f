import { t } from "@vscode/l10n";
import { isDeeper, MAX_LEVELS } from "../json/depth.ts";
import { asRecord, asText, field } from "../json/looseData.ts";
import { isLanguageName, LANGUAGES } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import { misshapenSettings } from "../languages/settingsShape.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";

/** Standard JSON input in a file, or what is wrong with it, to follow the file's name. */
type RecordedStandardInput = { readonly input: StandardJsonInput } | { readonly reason: string };

/** No path and no URL is as long. */
const LONGEST_NAME = 4_096;

/**
 * The compiler's own fields of a value that has the form of standard JSON input with contents. What is written there
 * by a tool is right; what is wrong was edited, cut off or made to harm, and none of it is taken.
 *
 * @returns `undefined` for a value that is no input at all.
 */
export function standardInputIn(value: unknown): RecordedStandardInput | undefined {
  const given = asRecord(value);
  if (!given || (field(given, "language") === undefined && field(given, "sources") === undefined))
    return undefined;
  const language = asText(field(given, "language"));
  if (!isLanguageName(language)) return { reason: t`names no language that a compiler knows` };
  const sources = asRecord(field(given, "sources"));
  if (!sources) return { reason: t`holds no sources` };
  const contents = new Map<string, { content: string }>();
  for (const [name, source] of Object.entries(sources)) {
    if (name === "" || name.length > LONGEST_NAME || name.includes("\0"))
      return { reason: t`holds a source whose name is none` };
    const content = asText(field(source, "content"));
    if (content === undefined) return { reason: t`holds a source without its text` };
    contents.set(name, { content });
  }
  if (contents.size === 0) return { reason: t`holds no sources` };
  const written = field(given, "settings");
  const settings = written === undefined ? {} : asRecord(written);
  if (!settings) return { reason: t`holds settings of a wrong form` };
  const [wrong] = misshapenSettings(settings, RULES[language].settings);
  if (wrong !== undefined) return { reason: t`holds a setting of a wrong form (${wrong})` };
  const optional = Object.fromEntries(
    (LANGUAGES[language].inputFields ?? []).flatMap((name) => {
      const value = field(given, name);
      return value === undefined || value === null ? [] : [[name, value] as const];
    }),
  );
  const { interfaces, storage_layout_overrides: layouts, integrity } = optional;
  if (
    (interfaces !== undefined && !asRecord(interfaces)) ||
    (layouts !== undefined && !asRecord(layouts)) ||
    (integrity !== undefined && asText(integrity) === undefined)
  )
    return { reason: t`holds interfaces or checksums of a wrong form` };
  if (isDeeper([settings, optional], MAX_LEVELS)) return { reason: t`is nested too deeply` };
  return { input: { language, sources: Object.fromEntries(contents), settings, ...optional } };
}
