/**
 * How deep data may be nested. `JSON.parse` knows no limit, while whatever walks a value or writes it again, to JSON or to
 * another thread, takes room on the stack for every level. A syntax tree in an artifact has some hundreds.
 */
export const MOST_LEVELS = 2_000;

/** True when a value has objects or arrays in more than `most` levels; takes no room on the stack itself. */
export function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    const below: unknown[] = [];
    for (const one of level) {
      if (typeof one !== "object" || one === null) continue;
      if (Array.isArray(one)) {
        for (const item of one as unknown[]) if (typeof item === "object" && item !== null) below.push(item);
      } else {
        for (const item of Object.values(one) as unknown[]) {
          if (typeof item === "object" && item !== null) below.push(item);
        }
      }
    }
    level = below;
  }
  return false;
}
