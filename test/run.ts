// `npm test` runs every kind of test; `npm test -- unit` one kind, `npm test -- test/unit/x.test.ts` one file of any kind.
// `npm run test:long` runs what lasts long, whole. Both go on after a kind that failed and end with the counts; what is
// skipped is named.
import { relative, resolve } from "node:path";
import { PROOF } from "./rig/proofSize.ts";
import { repositoryRoot } from "./rig/paths.ts";
import { filesLeftToLong, kindOf, longFiles, TEST_KINDS, type TestKind } from "./rig/testKinds.ts";

/** A kind to run, with the chosen files or all of `npm test`. */
interface PlannedRun {
  readonly kind: TestKind;
  readonly files?: readonly string[];
}

const isLong = process.argv[2] === "--long";
const asked = process.argv.slice(isLong ? 3 : 2);
if (isLong) process.env[PROOF] = "long";

let passed = 0;
let failed = 0;
let skipped = 0;
const summary: string[] = [];
const planned = plan();
if (planned.length === 0) {
  console.error("Nothing that was named has a proof that lasts long. `npm test` runs it.");
  process.exit(1);
}
for (const { kind, files } of planned) {
  console.log(`\n── ${kind.name}`);
  const started = performance.now();
  const counts = await kind.run(files).catch((error: unknown) => {
    console.error(error);
    return { passed: 0, failed: 1, skipped: [] };
  });
  const isEmpty = counts.passed + counts.failed === 0;
  if (isEmpty) console.error(`No ${kind.name} test ran, which counts as a failure.`);
  passed += counts.passed;
  failed += counts.failed + (isEmpty ? 1 : 0);
  skipped += counts.skipped.length;
  const seconds = Math.round((performance.now() - started) / 1000);
  summary.push(
    `${kind.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped.length} skipped (${seconds} s)`,
  );
  for (const name of counts.skipped) summary.push(`  skipped: ${name}`);
  if (files === undefined)
    for (const file of filesLeftToLong(kind)) summary.push(`  left to npm run test:long: ${file}`);
}
console.log(`\n${summary.join("\n")}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 ? 1 : 0);

/** What the arguments ask for, in the order of the kinds. */
function plan(): PlannedRun[] {
  const kinds = asked.filter((name) => TEST_KINDS.some((kind) => kind.name === name));
  const files = asked.filter((name) => !kinds.includes(name)).map(testFile);
  return TEST_KINDS.flatMap((kind): PlannedRun[] => {
    const chosen = files.filter((file) => kindOf(file) === kind);
    if (chosen.length > 0) return [{ kind, files: chosen }];
    if (asked.length > 0 && !kinds.includes(kind.name)) return [];
    if (!isLong) return [{ kind }];
    const long = longFiles(kind);
    return long.length > 0 ? [{ kind, files: long }] : [];
  });
}

/** The path of a test file from the repository's root. */
function testFile(argument: string): string {
  const file = relative(repositoryRoot, resolve(argument));
  if (kindOf(file)) return file;
  console.error(
    `${argument} is neither a kind of test nor a test file. The kinds are ${TEST_KINDS.map(({ name }) => name).join(", ")}.`,
  );
  return process.exit(1);
}
