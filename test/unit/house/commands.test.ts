import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { standInForEditor } from "../../rig/editorStandIn.ts";
import { repositoryRoot } from "../../rig/paths.ts";

/** Declarations are read outside of the editor, whose module nothing of them needs before a command runs. */
standInForEditor("export {}");

const { VERIFICATION_COMMANDS } = await import("../../../src/editor/verification/verificationCommands.ts");
const { LEDGER_COMMANDS } = await import("../../../src/editor/ledger/ledgerCommands.ts");
const { STATUS_COMMANDS } = await import("../../../src/editor/status/statusCommands.ts");
const { commandTitles, walkthroughSteps } = await import("../../../src/editor/ui/commands.ts");

const manifest: unknown = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
const titles = commandTitles(manifest);
const declared = [VERIFICATION_COMMANDS, LEDGER_COMMANDS, STATUS_COMMANDS].flatMap((commands) =>
  Object.entries<{ readonly titleOf?: string; readonly failsWith?: string }>(commands),
);

describe("A command", () => {
  it("is declared by one subject, and listed by the manifest unless it has the title of one that is", () => {
    const listed = declared.filter(([, { titleOf }]) => titleOf === undefined).map(([id]) => id);
    assert.deepEqual(listed.toSorted(), [...titles.keys()].toSorted());
    for (const [id, { titleOf = id }] of declared) assert.ok(titles.get(titleOf), `${id} has a title`);
    assert.equal(new Set(declared.map(([id]) => id)).size, declared.length);
  });

  it("that ends a step of the walkthrough is one that there is", () => {
    const steps = walkthroughSteps(manifest);
    assert.ok(steps.has("ledgerLens.verifyContract") && steps.size >= 8);
    const ids = declared.map(([id]) => id);
    assert.deepEqual(
      [...steps.keys()].filter((id) => !ids.includes(id)),
      [],
    );
  });

  it("ends its step of the walkthrough from a row, a lens, an offer and a link, too", () => {
    const steps = walkthroughSteps(manifest);
    const ways = declared.filter(
      ([, { titleOf = "" }]) =>
        titleOf === "ledgerLens.verifyContract" || titleOf === "ledgerLens.findInLedger",
    );
    assert.ok(ways.length >= 3);
    for (const [id] of ways) assert.ok(steps.has(id), id);
    const { contributes } = manifest as {
      readonly contributes: {
        readonly walkthroughs: readonly {
          readonly steps: readonly { readonly id: string; readonly completionEvents: readonly string[] }[];
        }[];
      };
    };
    const status = contributes.walkthroughs[0]?.steps.find(({ id }) => id === "status");
    assert.ok(status?.completionEvents.includes("onView:ledgerLens.status"));
    // What was done before the editor knew the walkthrough counts when it is opened.
    for (const { id, completionEvents } of contributes.walkthroughs.flatMap((one) => one.steps))
      assert.ok(
        completionEvents.includes(
          `onContext:ledgerLens.walkthrough.${id} && activeEditor == gettingStartedPage`,
        ),
        id,
      );
  });

  it("is told in CONTRIBUTING with the arguments that its description in the code has, and reads no others", () => {
    const guide = readFileSync(join(repositoryRoot, "CONTRIBUTING.md"), "utf8");
    const told = new Map(
      [...guide.matchAll(/^\| `(ledgerLens\.\w+)` +\| `(\{.*?\})`/gm)].map(([, id = "", args = ""]) => [
        id,
        args.replaceAll("\\|", "|"),
      ]),
    );
    const documented = new Map<string, string>();
    for (const file of globSync("src/editor/**/*.ts", { cwd: repositoryRoot })) {
      const source = readFileSync(join(repositoryRoot, file), "utf8");
      const own = [...source.matchAll(/\*\s`(ledgerLens\.\w+)` `(\{[^`]*\})`/g)].map(
        ([, id = "", args = ""]) => [id, args.replace(/\n \* /g, " ")] as const,
      );
      for (const [id, args] of own) documented.set(id, args);
      // What a command's file reads of its argument object.
      const read = [
        ...source.matchAll(/optional(?:Text|Number|TextOrNumber)\(args, "(\w+)"\)|args\["(\w+)"\]/g),
      ];
      for (const [, one, other = one] of own.length === 0 ? [] : read)
        assert.ok(
          own.some(([, args]) => new RegExp(`\\b${other ?? ""}\\b`).test(args)),
          `${file} reads ${other ?? ""}`,
        );
    }
    // It is told of with the agents, since a person answers what it asks.
    documented.delete("ledgerLens.submitAfterReview");
    assert.deepEqual(
      [...told].toSorted(([one], [other]) => (one < other ? -1 : 1)),
      [...documented].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
    assert.ok(told.size > 20);
  });

  it("of a row that has gone meanwhile says so", () => {
    const { contributes } = manifest as {
      readonly contributes: {
        readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
      };
    };
    const ids = new Set((contributes.menus["view/item/context"] ?? []).map(({ command }) => command));
    assert.ok(ids.has("ledgerLens.removeJob") && ids.has("ledgerLens.removeLedgerItem"));
    // Those work with all that a group or the view has, whether the row is there or not.
    const withoutRow = new Set([
      "ledgerLens.showStaticCalls",
      "ledgerLens.verifyAllDeployments",
      "ledgerLens.verifyAllLocally",
      "ledgerLens.findAllCommits",
    ]);
    const commands = { ...VERIFICATION_COMMANDS, ...LEDGER_COMMANDS, ...STATUS_COMMANDS } as Readonly<
      Record<string, { call(argument: unknown): { run(subject: unknown): unknown } }>
    >;
    for (const id of ids) {
      if (withoutRow.has(id)) continue;
      assert.throws(
        () => commands[id]?.call(undefined).run({ parts: {}, commands: {} }),
        { code: "not_found", message: "This entry is no longer in the list." },
        id,
      );
    }
  });

  it("says itself which service it fails with", () => {
    const ofVerification = declared
      .filter(([, { failsWith }]) => failsWith === "verification")
      .map(([id]) => id.replace("ledgerLens.", ""));
    assert.deepEqual(ofVerification.toSorted(), [
      "checkCauseAddress",
      "checkJob",
      "checkThisJob",
      "chooseAnotherChain",
      "chooseCauseContract",
      "compareRowWithWorkspace",
      "openJobLink",
      "openRowSource",
      "openThisSource",
      "openVerifiedSource",
      "publishLocalResult",
      "refreshVerification",
      "retryCause",
      "retryJob",
      "submitAfterReview",
      "takeCauseAction",
      "verifyAllDeployments",
      "verifyBySimilarity",
      "verifyCauseImplementation",
      "verifyContract",
      "verifyDeployment",
      "verifyRecorded",
      "verifyThis",
    ]);
  });
});
