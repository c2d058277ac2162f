import { isWholeProof, LEFT_TO_LONG } from "./proofSize.ts";

/**
 * A test that shows at more places or for more kinds what `npm test` shows already, and takes seconds of a window for it:
 * only `npm run test:long` runs it.
 */
export function longIt(name: string, body: () => Promise<void>): void {
  if (isWholeProof()) it(name, body);
  else it.skip(`${name}: ${LEFT_TO_LONG}`, body);
}
