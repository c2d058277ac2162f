// A verification's page in a stand-in of the editor: what its buttons do when what it shows was found out anew meanwhile.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Uri, WebviewPanel } from "vscode";
import { localResultId, LocalResults, type LocalResult } from "../../../src/core/jobs/localResults.ts";
import type { VerificationPageNews } from "../../../src/core/jobs/page/pageModel.ts";
import type { Cause } from "../../../src/core/matching/explanation.ts";
import type { VerificationParts } from "../../../src/editor/verification/verificationParts.ts";
import { standInForEditor } from "../../rig/editorStandIn.ts";
import { eventually } from "../../rig/eventually.ts";
import { MemoryStorage } from "../jobs/memoryStorage.ts";

standInForEditor(`
  const nothing = () => ({ dispose() {} });
  export const editor = { run: [] };
  export const commands = { executeCommand: async (name, argument) => void editor.run.push([name, argument]) };
  export const workspace = { workspaceFolders: [], onDidChangeConfiguration: nothing, getConfiguration: () => ({ get: nothing }) };
  export const Uri = { joinPath: () => "", file: (path) => ({ scheme: "file", fsPath: path, path }) };
  export const window = {}, env = { language: "en" }, l10n = {}, ViewColumn = {};
  export const ProgressLocation = {}, QuickPickItemKind = {}, QuickInputButtons = {}, TreeItemCollapsibleState = {};
  export class EventEmitter { event = nothing; fire() {} dispose() {} }
  export class FileSystemError extends Error {}
  export class Disposable {}
  export class ThemeIcon {}
  export class ThemeColor {}
  export class TreeItem {}
  export class MarkdownString {}
`);
/** What the page had run, of which the stand-in keeps the list. */
const { editor: standIn } = (await import("vscode")) as unknown as { editor: { run: unknown[][] } };
const { VerificationPages } = await import("../../../src/editor/verification/verificationPages.ts");

/** A result of this machine with one cause, whose button changes the runs of the optimizer. */
function result(runs: number, at: number): LocalResult {
  const label = `Verify with ${runs} Runs`;
  const cause: Cause = {
    code: "optimizer_runs",
    confidence: 0.9,
    evidence: `The deployed code repeats what ${runs} runs would.`,
    action: {
      kind: "resubmit",
      label,
      localLabel: label,
      changes: { settings: { optimizer: { enabled: true, runs } } },
    },
  };
  return {
    path: "/w/contracts/Vault.sol",
    contractName: "Vault",
    chainId: "296",
    address: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    verdict: "mismatch",
    compilerVersion: "0.8.28+commit.7893614a",
    at,
    reason: "The code is another one.",
    causes: [cause],
  };
}

const OLD = result(200, Date.UTC(2026, 10, 22, 12));
const NEW = result(999, Date.UTC(2026, 10, 22, 13));

/** The page of what is kept of a contract, with what it was told and a hand that presses its buttons. */
function openPage(results: LocalResults) {
  const told: VerificationPageNews[] = [];
  let say: (request: unknown) => void = () => assert.fail("the page is not listened to yet");
  const nothing = () => ({ dispose: () => undefined });
  const panel = {
    title: "",
    visible: true,
    webview: {
      cspSource: "",
      asWebviewUri: () => "",
      onDidReceiveMessage: (listen: typeof say) => (say = listen),
      postMessage: (news: VerificationPageNews) => void told.push(news),
    },
    onDidDispose: nothing,
    onDidChangeViewState: nothing,
  };
  const parts = {
    jobs: { store: { load: () => Promise.resolve(), all: () => [], onChange: () => () => undefined } },
    localResults: results,
    deploymentStates: { isOutOfReach: () => false, isVerified: () => false },
    log: { debug: () => undefined, warn: (words: string) => assert.fail(words) },
  };
  const pages = new VerificationPages(parts as unknown as VerificationParts, {} as Uri, () => undefined);
  pages.restore(`local ${localResultId(OLD)}`, panel as unknown as WebviewPanel);
  say({ type: "ready" });
  /** The button that the page shows now, once it is the one that is named. */
  const shown = (label: string) =>
    eventually(() => {
      const page = told.findLast((news) => news.type === "page")?.page;
      const buttons = page ? [page.lead, ...page.causes.map(({ button }) => button)] : [];
      return buttons.find((button) => button?.label === label) ?? assert.fail(`${label} is not shown`);
    });
  return { shown, press: (id: string) => say({ type: "press", id }) };
}

describe("A button of a cause does what it says", () => {
  it("also where the contract was compared anew and the page does not show that yet", async () => {
    let kept: readonly LocalResult[] = [];
    const results = new LocalResults(
      { get: () => kept, set: (value) => void (kept = value) },
      new MemoryStorage(),
    );
    await results.add(OLD);
    const { shown, press } = openPage(results);
    const before = await shown("Verify with 200 Runs");

    const added = results.add(NEW);
    press(before.id);
    assert.deepEqual(standIn.run, [pressed(OLD)], "what the page shows");
    await added;

    press((await shown("Verify with 999 Runs")).id);
    assert.deepEqual(standIn.run, [pressed(OLD), pressed(NEW)]);
  });
});

/** What a press on the one cause of a result runs. */
function pressed(localResult: LocalResult) {
  const action = localResult.causes?.[0]?.action;
  return ["ledgerLens.takeCauseAction", { row: { localResult, action } }];
}
