import { placesIn, type TextPlace } from "./textPlace.ts";

/** Where something is defined. */
export interface DefinitionPlace extends TextPlace {
  /** Absolute path. */
  readonly path: string;
}

/** Turns UTF-16 offsets of the text of a file into places. */
export function placeFinder(path: string, text: string): (offset: number) => DefinitionPlace {
  const placeOf = placesIn(text);
  return (offset) => ({ path, ...placeOf(offset) });
}
