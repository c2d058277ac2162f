import { RULES } from "../languages/rules.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";

/**
 * The settings of an input that its compiler is not known to read, by their places: `optimizer.note`. A configuration or
 * a record may hold any text there; the compiler does nothing with it, and it goes with the sources all the same.
 */
export function unsupportedSettings({ language, sources, settings, integrity }: StandardJsonInput): string[] {
  const known = RULES[language].knownSettings(sources);
  const besides = integrity === undefined || /^[0-9a-f]{64}$/i.test(integrity) ? [] : ["integrity"];
  return [...known(settings, ""), ...besides];
}
