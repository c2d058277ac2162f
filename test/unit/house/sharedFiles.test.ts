import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { repositoryRoot } from "../../rig/paths.ts";

const FILES = Array.from({ length: 40 }, (_, at) => `test/e2e/${at}.test.ts`);

/** A part of a run that takes what it can get of the files, one after another. */
const PART = `
import { takeFile } from ${JSON.stringify(join(repositoryRoot, "test/rig/sideBySide.ts"))};
const taken = [];
for (const file of ${JSON.stringify(FILES)}) {
  if (takeFile(file)) taken.push(file);
  await new Promise(setImmediate);
}
console.log(JSON.stringify(taken));
`;

describe("The files of a kind that the parts of a run share", () => {
  const folder = mkdtempSync(join(tmpdir(), "ledger-lens-shared-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("are each run by one part, whichever comes first", async () => {
    const parts = await Promise.all(
      ["first", "second", "shared"].map(async (name) => {
        const env = { ...process.env, LEDGER_LENS_TEST_REPORT: join(folder, `${name}.json`) };
        const args = ["--input-type=module", "--eval", PART];
        const { stdout } = await promisify(execFile)(process.execPath, args, { env });
        return JSON.parse(stdout) as string[];
      }),
    );
    assert.deepEqual(parts.flat().sort(), [...FILES].sort());
  });
});
