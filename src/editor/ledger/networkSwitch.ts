import { isDeepStrictEqual } from "node:util";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { baseAddress } from "../../core/http/joinedAddress.ts";
import { keysInAddress, shownAddress } from "../../core/http/shownAddress.ts";
import { readAs } from "../../core/json/shape.ts";
import { shown, type ShownText } from "../../core/text/shownText.ts";
import { writtenAddress } from "../settings.ts";
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
} from "./networkAddresses.ts";

const LEVELS: Readonly<Record<Level, vscode.ConfigurationTarget>> = {
  workspace: vscode.ConfigurationTarget.Workspace,
  user: vscode.ConfigurationTarget.Global,
};

const LEVEL_NAMES = ["user", "workspace"] as const;

/** So often a network is written where settings change meanwhile; then it is said not to be chosen. */
const MAX_ROUNDS = 3;

/** Where what networks replaced is kept. */
type KeptOfLevels = Readonly<Record<Level, ReturnType<typeof storedValue>>>;

/** A setting that was written. */
interface Written {
  readonly level: Level;
  readonly name: AddressName;
  readonly before: string | undefined;
  readonly put: string | undefined;
}

/** Switches to a network by changing the settings. What a network replaced in them is remembered, over windows, and put back. */
export class NetworkSwitch {
  readonly #kept: KeptOfLevels;
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
   *
   * @throws LedgerLensError `key_in_address`, and `settings_changed_meanwhile` where others change the settings again and again
   */
  async #write(choice: NetworkChoice): Promise<void> {
    const memory = new Memory(this.#kept);
    const written: Written[] = [];
    try {
      for (let round = 0; round < MAX_ROUNDS; round++)
        if (await this.#writeOnce(choice, memory, written)) return;
      throw new LedgerLensError(
        "settings_changed_meanwhile",
        t`The network was not chosen: its settings were changed from elsewhere at the same time. Choose it again.`,
        { remedy: { mayPass: true } },
      );
    } catch (error) {
      // What was replaced is remembered as long as some of it is still to be put back, or is another window's.
      await memory.restore(await putBack(written));
      throw error;
    }
  }

  /**
   * @param written gets what is written
   * @returns whether all of it stands there; where something changed meanwhile, it is to be written anew
   */
  async #writeOnce(choice: NetworkChoice, memory: Memory, written: Written[]): Promise<boolean> {
    const now = setAddresses();
    const before = memory.read();
    const { addresses, replaced } = this.#wanted(choice, before, written);
    const changed = LEVEL_NAMES.flatMap((level) =>
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
    await memory.keep({
      user: whileWritten(before.user, replaced.user),
      workspace: whileWritten(before.workspace, replaced.workspace),
    });
    for (const name of ADDRESS_NAMES)
      for (const { level } of changed.filter((one) => one.name === name)) {
        const [before, put] = [now[level][name], addresses[level][name]];
        // Where it was changed and put there again by another window, something else comes back.
        const wanted = this.#wanted(choice, memory.read(), written).addresses;
        if (setAddresses()[level][name] !== before || wanted[level][name] !== put) return false;
        await configuration().update(name, put, LEVELS[level]);
        // What could not be written is not this switch's to put back: another window may have written the same.
        written.push({ level, name, before, put });
      }
    // Also what was not to be written may have been changed, so that another plan goes now.
    const still = this.#wanted(choice, memory.read(), written);
    const isWhole = isDeepStrictEqual(still.addresses, setAddresses());
    if (isWhole) await memory.keep(still.replaced);
    return isWhole;
  }

  /** What a switch comes to after what it wrote until now. */
  #wanted(choice: NetworkChoice, before: ReplacedOfLevels, written: readonly Written[]) {
    const { addresses, replaced } = this.#after(choice, before);
    return { addresses: withoutOwnLedger(addresses, choice, written), replaced };
  }

  #after(choice: NetworkChoice, replaced: ReplacedOfLevels = new Memory(this.#kept).read()) {
    return switchedTo(
      choice,
      { addresses: setAddresses(), replaced },
      defaultAddresses(),
      vscode.workspace.isTrusted,
    );
  }
}

/** What networks replaced, as all windows keep it together, during one switch. */
class Memory {
  readonly #kept: KeptOfLevels;
  readonly #atFirst: ReplacedOfLevels;
  /** What it was when this switch last looked or wrote. */
  #seen: ReplacedOfLevels;
  /** Where another window wrote since the switch began. It may still be at it: nothing of it is taken away. */
  readonly #others = new Set<Level>();

  constructor(kept: KeptOfLevels) {
    this.#kept = kept;
    this.#seen = this.#atFirst = this.#stored();
  }

  /** What is kept, and what this switch still needs of it where another window put its own there. */
  read(): ReplacedOfLevels {
    const before = this.#seen;
    const stored = this.#look();
    const at = (level: Level) =>
      this.#others.has(level) ? whileWritten(before[level], stored[level]) : stored[level];
    return (this.#seen = { user: at("user"), workspace: at("workspace") });
  }

  /** Keeps what this switch comes to. */
  async keep(replaced: ReplacedOfLevels): Promise<void> {
    const stored = this.#look();
    const at = (level: Level) =>
      this.#others.has(level) ? whileWritten(stored[level], replaced[level]) : replaced[level];
    await this.#set({ user: at("user"), workspace: at("workspace") });
  }

  /**
   * Keeps what was there before this switch came to nothing.
   *
   * @param isUndone whether nothing of it is left in the settings
   */
  async restore(isUndone: boolean): Promise<void> {
    const own = this.#seen;
    const stored = this.#look();
    const stands = setAddresses();
    const at = (level: Level) => {
      const first = this.#atFirst[level];
      // What stands there, and is not from before, was put there by a window that switched to the same.
      const isOfOther = (name: AddressName) => {
        const value = stands[level][name];
        const isPut = (of: ReplacedOfLevels[Level]) =>
          value !== undefined && of[name]?.put.includes(value) === true;
        return isPut(own[level]) && !isPut(first);
      };
      const others = Object.fromEntries(
        ADDRESS_NAMES.filter(isOfOther).map((name) => [name, own[level][name]]),
      );
      const left = isUndone ? { ...first, ...others } : whileWritten(first, own[level]);
      // Another window may have left the network meanwhile that is put back.
      return this.#others.has(level) ? whileWritten(left, stored[level]) : left;
    };
    await this.#set({ user: at("user"), workspace: at("workspace") });
  }

  async #set(replaced: ReplacedOfLevels): Promise<void> {
    this.#seen = replaced;
    // Both at once: what was planned goes for the settings of this moment.
    await Promise.all(LEVEL_NAMES.map((level) => this.#kept[level].set(replaced[level])));
  }

  #look(): ReplacedOfLevels {
    const stored = this.#stored();
    for (const level of LEVEL_NAMES)
      if (!isDeepStrictEqual(stored[level], this.#seen[level])) this.#others.add(level);
    return stored;
  }

  #stored(): ReplacedOfLevels {
    const at = (level: Level) => readAs(replacedAddresses, this.#kept[level].get()) ?? {};
    return { user: at("user"), workspace: at("workspace") };
  }
}

/**
 * What a plan comes to where a switch wrote its ledger for the user before the workspace came to overrule a part of it: no other folder
 * keeps that ledger without its service.
 */
function withoutOwnLedger(
  addresses: Addresses,
  { ledgerUrl }: NetworkChoice,
  written: readonly Written[],
): Addresses {
  const own = written.find(({ level, name }) => level === "user" && name === "ledgerUrl");
  const { user, workspace } = addresses;
  if (!own || workspace.ledgerUrl !== ledgerUrl || user.ledgerUrl !== own.put) return addresses;
  return { user: { ...user, ledgerUrl: own.before }, workspace };
}

/**
 * Puts back what was written, the last one first, but what was changed meanwhile.
 *
 * @returns whether all is as it was before
 */
async function putBack(written: readonly Written[]): Promise<boolean> {
  // What was there before an earlier write is not what was there before the last one.
  const left = new Set<string>();
  for (const { level, name, before, put } of written.toReversed()) {
    const place = `${level}.${name}`;
    const found = setAddresses()[level][name];
    if (found === before || left.has(place)) continue;
    try {
      if (found === put) await configuration().update(name, before, LEVELS[level]);
      else left.add(place);
    } catch {
      // The others are written back all the same.
      left.add(place);
    }
  }
  return left.size === 0;
}

/** The setting of the other address of a network. */
function otherOf(name: AddressName): AddressName {
  return name === "ledgerUrl" ? "verificationUrl" : "ledgerUrl";
}

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("ledgerLens");
}

function setAddresses(): Addresses {
  const at = (name: AddressName) => configuration().inspect<unknown>(name);
  const [ledger, service] = [at("ledgerUrl"), at("verificationUrl")];
  return {
    user: {
      ledgerUrl: writtenAddress(ledger?.globalValue),
      verificationUrl: writtenAddress(service?.globalValue),
    },
    workspace: {
      ledgerUrl: writtenAddress(ledger?.workspaceValue),
      verificationUrl: writtenAddress(service?.workspaceValue),
    },
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
