import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { baseAddress } from "../../core/http/joinedAddress.ts";
import { keysInAddress, shownAddress } from "../../core/http/shownAddress.ts";
import { readAs } from "../../core/json/shape.ts";
import { shown, type ShownText } from "../../core/text/shownText.ts";
import { storedValue } from "../storedValue.ts";
import type { NetworkChoice } from "./networkChoice.ts";
import {
  ADDRESS_NAMES,
  addressesInUse,
  replacedAddresses,
  switchedTo,
  whileWritten,
  type AddressName,
  type Addresses,
  type Level,
  type ReplacedOfLevels,
} from "./networkSwitch.ts";

const LEVELS: Readonly<Record<Level, vscode.ConfigurationTarget>> = {
  workspace: vscode.ConfigurationTarget.Workspace,
  user: vscode.ConfigurationTarget.Global,
};

/** So often a network is written anew where settings change meanwhile; some can't be changed from here. */
const MAX_ROUNDS = 3;

/** A setting that was written. */
interface Written {
  readonly level: Level;
  readonly name: AddressName;
  readonly before: string | undefined;
  readonly put: string | undefined;
}

/** Switches to a network by changing the settings. What a network replaced in them is remembered, over windows, and put back. */
export class NetworkSwitch {
  readonly #kept: Readonly<Record<Level, ReturnType<typeof storedValue>>>;
  /** One switch after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param user of all windows
   * @param workspace of the open workspace
   */
  constructor(user: vscode.Memento, workspace: vscode.Memento) {
    this.#kept = {
      user: storedValue(user, "replacedByNetwork.user"),
      workspace: storedValue(workspace, "replacedByNetwork.workspace"),
    };
  }

  /** The addresses that would be in use after a choice. */
  comesTo(choice: NetworkChoice): Readonly<Record<AddressName, string>> {
    return addressesInUse(this.#after(choice).addresses, defaultAddresses(), vscode.workspace.isTrusted);
  }

  /** Whether a choice changes where contracts are verified. */
  changesService(choice: NetworkChoice): boolean {
    const inUse = addressesInUse(setAddresses(), defaultAddresses(), vscode.workspace.isTrusted);
    return baseAddress(this.comesTo(choice).verificationUrl) !== baseAddress(inUse.verificationUrl);
  }

  /** Where a choice leads, as it is shown before it is made: without what may be a key. */
  places(choice: NetworkChoice): ShownText {
    const { ledgerUrl, verificationUrl } = this.comesTo(choice);
    return this.changesService(choice)
      ? shown`${shownAddress(ledgerUrl)} · verification service: ${shownAddress(verificationUrl)}`
      : shown`${shownAddress(ledgerUrl)}`;
  }

  /** @throws LedgerLensError `key_in_address` where a key would be written into the workspace */
  use(choice: NetworkChoice): Promise<void> {
    const done = this.#last.then(() => this.#write(choice));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /**
   * Writes all of it, or puts back what was written before a setting could not be. What a person or another window changed
   * meanwhile is what the network replaces then.
   */
  async #write(choice: NetworkChoice): Promise<void> {
    const before = this.#replaced();
    const written: Written[] = [];
    try {
      let replaced = before;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const after = await this.#writeOnce(choice, replaced, written);
        if (after === "written") return;
        const stored = this.#replaced();
        // Another window may have put what it replaced in the place of this.
        replaced = {
          user: whileWritten(after.user, stored.user),
          workspace: whileWritten(after.workspace, stored.workspace),
        };
      }
    } catch (error) {
      // What was replaced is remembered as long as some of it is still to be put back, or is another window's.
      if (await putBack(written)) await this.#keep(before);
      throw error;
    }
  }

  /**
   * @param before what networks replaced until now
   * @param written gets what is written
   * @returns what is to be remembered where something changed meanwhile, so that it is to be written anew
   */
  async #writeOnce(
    choice: NetworkChoice,
    before: ReplacedOfLevels,
    written: Written[],
  ): Promise<ReplacedOfLevels | "written"> {
    const now = setAddresses();
    const { addresses, replaced } = this.#after(choice, before);
    const changed = (["user", "workspace"] as const).flatMap((level) =>
      ADDRESS_NAMES.filter((name) => addresses[level][name] !== now[level][name]).map((name) => ({
        level,
        name,
      })),
    );
    for (const { level, name } of changed) {
      const loan = level === "workspace" ? replaced.workspace[name] : undefined;
      // What stands in the workspace's own list is there already, and so was what comes back.
      if (!loan || (choice.isOfWorkspace && choice[name] !== undefined)) continue;
      const overruling = loan.before === undefined ? otherOf(name) : name;
      checkNoKeyForOthers(addresses.workspace[name], choice[name] === undefined ? "own" : overruling);
    }
    const both = {
      user: whileWritten(before.user, replaced.user),
      workspace: whileWritten(before.workspace, replaced.workspace),
    };
    await this.#keep(both);
    for (const name of ADDRESS_NAMES)
      for (const { level } of changed.filter((one) => one.name === name)) {
        if (setAddresses()[level][name] !== now[level][name]) return both;
        const [before, put] = [now[level][name], addresses[level][name]];
        written.push({ level, name, before, put });
        await configuration().update(name, put, LEVELS[level]);
      }
    const found = setAddresses();
    const isWhole = changed.every(({ level, name }) => found[level][name] === addresses[level][name]);
    if (!isWhole) return both;
    await this.#keep(replaced);
    return "written";
  }

  async #keep(replaced: ReplacedOfLevels): Promise<void> {
    for (const level of ["user", "workspace"] as const) await this.#kept[level].set(replaced[level]);
  }

  #after(choice: NetworkChoice, replaced: ReplacedOfLevels = this.#replaced()) {
    return switchedTo(
      choice,
      { addresses: setAddresses(), replaced },
      defaultAddresses(),
      vscode.workspace.isTrusted,
    );
  }

  #replaced(): ReplacedOfLevels {
    const at = (level: Level) => readAs(replacedAddresses, this.#kept[level].get()) ?? {};
    return { user: at("user"), workspace: at("workspace") };
  }
}

/**
 * Puts back what was written, the last one first, but what was changed meanwhile.
 *
 * @returns whether all is as it was before
 */
async function putBack(written: readonly Written[]): Promise<boolean> {
  let isUndone = true;
  for (const { level, name, before, put } of written.toReversed()) {
    const found = setAddresses()[level][name];
    if (found === before) continue;
    try {
      if (found === put) await configuration().update(name, before, LEVELS[level]);
      else isUndone = false;
    } catch {
      // The others are written back all the same.
      isUndone = false;
    }
  }
  return isUndone;
}

/** The setting of the other address of a network. */
function otherOf(name: AddressName): AddressName {
  return name === "ledgerUrl" ? "verificationUrl" : "ledgerUrl";
}

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("ledgerLens");
}

function setAddresses(): Addresses {
  const at = (name: AddressName) => configuration().inspect<string>(name);
  const [ledger, service] = [at("ledgerUrl"), at("verificationUrl")];
  return {
    user: { ledgerUrl: ledger?.globalValue, verificationUrl: service?.globalValue },
    workspace: { ledgerUrl: ledger?.workspaceValue, verificationUrl: service?.workspaceValue },
  };
}

function defaultAddresses(): Readonly<Record<AddressName, string>> {
  const of = (name: AddressName) => configuration().inspect<string>(name)?.defaultValue ?? "";
  return { ledgerUrl: of("ledgerUrl"), verificationUrl: of("verificationUrl") };
}

/**
 * The settings of a workspace lie in its folder, from where others get them.
 *
 * @param reason the setting for whose sake the address would be written there; `own` for the person's own service, beside
 * which the network is used
 */
function checkNoKeyForOthers(address: string | undefined, reason: AddressName | "own"): void {
  if (typeof address !== "string" || keysInAddress(address).length === 0) return;
  throw reason === "own"
    ? new LedgerLensError(
        "key_in_address",
        t`The network was not chosen: your own verification service would be written into this workspace's settings, which others may read, and its address may hold a key. Choose a public network in a window without this folder first.`,
      )
    : new LedgerLensError(
        "key_in_address",
        t`The network was not chosen: its address may hold a key, and this workspace's settings, which others may read, say where to ask. Remove ledgerLens.${reason} from them first.`,
        { remedy: { setting: `ledgerLens.${reason}` } },
      );
}
