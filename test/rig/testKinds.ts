import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { join, matchesGlob } from "node:path";
import { runEditorTests } from "../editorRun.ts";
import { runFoldersTests } from "../foldersRun.ts";
import { runRestrictedTests } from "../restrictedRun.ts";
import { contentHashNow, keepResult, keptResult } from "./keptResults.ts";
import { PACKAGED, packageExtension } from "./packagedExtension.ts";
import { cacheFolder, repositoryRoot } from "./paths.ts";
import { isWholeProof, SEED } from "./proofSize.ts";
import { ORDER } from "./reversed.ts";
import { failureIn, failuresInSuites } from "./secondTry.ts";
import { isPartOfRun, takeFile } from "./sideBySide.ts";

/** What a kind of test came to. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** What failed: the name, and on the next lines what was said of it. */
  readonly failures: readonly string[];
  /** What was skipped, by name and with the reason where one was given. */
  readonly skipped: readonly string[];
}

/** A kind of test: where its files are, and how they run. */
export interface TestKind {
  readonly name: string;
  /** A glob from the repository's root; a kind without files is always whole. */
  readonly files?: string;
  /** @param files the chosen ones, as paths from the repository's root; all that `npm test` runs without them */
  run(files?: readonly string[]): Promise<TestCounts>;
}

const E2E = "test/e2e/**/*.test.ts";

/** Every kind, in the order in which they run. */
export const TEST_KINDS: readonly TestKind[] = [
  { name: "check", run: runChecks },
  togetherTests("unit", "test/unit/**/*.test.ts"),
  // Some wait for processes and disks: a third fills the gaps of two processors.
  nodeTests("attacks", "test/attacks/**/*.test.ts", 3),
  nodeTests("oracles", "test/oracles/**/*.test.ts", 2),
  hostTests("editor", "test/editor/*.test.ts", runEditorTests),
  hostTests("restricted", "test/editor/restricted/*.test.ts", runRestrictedTests),
  hostTests("folders", "test/editor/folders/*.test.ts", runFoldersTests),
  { name: "e2e", files: E2E, run: runWholeJobs },
  // Many short files, which keep both processors busy until the end.
  nodeTests("mismatches", "test/sandbox/mismatches/*.test.ts", 2),
];

const LONG = ".long.test.ts";

/** A file that waits without end is ended and named; the longest takes a tenth of it on a busy machine. */
const MAX_FILE_MS = 600_000;

/** The kind that a test file belongs to. */
export function kindOf(file: string): TestKind | undefined {
  return TEST_KINDS.find(({ files }) => files !== undefined && matchesGlob(file, files));
}

/** The files of a kind that last long: by their name, or because they read their size from the environment. */
export function longFiles({ files }: TestKind): string[] {
  return filesOf(files).filter(
    (file) =>
      file.endsWith(LONG) ||
      /\b(?:proofSize|isWholeProof|longIt)\(|\bLEDGER_LENS_PROOF\b/.test(
        readFileSync(`${repositoryRoot}/${file}`, "utf8"),
      ),
  );
}

/** The files of a kind that only `npm run test:long` runs. */
export function filesLeftToLong({ files }: TestKind): string[] {
  return filesOf(files).filter((file) => file.endsWith(LONG));
}

/** The files of all kinds in a folder, with those that only `npm run test:long` runs where `isLong`. */
export function testFilesIn(folder: string, isLong: boolean): string[] {
  const pattern = `${folder}/**/*.test.ts`;
  return (isLong ? filesOf(pattern) : everyDay(pattern)).filter((file) => kindOf(file) !== undefined);
}

/** The files of a pattern that `npm test` runs. */
function everyDay(pattern: string): string[] {
  return filesOf(pattern).filter((file) => !file.endsWith(LONG));
}

function filesOf(pattern: string | undefined): string[] {
  return pattern === undefined ? [] : globSync(pattern, { cwd: repositoryRoot }).sort();
}

/** A tool that looks at the repository. */
interface Check {
  readonly name: "prettier" | "eslint" | "oxlint" | "tsc";
  /** A part of it, where the tool looks at several. */
  readonly of?: string;
  readonly args: readonly string[];
}

/**
 * A rule that takes half the time of all, as it compares types that no other asks for: `npm run lint` and `npm run test:long`
 * have it.
 */
const LEFT_OUT = '{ "@typescript-eslint/no-unsafe-class-instance-assignment": "off" }';

/** Format, typed lint and types, at the same time; what passed is not checked again before a file changes. */
async function runChecks(): Promise<TestCounts> {
  const bin = (name: string) =>
    // TypeScript 7, a third of the work; a rule of ESLint's needs 6, which has the same name below `.bin`.
    `${repositoryRoot}/node_modules/${name === "tsc" ? "typescript-native/bin" : ".bin"}/${name}`;
  const kept = (name: string) => [
    "--cache",
    "--cache-strategy",
    "content",
    "--cache-location",
    `${cacheFolder}/${name}`,
  ];
  // Types of other files decide what its rules say of these, so that each is looked at again.
  const typed = ["src", "eslint"];
  const checks: readonly Check[] = [
    { name: "prettier", args: ["--check", "--log-level", "warn", ...kept("prettier"), "."] },
    { name: "eslint", of: "what ships", args: ["--max-warnings", "0", "--rule", LEFT_OUT, ...typed] },
    {
      name: "eslint",
      of: "the rest",
      args: [
        "--max-warnings",
        "0",
        ...typed.flatMap((folder) => ["--ignore-pattern", `${folder}/**`]),
        ...kept(`eslint-${folderHash("eslint")}`),
        ".",
      ],
    },
    { name: "oxlint", args: ["--type-aware", "--max-warnings", "0"] },
    { name: "tsc", args: [] },
    { name: "tsc", of: "the pages", args: ["-p", "src/pages"] },
  ];
  const files = repositoryHash();
  const results = checks.map(async ({ name, of, args }) => {
    const key = ["check", name, ...args, files ?? ""] as const;
    const what = of === undefined ? name : `${name} of ${of}`;
    if (files !== undefined && keptResult(key) !== undefined) {
      console.log(`✔ ${what}, of files that have not changed since it passed`);
      return [];
    }
    const { code, both: output } = await execute(bin(name), args);
    console.log(code === 0 ? `✔ ${what}` : `✖ ${what}\n${output}`);
    if (code === 0 && files !== undefined) keepResult(key, "passed");
    return code === 0 ? [] : [`${what}\n${output}`];
  });
  const failures = (await Promise.all(results)).flat();
  return { passed: checks.length - failures.length, failed: failures.length, failures, skipped: [] };
}

/**
 * The hash of every file that is or can be committed, which say what is installed, too; `undefined` outside a repository.
 *
 * @param isPart which of them are part of it
 */
function repositoryHash(isPart: (file: string) => boolean = () => true): string | undefined {
  try {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const names = execFileSync("git", args, { cwd: repositoryRoot, encoding: "utf8" }).split("\0");
    const hash = createHash("sha256");
    for (const name of names.sort().filter((one) => existsSync(join(repositoryRoot, one)))) {
      if (name !== "" && isPart(name))
        hash.update(JSON.stringify([name, contentHashNow(join(repositoryRoot, name))]));
    }
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

/** The hash of what is in a folder of rules: those of our own are no part of what the linter looks at. */
function folderHash(folder: string): string {
  const hash = createHash("sha256");
  for (const file of globSync(`${folder}/**/*`, { cwd: repositoryRoot }).sort())
    if (statSync(join(repositoryRoot, file)).isFile())
      hash.update(contentHashNow(join(repositoryRoot, file)));
  return hash.digest("hex").slice(0, 12);
}

/** Whole jobs in a browser. */
async function runWholeJobs(files = everyDay(E2E)): Promise<TestCounts> {
  process.env[PACKAGED] = await packageExtension();
  return oneByOne(files, true);
}

/** One file after another, which parts of a run share: the largest first, so that none is long alone at the end. */
async function oneByOne(files: readonly string[], waits: boolean): Promise<TestCounts> {
  const done: TestCounts[] = [];
  for (const file of bySize(files)) {
    if (!takeFile(file)) continue;
    const counts = await unlessItPassed(file, file, () => underNode([file], { saying: "shown", waits }));
    done.push({ ...counts, failures: counts.failures.map((told) => failureIn(file, told)) });
  }
  return sumOf(done);
}

/** These read every file of the repository, those of other tests, too. */
const READERS_OF_ALL = "test/unit/**";

/** These run in plain Node, and most read of the sources what they import. */
const WITHOUT_WINDOWS = "test/{attacks,oracles,sandbox}/**";

/** What such a test reads only where it imports it. */
const READ_BY_IMPORT = [
  "src/**",
  "test/{rig,editor,e2e}/**",
  "test/*.ts",
  "{bench,eslint,l10n,media,.github,.vscode}/**",
  "*.{md,mjs}",
];

/** What begins threads of its own, which no import leads to. */
const THREADS = "src/core/*Worker.ts";

/** What a module says that reads sources, or the extension that they are built into, without an import. */
const READS_SOURCES =
  /\bsrc\/(?:editor|pages)\b|\brepositoryRoot\}\/src\b|\bpackagedExtension\b|\b(?:media|l10n)\//;

/**
 * Runs what `npm run test:long` runs whole, which lasts hours and may be ended on the way: what passed on the very same files
 * is not run again, and counts as it did. With a seed that was asked for it is. No test's file is read by another test but by
 * those of the house, so that one that changed is alone to run again; and a change of the sources, or of the rig, leaves what a
 * test found out that imports nothing of it.
 *
 * @param own the test's files, as a pattern from the repository's root
 */
async function unlessItPassed(
  what: string,
  own: string,
  run: () => Promise<TestCounts>,
): Promise<TestCounts> {
  const isKept = isWholeProof() && isPartOfRun() && (process.env[SEED] ?? "") === "";
  const readsAll = matchesGlob(what, READERS_OF_ALL);
  const reached = isKept && matchesGlob(what, WITHOUT_WINDOWS) ? await filesReachedBy(what) : undefined;
  const isPart = (file: string) => {
    if (file.endsWith(".test.ts")) return readsAll || matchesGlob(file, own);
    if (reached === undefined || reached.has(file)) return true;
    return !READ_BY_IMPORT.some((pattern) => matchesGlob(file, pattern));
  };
  const files = isKept ? repositoryHash(isPart) : undefined;
  if (files === undefined) return run();
  const key = ["whole", what, files] as const;
  const before = keptResult(key);
  if (before !== undefined) {
    console.log(`✔ ${what}, of files that have not changed since it passed`);
    return JSON.parse(before) as TestCounts;
  }
  const counts = await run();
  if (counts.failed === 0 && repositoryHash(isPart) === files) keepResult(key, JSON.stringify(counts));
  return counts;
}

/** The files that a test's file imports, and those import; `undefined` where one reads sources in another way. */
async function filesReachedBy(testFile: string): Promise<ReadonlySet<string> | undefined> {
  // Only a long run needs it.
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [testFile, ...globSync(THREADS, { cwd: repositoryRoot })],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outdir: ".",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const files = Object.keys(metafile.inputs);
  const readsSources = files.some(
    (file) =>
      file.startsWith("test/") && READS_SOURCES.test(readFileSync(join(repositoryRoot, file), "utf8")),
  );
  return readsSources ? undefined : new Set(files);
}

/** A kind whose files run in the extension host of one window. */
function hostTests(
  name: string,
  files: string,
  run: (chosen?: readonly string[]) => Promise<TestCounts>,
): TestKind {
  return {
    name,
    files,
    run: async (chosen) => {
      const counts = await unlessItPassed(name, files, () => run(chosen));
      return { ...counts, failures: failuresInSuites(chosen ?? everyDay(files), counts.failures) };
    },
  };
}

/** A kind whose files run under Node's own test runner, each in a process of its own. */
function nodeTests(name: string, files: string, concurrency: number): TestKind {
  return {
    name,
    files,
    run: (chosen = everyDay(files)) =>
      isWholeProof()
        ? oneByOne(chosen, false)
        : underNode([`--test-concurrency=${concurrency}`, ...chosen], { saying: "shown" }),
  };
}

/**
 * So many processes share the short files of a kind: more than there are processors on most machines, so that the last is not
 * long alone.
 */
const PROCESSES = 3;

/**
 * In one process, which compiles and collects garbage on few threads and seldom, from the start: the processors have enough
 * to do.
 */
const TOGETHER = [
  "--v8-pool-size=1",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--initial-heap-size=700",
  "--test-isolation=none",
  // What a failed test left open would keep the process, and with it the whole run, alive.
  "--test-force-exit",
];

/**
 * What the files hold whose tests let their thread stand still or wait as long as presses belong together, and those that load the
 * large tools that read sources.
 */
const BESIDE = [
  /\bstandStill\(|\/toldPresses\.ts"/,
  /from "(?:typescript|eslint|typescript-eslint|dependency-cruiser)"/,
];

/**
 * A kind of short files, which share few processes: reading the sources again for every file would take more than half of
 * the time. A file passes alone as well, and one that needs a process to itself starts it. What waits for most of its time,
 * and what loads the large tools that read sources, have one each beside them.
 */
function togetherTests(name: string, files: string): TestKind {
  return {
    name,
    files,
    async run(chosen = everyDay(files)) {
      if (isWholeProof()) return oneByOne(chosen, false);
      const texts = new Map(chosen.map((file) => [file, readFileSync(join(repositoryRoot, file), "utf8")]));
      const beside = Map.groupBy(chosen, (file) =>
        BESIDE.find((pattern) => pattern.test(texts.get(file) ?? "")),
      );
      const others = beside.get(undefined) ?? [];
      const runs = [...BESIDE.map((pattern) => beside.get(pattern) ?? []), ...shares(others, PROCESSES)]
        .filter((share) => share.length > 0)
        .map((share, at) => underNode([...TOGETHER, ...share], { saying: at === 0 ? "shown" : "kept" }));
      const done = await Promise.all(runs);
      for (const { kept } of done) process.stdout.write(kept);
      return sumOf(done);
    },
  };
}

/** What Node's test runner came to, and what it said where that was not shown at once. */
interface NodeRun extends TestCounts {
  readonly kept: string;
}

async function underNode(
  args: readonly string[],
  how: { readonly saying: "shown" | "kept"; readonly waits?: boolean },
): Promise<NodeRun> {
  const {
    code,
    output,
    errors: tap,
  } = await execute(
    process.execPath,
    [
      ...(process.env[ORDER] === "reverse" ? ["--import", `${repositoryRoot}/test/rig/reversed.ts`] : []),
      "--test",
      ...(isWholeProof() ? [] : [`--test-timeout=${MAX_FILE_MS}`]),
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      "--test-reporter=tap",
      "--test-reporter-destination=stderr",
      ...args,
    ],
    how,
  );
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(tap)?.[1] ?? 0);
  const skipped = [...tap.matchAll(/^ *ok \d+ - (.*) # SKIP ?(.*)$/gm)].map(
    ([, test, why]) => `${test ?? ""}: ${why ?? ""}`,
  );
  const failed = count("fail") + count("cancelled");
  const failures = failuresIn(tap);
  // A process that ends before it counted tells of no test that failed.
  const isCut = code !== 0 && failed === 0;
  return {
    passed: count("pass"),
    failed: isCut ? 1 : failed,
    failures: isCut ? [`${args.join(" ")}\n${tap.slice(-2_000)}`] : failures,
    skipped,
    kept: how.saying === "kept" ? output : "",
  };
}

/** The counts of several runs as one. */
function sumOf(runs: readonly TestCounts[]): TestCounts {
  const sum = (what: "passed" | "failed") => runs.reduce((one, run) => one + run[what], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    failures: runs.flatMap(({ failures }) => failures),
    skipped: runs.flatMap(({ skipped }) => skipped),
  };
}

/** Lists of files of about the same size, for as many that run at the same time: dealt out to and fro, the largest first. */
function shares(files: readonly string[], count: number): readonly (readonly string[])[] {
  const shareOf = (at: number) => Math.min(at % (2 * count), 2 * count - 1 - (at % (2 * count)));
  const sorted = bySize(files);
  return Array.from({ length: count }, (_, share) => sorted.filter((_file, at) => shareOf(at) === share));
}

/** The files of `npm test` of a kind that two processes share, each a half. */
export function halvesOf(kind: string): readonly (readonly string[])[] {
  const files = TEST_KINDS.find(({ name }) => name === kind)?.files ?? "";
  return shares(everyDay(files), 2);
}

/** Files from the largest to the smallest. */
function bySize(files: readonly string[]): string[] {
  const sized = files.map((file) => ({ file, size: statSync(join(repositoryRoot, file)).size }));
  return sized.sort((a, b) => b.size - a.size).map(({ file }) => file);
}

/** The tests that failed by what Node's runner says in the Test Anything Protocol. */
function failuresIn(tap: string): string[] {
  return [...tap.matchAll(/^( *)not ok \d+ - (.*)\n\1 {2}---\n([^]*?)\n\1 {2}\.\.\./gm)].flatMap(
    ([, indent = "", name = "", told = ""]) => {
      // A suite fails with what is in it.
      if (told.includes("failureType: 'subtestsFailed'")) return [];
      const [, block, line = ""] =
        /^ *error: (?:\|-\n((?: {2}.*\n|\n)*)|(.*))/m.exec(
          told.replaceAll(new RegExp(`^${indent}  `, "gm"), ""),
        ) ?? [];
      const said = (block?.replaceAll(/^ {2}/gm, "") ?? line).trim();
      // Of a file whose process ended in the middle nothing else is told.
      const [, signal, exitCode] = /^ *(?:signal: '(\w+)'|exitCode: (\d+))$/m.exec(told) ?? [];
      const end = signal ?? (exitCode === undefined ? undefined : `exit code ${exitCode}`);
      return [`${name}\n${said}${end === undefined ? "" : `: its process ended with ${end}`}`];
    },
  );
}

/**
 * What keeps a processor busy gets half the share of windows, which wait for most of their time: so all of a run ends at about
 * the same time, and none is left to wait alone.
 */
const BEHIND_WINDOWS = 3;

/**
 * Runs a program. Answers both streams as they came, and each by itself.
 *
 * @param options.waits whether it waits for most of its time
 */
async function execute(
  command: string,
  args: readonly string[],
  { saying = "kept", waits = false }: { readonly saying?: "shown" | "kept"; readonly waits?: boolean } = {},
): Promise<Execution> {
  const child = spawn(command, args, { cwd: repositoryRoot, stdio: ["ignore", "pipe", "pipe"] });
  if (isPartOfRun() && !waits && child.pid !== undefined && getPriority() < BEHIND_WINDOWS)
    setPriority(child.pid, BEHIND_WINDOWS);
  let [both, output, errors] = ["", "", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    both += text;
    output += text;
    if (saying === "shown") process.stdout.write(text);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    both += text;
    errors += text;
  });
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? 1)));
  return { code, both, output, errors };
}

interface Execution {
  readonly code: number;
  readonly both: string;
  readonly output: string;
  readonly errors: string;
}
