import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkInputInPieces } from "../src/core/compilerInput/inputChecks.ts";
import { JobAttachments } from "../src/core/verification/jobAttachments.ts";
import { SubmissionReview } from "../src/core/verification/reviewedSubmission.ts";
import { inTurns } from "../src/core/turns.ts";
import { JobFiles } from "../src/editor/jobFiles.ts";
import { longestBlock } from "../test/rig/longestBlock.ts";
import { largeInput } from "../test/unit/verification/largeInput.ts";

const DEPLOYMENT = { chainId: "1", address: "0x5FbDB2315678afecb367f032d93F642f64180aa3" };

/** How long large work blocks the event loop of the editor's extension host at most. */
export async function benchLoad(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "ledger-lens-bench-"));
  for (const files of [1, 250, 5000]) {
    const input = largeInput({ files, megabytes: 25 });
    const name = `25 MB in ${files.toLocaleString("en-US")} ${files === 1 ? "file" : "files"}`;
    await print(`${name}: checks and secrets`, () => inTurns(checkInputInPieces(input)));
    await print(`${name}: review and request`, () =>
      inTurns(SubmissionReview.inPieces("https://service.example", DEPLOYMENT, input)),
    );
    const attachments = new JobAttachments(new JobFiles({ fsPath: folder }));
    await print(`${name}: kept beside the job`, () =>
      attachments.write("1", "input", input.stdJsonInput, () => []),
    );
  }
  await rm(folder, { recursive: true, force: true });
}

async function print(name: string, work: () => Promise<unknown>): Promise<void> {
  const { blockMs, turns } = await longestBlock(work);
  console.log(`${name}: longest block ${blockMs.toFixed(1)} ms, ${turns.toLocaleString("en-US")} turns`);
}
