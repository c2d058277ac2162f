import { it } from "node:test";
import { isWholeProof, LEFT_TO_LONG } from "./proofSize.ts";

/**
 * A test that shows again, in another theme, at another size, by keys alone or after a reload, what `npm test` shows
 * already, and takes seconds of a window for it: only `npm run test:long` runs it.
 */
export function longIt(name: string, body: () => void | Promise<void>): void {
  void it(name, { skip: !isWholeProof() && LEFT_TO_LONG }, body);
}
