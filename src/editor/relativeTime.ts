const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "3 minutes ago", "just now". */
export function relativeTime(then: number, now = Date.now()): string {
  const passed = now - then;
  const [unit, length] = UNITS.find(([, milliseconds]) => passed >= milliseconds) ?? [];
  if (!unit || !length) return "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(passed / length), unit);
}
