// Makes the example of a mismatch that ships, media/walkthrough/mismatch.json: npm run example
import { writeFile } from "node:fs/promises";
import { EXAMPLE_FILE } from "../src/core/jobs/page/examplePage.ts";
import { repositoryRoot } from "./rig/paths.ts";
import { exampleMismatch } from "./sandbox/exampleMismatch.ts";

await writeFile(
  [repositoryRoot, ...EXAMPLE_FILE].join("/"),
  `${JSON.stringify(await exampleMismatch(), null, 2)}\n`,
);
