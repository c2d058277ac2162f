import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify as toToml } from "smol-toml";
import { stringify as toYaml } from "yaml";
import { RULES } from "../../../src/core/languages/rules.ts";
import { misshapenSettings } from "../../../src/core/languages/settingsShape.ts";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { spreadSample } from "../../rig/spreadSample.ts";
import { random } from "../../unit/random.ts";
import { HOSTILE_FORMATS, INNOCENT, INNOCENT_VYPER, type HostileFormat } from "./hostileFormats.ts";
import { HOSTILE_FILES, HOSTILE_VALUES, RAW, type HostileFile } from "./hostileValues.ts";

/** One file of one project, and what it is instead of what it should be. */
export interface HostileCell {
  readonly format: HostileFormat;
  readonly what: string;
  readonly file: HostileFile;
}

/** Stands in a file elsewhere, and in no answer. */
export const SECRET = "SECRET-that-lies-elsewhere";

function written(format: HostileFormat, data: unknown): string {
  switch (format.notation) {
    case "json":
      return JSON.stringify(data, null, 2);
    case "toml":
      return toToml(data);
    case "yaml":
      return toYaml(data);
    case "script": {
      const text = JSON.stringify(data);
      const isModule = format.path.endsWith(".ts");
      const canary = 'require("fs").writeFileSync(process.env.CANARY || "pwned", "ran");\n';
      return isModule
        ? `import "../../unit/hostile/run";\nexport default ${text};\n`
        : `${canary}module.exports = ${text};\n`;
    }
    default:
      return String(data);
  }
}

/** The data with another value at the end of the names. */
function replaced(data: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(data))
    return data.map((item, at) => (String(at) === name ? replaced(item, rest, value) : (item as unknown)));
  const entries = new Map(Object.entries((data ?? {}) as Record<string, unknown>));
  entries.set(name, replaced(entries.get(name), rest, value));
  return Object.fromEntries(entries);
}

/** Every format in every way. */
export function hostileCells(): HostileCell[] {
  return HOSTILE_FORMATS.flatMap((format) => [
    ...HOSTILE_FILES.map((file) => ({ format, what: file.name, file })),
    ...(format.keys ?? []).flatMap((key) =>
      HOSTILE_VALUES.flatMap(([name, value, raw]): HostileCell[] => {
        let text: string;
        try {
          text = written(format, replaced(format.valid, key, value));
        } catch {
          // The notation has no such value.
          return [];
        }
        const content =
          raw === undefined ? text : text.replace(`"${RAW}"`, () => raw).replace(RAW, () => raw);
        const what = `${key.join(".")} is ${name}`;
        return [
          {
            format,
            what,
            file: { name: what, isUnreadable: false, put: (path) => writeFile(path, content) },
          },
        ];
      }),
    ),
  ]);
}

/** So many of all cells, at random by a seed that is printed, and of each format before there are two of one. */
export function sampleOfCells(name: string, size: number): HostileCell[] {
  const all = hostileCells();
  const { below } = random(name);
  const chosen = spreadSample(all, size, below, ({ format, file }) => [format, file]);
  console.log(`${name}: ${chosen.length} of ${all.length} cells (formats × values)`);
  return chosen;
}

/** Where a hostile project lies, and the file that its programs would write. */
export interface HostileProject {
  readonly root: string;
  readonly canary: string;
}

/** Writes a project without the file that is hostile. */
export async function writeProject(
  { files, path }: HostileFormat,
  root: string,
  canary: string,
): Promise<HostileProject> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content.replaceAll("CANARY", canary));
  }
  await mkdir(dirname(join(root, path)), { recursive: true });
  return { root, canary };
}

/** Puts the hostile file into its project. */
export function putHostileFile({ format, file }: HostileCell, root: string, outside: string): Promise<void> {
  return file.put(join(root, format.path), Buffer.from(written(format, format.valid)), outside);
}

/** An error for people: a stable code, and a sentence that is bounded and tells of no code of ours. */
export function requireSentence(error: { readonly code: string; readonly message: string }): void {
  assert.match(error.code, /^[a-z_]+$/);
  assert.notEqual(error.code, "internal", error.message);
  assert.ok(error.message.length > 10 && error.message.length < 2_000, `${error.message.length} characters`);
  assert.doesNotMatch(error.message, /\n|\bat .*\.ts:\d|undefined|\[object/, error.message);
}

/** The source of a contract that {@link HOSTILE_FORMATS} have. */
export function innocentSource(path: string): string {
  return path.includes(".vy") ? INNOCENT_VYPER : INNOCENT;
}

/** An input that a compiler takes, with nothing in it of what lies elsewhere. */
export function requireHarmless(input: StandardJsonInput, whole: unknown): void {
  assert.deepEqual(misshapenSettings(input.settings, RULES[input.language].settings), []);
  const text = JSON.stringify([input, whole]);
  assert.ok(!text.includes(SECRET), "what lies elsewhere would be sent");
  assert.ok(!text.includes("root:x:0"), "a file of the system would be sent");
}

const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype).join();

/** Nothing that every object has was changed, and no program of a project ran. */
export function requireNothingHappened({ canary }: HostileProject): void {
  assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), PROTOTYPE);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  assert.ok(!existsSync(canary) && !existsSync("pwned"), "a program of the workspace ran");
}
