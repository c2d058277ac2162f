// `npm test`, or `npm test -- unit` and so on: runs every kind of test, goes on after a kind that failed, and
// ends with the counts. What is skipped is named.
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { runEditorTests } from "./editorRun.ts";
import { PACKAGED, packageExtension } from "./rig/packagedExtension.ts";
import { repositoryRoot } from "./rig/paths.ts";

/** What a kind came to. */
interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly string[];
}

const KINDS: Readonly<Record<string, () => Promise<Counts>>> = {
  check: runChecks,
  unit: () => runNodeTests("test/unit/**/*.test.ts", 2),
  oracles: () => runNodeTests("test/oracles/**/*.test.ts", 2),
  mismatches: () => runNodeTests("test/sandbox/mismatches/*.test.ts", 2),
  editor: runEditorTests,
  e2e: async () => {
    process.env[PACKAGED] = await packageExtension();
    return runNodeTests("test/e2e/**/*.test.ts", 1);
  },
};

const asked = process.argv.slice(2);
const unknown = asked.find((kind) => !(kind in KINDS));
if (unknown) {
  console.error(`There is no kind of test named ${unknown}. There are ${Object.keys(KINDS).join(", ")}.`);
  process.exit(1);
}

let passed = 0;
let failed = 0;
let skipped = 0;
const summary: string[] = [];
for (const [kind, run] of Object.entries(KINDS)) {
  if (asked.length > 0 && !asked.includes(kind)) continue;
  console.log(`\n── ${kind}`);
  const started = performance.now();
  const counts = await run().catch((error: unknown) => {
    console.error(error);
    return { passed: 0, failed: 1, skipped: [] };
  });
  const isEmpty = counts.passed + counts.failed === 0;
  if (isEmpty) console.error(`No ${kind} test ran, which counts as a failure.`);
  passed += counts.passed;
  failed += counts.failed + (isEmpty ? 1 : 0);
  skipped += counts.skipped.length;
  const seconds = Math.round((performance.now() - started) / 1000);
  summary.push(
    `${kind}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped.length} skipped (${seconds} s)`,
  );
  for (const name of counts.skipped) summary.push(`  skipped: ${name}`);
}
console.log(`\n${summary.join("\n")}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 ? 1 : 0);

/** Format, typed lint and types. */
async function runChecks(): Promise<Counts> {
  const bin = (name: string) => `${repositoryRoot}/node_modules/.bin/${name}`;
  const checks: readonly (readonly [string, readonly string[]])[] = [
    ["prettier", ["--check", "--log-level", "warn", "."]],
    ["eslint", ["--max-warnings", "0", "."]],
    ["tsc", []],
  ];
  let failures = 0;
  for (const [name, args] of checks) {
    const { code, output } = await execute(bin(name), args);
    console.log(code === 0 ? `✔ ${name}` : `✖ ${name}\n${output}`);
    if (code !== 0) failures++;
  }
  return { passed: checks.length - failures, failed: failures, skipped: [] };
}

/** Runs files under Node's own test runner and reads its counts. */
async function runNodeTests(pattern: string, concurrency: number): Promise<Counts> {
  const files = globSync(pattern, { cwd: repositoryRoot }).sort();
  const { output } = await execute(process.execPath, [
    "--test",
    `--test-concurrency=${concurrency}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=tap",
    "--test-reporter-destination=stderr",
    ...files,
  ]);
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(output)?.[1] ?? 0);
  const skippedNames = [...output.matchAll(/^ *ok \d+ - (.*) # SKIP ?(.*)$/gm)].map(
    ([, name, why]) => `${name ?? ""}: ${why ?? ""}`,
  );
  return { passed: count("pass"), failed: count("fail") + count("cancelled"), skipped: skippedNames };
}

/** Runs a program; what it says on stdout is shown, both streams are answered. */
async function execute(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { cwd: repositoryRoot, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (command === process.execPath) process.stdout.write(text);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? 1)));
  return { code, output };
}
