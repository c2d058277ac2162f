import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OfficialBuild } from "../../../src/core/compilers/officialBuilds.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { ListedCompiler } from "../../sandbox/compilerList.ts";

/** A folder of a test, with what is to be ended when the test is over. */
export class TestFolder {
  readonly #stops: (() => unknown)[] = [];
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<TestFolder> {
    return new TestFolder(await mkdtemp(join(tmpdir(), "compilers-")));
  }

  /** The last that was made ends first. */
  onEnd(stop: () => unknown): void {
    this.#stops.push(stop);
  }

  async remove(): Promise<void> {
    for (const stop of this.#stops.reverse()) await stop();
    await rm(this.path, { recursive: true, force: true });
  }
}

/** The release that a file is said to be of where only its bytes count. */
export const LONG_VERSION = "0.8.28+commit.7893614a";

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A release whose official file has these bytes. */
export function buildOf(bytes: Uint8Array, longVersion = LONG_VERSION): OfficialBuild {
  return { longVersion, sha256: [sha256Of(bytes)] };
}

/** A file of random bytes on a disk, to be served as a compiler. */
export async function randomCompiler(
  folder: string,
  bytes: number,
  longVersion = LONG_VERSION,
): Promise<ListedCompiler & { readonly content: Buffer }> {
  const content = randomBytes(bytes);
  const file = join(folder, `${longVersion}.served`);
  await writeFile(file, content);
  return { longVersion, file, bytes, sha256: sha256Of(content), content };
}

/** The failure of something that has to fail with one sentence. */
export async function failureOf(work: Promise<unknown>): Promise<LedgerLensError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof LedgerLensError) return error;
  throw new Error(`expected a sentence, got ${String(error)}`, { cause: error });
}
