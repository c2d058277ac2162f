import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readAs } from "../../../src/core/json/shape.ts";
import type { NetworkChoice } from "../../../src/editor/ledger/networkChoice.ts";
import {
  addressesInUse,
  replacedAddresses,
  switchedTo,
  type AddressName,
  type Addresses,
  type Level,
} from "../../../src/editor/ledger/networkAddresses.ts";
import { proofSize } from "../../rig/proofSize.ts";

const LEVELS = ["user", "workspace"] as const;
const BY_DEFAULT = { ledgerUrl: "https://default.example", verificationUrl: "https://default.example/v" };

function network(id: string, hasService: boolean, isOfWorkspace: boolean): NetworkChoice {
  const ledgerUrl = `https://${id}.example`;
  return { id, name: id, ledgerUrl, isOfWorkspace, ...(hasService && { verificationUrl: `${ledgerUrl}/v` }) };
}

const NETWORKS = [
  network("public", false, false),
  network("n", true, false),
  network("m", true, false),
  network("bare", false, true),
  network("team", true, true),
];
const SERVICE_OF_N = "https://n.example/v";

/** Where a choice is made: in a window without the folder, or in one with it. */
const WINDOWS = ["elsewhere", "trusted", "untrusted"] as const;
type Window = (typeof WINDOWS)[number];

/** What a person does: chooses a network in a window, or sets a service of their own for all windows. */
type Step = { readonly window: Window; readonly choice: NetworkChoice } | { readonly sets: string };

const STEPS: readonly Step[] = [
  ...WINDOWS.flatMap((window) =>
    NETWORKS.filter(({ isOfWorkspace }) => window === "trusted" || !isOfWorkspace).map((choice) => ({
      window,
      choice,
    })),
  ),
  { sets: "https://new.example/v" },
];

/** What stands on the disk, and what the editor keeps. */
interface State {
  readonly addresses: Addresses;
  readonly kept: Readonly<Record<Level, string>>;
}

type Own = Readonly<Record<Level, string | undefined>>;

/** Settings before any network was chosen. */
const STARTS: readonly Addresses[] = [undefined, "https://mine.example/v", SERVICE_OF_N].flatMap((mine) =>
  [undefined, "https://mine.example"].flatMap((myLedger) =>
    [undefined, "https://folder.example/v", SERVICE_OF_N].flatMap((folders) =>
      [undefined, "https://folder.example"].map((ledgerUrl) => ({
        user: { ledgerUrl: myLedger, verificationUrl: mine },
        workspace: { ledgerUrl, verificationUrl: folders },
      })),
    ),
  ),
);

/** What a window is in: without the folder there are no settings of a workspace. */
function seenFrom(window: Window, { addresses, kept }: State): State {
  return window === "elsewhere"
    ? { addresses: { ...addresses, workspace: {} }, kept: { ...kept, workspace: "{}" } }
    : { addresses, kept };
}

/** The settings and what is kept, as it is over a reload, once a network was chosen. */
function chosen(window: Window, choice: NetworkChoice, state: State): State {
  const { addresses, kept } = seenFrom(window, state);
  const read = (level: Level) => readAs(replacedAddresses, JSON.parse(kept[level])) ?? {};
  const replaced = { user: read("user"), workspace: read("workspace") };
  const after = switchedTo(choice, { addresses, replaced }, BY_DEFAULT, window !== "untrusted");
  const { user, workspace } = after.replaced;
  return window === "elsewhere"
    ? {
        addresses: { ...state.addresses, user: after.addresses.user },
        kept: { ...state.kept, user: JSON.stringify(user) },
      }
    : {
        addresses: after.addresses,
        kept: { user: JSON.stringify(user), workspace: JSON.stringify(workspace) },
      };
}

function inUse(window: Window, state: State): Readonly<Record<AddressName, string>> {
  return addressesInUse(seenFrom(window, state).addresses, BY_DEFAULT, window === "trusted");
}

/** The rule: the chosen ledger, with its service, else with the one that was set by a person, for the folder before all. */
function expected(window: Window, { ledgerUrl, verificationUrl }: NetworkChoice, own: Own) {
  const persons = (window === "trusted" ? own.workspace : undefined) ?? own.user;
  return { ledgerUrl, verificationUrl: verificationUrl ?? persons ?? BY_DEFAULT.verificationUrl };
}

function words(steps: readonly Step[]): string {
  return steps.map((step) => ("sets" in step ? step.sets : `${step.choice.id} ${step.window}`)).join(", ");
}

function checkChoice(window: Window, choice: NetworkChoice, before: State, after: State, own: Own): void {
  assert.deepEqual(inUse(window, after), expected(window, choice, own));
  if (choice.isOfWorkspace) assert.deepEqual(after.addresses.user, before.addresses.user);
  if (window !== "trusted") assert.deepEqual(after.addresses.workspace, before.addresses.workspace);
  const hasBoth = (level: Level) =>
    after.addresses[level].ledgerUrl === choice.ledgerUrl &&
    (choice.verificationUrl === undefined ||
      after.addresses[level].verificationUrl === choice.verificationUrl);
  assert.ok(LEVELS.some(hasBoth), "both addresses are at one level");
}

/** In the other folders a service is the person's own, or that of the very network whose ledger is in use. */
function checkElsewhere(state: State, own: Own): void {
  const { ledgerUrl, verificationUrl } = inUse("elsewhere", state);
  const persons = own.user ?? BY_DEFAULT.verificationUrl;
  const ofLedger = NETWORKS.find((one) => one.ledgerUrl === ledgerUrl)?.verificationUrl;
  assert.equal(verificationUrl, ofLedger ?? persons);
}

/** Once every network is left, each level has its own service back, and nothing is kept for it. */
function checkLeft(state: State, own: Own): void {
  const publicOne = NETWORKS[0] ?? assert.fail();
  const left = chosen("trusted", publicOne, chosen("elsewhere", publicOne, state));
  for (const level of LEVELS) {
    assert.equal(left.addresses[level].verificationUrl, own[level], level);
    assert.ok(!left.kept[level].includes("verificationUrl"), level);
  }
}

describe("What is in use after any choice", () => {
  const length = proofSize({ sample: 3, whole: 4 });

  it("is the chosen ledger with its own service, or with that of the person", () => {
    let count = 0;
    const walk = (state: State, own: Own, taken: readonly Step[]): void => {
      if (taken.length === length) return;
      for (const step of STEPS) {
        const steps = [...taken, step];
        try {
          if ("sets" in step) {
            const user = { ...state.addresses.user, verificationUrl: step.sets };
            const next = { ...state, addresses: { ...state.addresses, user } };
            walk(next, { ...own, user: step.sets }, steps);
            continue;
          }
          const next = chosen(step.window, step.choice, state);
          checkChoice(step.window, step.choice, state, next, own);
          if (!steps.some((one) => "sets" in one)) checkElsewhere(next, own);
          checkLeft(next, own);
          count++;
          walk(next, own, steps);
        } catch (error) {
          if (!(error instanceof assert.AssertionError)) throw error;
          const { message } = error;
          throw new Error(`From ${JSON.stringify(STARTS[at])} by ${words(steps)}: ${message}`, {
            cause: error,
          });
        }
      }
    };
    let at = 0;
    for (const start of STARTS) {
      const own = { user: start.user.verificationUrl, workspace: start.workspace.verificationUrl };
      walk({ addresses: start, kept: { user: "{}", workspace: "{}" } }, own, []);
      at++;
    }
    console.log(`${count} choices`);
  });
});
