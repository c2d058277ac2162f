// `npm test` runs every kind of test; `npm test -- unit` one kind, `npm test -- test/unit/x.test.ts` one file of any kind, and
// `npm test -- test/unit/house` those of a folder.
// `npm test -- e2e --reverse` runs the tests of each suite from the last to the first, which shows what counts on another.
// `npm run test:long` runs what lasts long, whole, and goes on where it was ended: what passed is not run again before a file
// changes that it may have read. All go on after a kind that failed and end with the counts; what is skipped is named. A
// test of a window that fails beside all the others is run once more, alone, and named where it passes then.
import { join, relative, resolve } from "node:path";
import { ensureChromium } from "./rig/chromium.ts";
import { ensureEditor } from "./rig/editorInstallation.ts";
import { BUILT, buildExtension, PACKAGED, packageExtension } from "./rig/packagedExtension.ts";
import { isPartOfRun, reportToRun, runSideBySide, type KindReport } from "./rig/sideBySide.ts";
import { isWholeProof, LEFT_TO_LONG, PROOF } from "./rig/proofSize.ts";
import { ORDER } from "./rig/reversed.ts";
import { afterSecondTry, filesToTryAgain } from "./rig/secondTry.ts";
import { cacheFolder, repositoryRoot } from "./rig/paths.ts";
import {
  filesLeftToLong,
  halvesOf,
  kindOf,
  longFiles,
  TEST_KINDS,
  testFilesIn,
  type TestKind,
} from "./rig/testKinds.ts";

/** A kind to run, with the chosen files or all of `npm test`. */
interface PlannedRun {
  readonly kind: TestKind;
  readonly files?: readonly string[];
  /** True where a person named the files. */
  readonly isNamed?: boolean;
}

/** What waits for editors and browsers most of the time, and runs beside the others, which keep the processors busy. */
const WAITING = ["editor", "restricted", "folders", "e2e"];

/** What all take a part of that have done their own. */
const SHARED = "e2e";

/** What is left for the end, by the one that runs whole jobs from the start. */
const LAST = "mismatches";

/** What failed is said again at the end, where it is found even if only the end of a run was kept, as briefly as will do. */
const MAX_FAILURE_LINES = 8;

const REVERSE = "--reverse";
const LONG = "--long";
const asked = process.argv.slice(2).filter((argument) => argument !== REVERSE && argument !== LONG);
if (process.argv.includes(LONG)) process.env[PROOF] = "long";
const isLong = isWholeProof();
if (process.argv.includes(REVERSE)) process.env[ORDER] = "reverse";
// Most of a short file's time goes into reading TypeScript, which is the same for all of them.
process.env["NODE_COMPILE_CACHE"] ??= join(cacheFolder, "node");

const planned = plan();
if (planned.length === 0) {
  console.error("Nothing that was named has a proof that lasts long. `npm test` runs it.");
  process.exit(1);
}
const isWholeLong = isLong && !isPartOfRun() && !planned.some(({ isNamed }) => isNamed);
const reports = await (isWholeLong ? runLong() : asked.length === 0 ? runAll() : runPlanned());
if (isPartOfRun()) reportToRun(reports);
const exitCode = isPartOfRun() || printed(reports) ? 0 : 1;
// A pipe takes what is written in its own time, and leaving before it has taken all loses the counts.
process.stdout.write("", () => process.exit(exitCode));

/** Every kind, some beside the others. */
async function runAll(): Promise<readonly KindReport[]> {
  const first = TEST_KINDS.map(({ name }) => name).filter((name) => name !== LAST && !WAITING.includes(name));
  const [half = [], other = []] = halvesOf("editor");
  const lists = [
    [...first, SHARED],
    [...half, SHARED],
    [...other, "restricted", "folders", SHARED],
    [SHARED, LAST],
  ];
  const reports = await runSideBySide(lists, prepareWindows);
  const files = filesToTryAgain(reports, WAITING);
  if (files.length === 0) return reports;
  console.log(`\nOnce more, alone: ${files.join(", ")}`);
  return afterSecondTry(reports, await runSideBySide([files], () => Promise.resolve()));
}

/** What lasts long, whole: what keeps a processor busy is shared by two processes, and windows wait beside them. */
async function runLong(): Promise<readonly KindReport[]> {
  const names = planned.map(({ kind }) => kind.name);
  const busy = names.filter((name) => !WAITING.includes(name));
  const windows = names.filter((name) => WAITING.includes(name));
  const lists = [busy, busy, windows].filter((list) => list.length > 0);
  return runSideBySide(lists, windows.length > 0 ? prepareWindows : () => Promise.resolve());
}

/** What several processes that drive windows would else make at the same time. */
async function prepareWindows(): Promise<void> {
  process.env[BUILT] = await buildExtension();
  process.env[PACKAGED] = await packageExtension();
  await ensureEditor();
  ensureChromium();
}

/** Prints what each kind came to, with what failed and what was skipped, and the counts of all; true where nothing failed. */
function printed(all: readonly KindReport[]): boolean {
  const lines: string[] = [];
  const sum = { passed: 0, failed: 0, skipped: 0, left: 0, unsteady: 0 };
  for (const name of new Set(all.map((report) => report.name))) {
    const parts = all.filter((report) => report.name === name);
    const count = (what: "passed" | "failed" | "seconds") => parts.reduce((one, part) => one + part[what], 0);
    const passed = count("passed");
    const isEmpty = passed + count("failed") === 0;
    const failed = count("failed") + (isEmpty ? 1 : 0);
    const notRun = parts.flatMap((part) => part.skipped);
    const left = notRun.filter((one) => one.endsWith(LEFT_TO_LONG));
    const skipped = notRun.filter((one) => !left.includes(one));
    const failures = parts.flatMap((part) => part.failures);
    const unsteady = parts.flatMap((part) => part.unsteady ?? []);
    const inBrief = (one: string) => one.split("\n", MAX_FAILURE_LINES).join("\n    ");
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped.length;
    sum.left += left.length;
    sum.unsteady += unsteady.length;
    lines.push(
      `${name}: ${passed} passed, ${failed} failed, ${skipped.length} skipped${leftWords(left.length)} (${count("seconds")} s)`,
      ...(isEmpty ? ["  no test ran, which counts as a failure"] : []),
      ...failures.map((one) => `  failed: ${inBrief(one)}`),
      ...unsteady.map((one) => `  passed at a second try only: ${inBrief(one)}`),
      ...skipped.map((one) => `  skipped: ${one}`),
      ...left.map((one) => `  left: ${one}`),
      ...new Set(parts.flatMap(({ notes }) => notes.map((note) => `  ${note}`))),
    );
  }
  console.log(`\n${lines.join("\n")}`);
  const again = sum.unsteady === 0 ? "" : `, ${sum.unsteady} of the passed at a second try only`;
  console.log(
    `${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped${leftWords(sum.left)}${again}`,
  );
  return sum.failed === 0;
}

/** How many tests only `npm run test:long` runs, beside its files, which are named. */
function leftWords(count: number): string {
  return count === 0 ? "" : `, ${count} ${LEFT_TO_LONG}`;
}

/** One kind after another, in this process. */
async function runPlanned(): Promise<readonly KindReport[]> {
  const done: KindReport[] = [];
  for (const { kind, files } of planned) {
    console.log(`\n── ${kind.name}`);
    const started = performance.now();
    const { passed, failed, failures, skipped } = await kind.run(files).catch((error: unknown) => {
      console.error(error);
      return { passed: 0, failed: 1, failures: [`${kind.name}\n${String(error)}`], skipped: [] };
    });
    const left = files === undefined ? filesLeftToLong(kind) : [];
    done.push({
      name: kind.name,
      passed,
      failed,
      failures,
      skipped,
      seconds: Math.round((performance.now() - started) / 1000),
      notes: left.map((file) => `${LEFT_TO_LONG}: ${file}`),
    });
  }
  return done;
}

/** What the arguments ask for, in the order of the kinds. */
function plan(): PlannedRun[] {
  const kinds = asked.filter((name) => TEST_KINDS.some((kind) => kind.name === name));
  const files = asked.filter((name) => !kinds.includes(name)).flatMap(testFiles);
  return TEST_KINDS.flatMap((kind): PlannedRun[] => {
    const chosen = files.filter((file) => kindOf(file) === kind);
    if (chosen.length > 0) return [{ kind, files: chosen, isNamed: true }];
    if (asked.length > 0 && !kinds.includes(kind.name)) return [];
    if (!isLong) return [{ kind }];
    const long = longFiles(kind);
    return long.length > 0 ? [{ kind, files: long }] : [];
  });
}

/** The paths from the repository's root of a test file, or of those in a folder. */
function testFiles(argument: string): string[] {
  const path = relative(repositoryRoot, resolve(argument));
  const files = kindOf(path) ? [path] : testFilesIn(path, isLong);
  if (files.length > 0) return files;
  console.error(
    `${argument} is neither a kind of test nor a test file or a folder of them. The kinds are ${TEST_KINDS.map(({ name }) => name).join(", ")}.`,
  );
  return process.exit(1);
}
