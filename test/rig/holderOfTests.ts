import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A section below the explorer's, by which a test sees whether the sidebar still shows what it did. */
export const VIEW_OF_TESTS = "holderOfTests.view";

/** The editor runs tests only for an extension that is being developed: one that does nothing, so that ours is as installed. */
export async function holderOfTests(place: string): Promise<string> {
  const folder = join(place, "holder");
  await mkdir(folder);
  const manifest = {
    name: "holder-of-tests",
    publisher: "ledger-lens",
    version: "0.0.1",
    engines: { vscode: "^1.100.0" },
    contributes: { views: { explorer: [{ id: VIEW_OF_TESTS, name: "Holder of Tests" }] } },
    capabilities: { untrustedWorkspaces: { supported: true } },
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  return folder;
}
