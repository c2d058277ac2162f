import { foreign, type ShownText } from "./shownText.ts";

/** No project is deeper; the segments next to the file tell it from others. */
const MAX_SEGMENTS = 30;

/**
 * The name of a source, which may be hostile, as segments of the path of a document: none of them means another place, and of
 * a long name the last ones are left.
 */
export function documentSegments(name: string): ShownText[] {
  return name
    .split(/[/\\]/)
    .slice(-MAX_SEGMENTS)
    .map((segment) => foreign(/^\.*$/.test(segment) ? "_" : segment));
}
