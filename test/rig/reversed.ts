// Loaded before each test file by `npm test -- e2e --reverse`: the tests of a suite run from the last to the first, so that
// one that counts on what another left behind fails.
import { createRequire, syncBuiltinESMExports } from "node:module";

/** The environment variable that says `reverse` while tests run from the last to the first. */
export const ORDER = "LEDGER_LENS_TEST_ORDER";

/** How `node:test` is told of a test or a suite, in any of its ways. */
type Telling = (...args: unknown[]) => unknown;

if (process.execArgv.some((argument) => argument.endsWith("reversed.ts"))) reverseTests();

function reverseTests(): void {
  const test = createRequire(import.meta.url)("node:test") as { describe: Telling; it: Telling };
  const { describe: tellSuite, it: tellTest } = test;
  let kept: unknown[][] | undefined;
  test.it = (...args: unknown[]) => (kept ? kept.push(args) : tellTest(...args));
  test.describe = (...args: unknown[]) => {
    const body = args.pop() as Telling;
    return tellSuite(...args, (...context: unknown[]) => {
      const outer = kept;
      const own: unknown[][] = (kept = []);
      const finish = () => {
        kept = outer;
        for (const one of own.reverse()) tellTest(...one);
      };
      const result = body(...context);
      if (result instanceof Promise) return result.then(finish);
      finish();
      return undefined;
    });
  };
  syncBuiltinESMExports();
}
