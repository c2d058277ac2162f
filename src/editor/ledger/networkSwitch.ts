import { object, optional, listOf, text, type Shaped } from "../../core/json/shape.ts";
import { definedOnly } from "../../core/json/looseData.ts";
import type { NetworkChoice } from "./networkChoice.ts";

/** Which settings a network changes. */
export type AddressName = "ledgerUrl" | "verificationUrl";

/** Whose settings they are in. */
export type Level = "user" | "workspace";

/** What stands in the settings of each level; `undefined` for what is not set there. */
export type Addresses = Readonly<Record<Level, Readonly<Partial<Record<AddressName, string | undefined>>>>>;

const replacedAddress = object({
  /** What networks put there; while the setting is one of these, no person has changed it. */
  put: listOf(text(), 10),
  /** What was there before; missing for nothing. */
  before: optional(text()),
});

/** What networks replaced at one level, as the editor keeps it over windows. */
export const replacedAddresses = object({
  ledgerUrl: optional(replacedAddress),
  verificationUrl: optional(replacedAddress),
});

/** See {@link replacedAddresses}. */
type Replaced = Shaped<typeof replacedAddresses>;

/** Both for the user and for the open workspace. */
interface OfLevels {
  readonly addresses: Addresses;
  readonly replaced: Readonly<Record<Level, Replaced>>;
}

/** What stands in one place of the settings, and what a network replaced there. */
interface Place {
  readonly address: string | undefined;
  readonly loan: Replaced[AddressName] | undefined;
}

/**
 * What the settings are after a network was chosen. The one that was chosen before takes its verification service along, and
 * what that service had replaced comes back, unless the setting was changed meanwhile. What a workspace brings along is
 * written to that workspace; all else to the user's settings, or where those of the workspace would overrule them, there.
 *
 * @param countsWorkspace whether the settings of the workspace count; without it nothing is changed there
 */
export function switchedTo(
  { ledgerUrl, verificationUrl, isOfWorkspace }: NetworkChoice,
  { addresses, replaced }: OfLevels,
  countsWorkspace: boolean,
): OfLevels {
  const wanted = { ledgerUrl, verificationUrl };
  const left = (level: Level, name: AddressName): Place => {
    // What a workspace's own network changes is of this workspace; a ledger among the user's settings was their own choice.
    const isLeft = level === "workspace" ? countsWorkspace : name === "verificationUrl" && !isOfWorkspace;
    const [address, loan] = [addresses[level][name], replaced[level][name]];
    return isLeft ? { address: withoutLoan(address, loan), loan: undefined } : { address, loan };
  };
  const levelOf = (name: AddressName): Level =>
    isOfWorkspace || (countsWorkspace && left("workspace", name).address !== undefined)
      ? "workspace"
      : "user";
  const after = (level: Level, name: AddressName): Place => {
    const before = left(level, name);
    const address = levelOf(name) === level ? wanted[name] : undefined;
    // What stands there already is not the network's, and stays.
    if (address === undefined || address === before.address) return before;
    if (name === "ledgerUrl" && !isOfWorkspace) return { address, loan: undefined };
    return { address, loan: { put: [address], ...definedOnly({ before: before.address }) } };
  };
  const at = (level: Level) => {
    const [ledger, service] = [after(level, "ledgerUrl"), after(level, "verificationUrl")];
    return {
      addresses: { ledgerUrl: ledger.address, verificationUrl: service.address },
      replaced: definedOnly({ ledgerUrl: ledger.loan, verificationUrl: service.loan }),
    };
  };
  const [user, workspace] = [at("user"), at("workspace")];
  return {
    addresses: { user: user.addresses, workspace: workspace.addresses },
    replaced: { user: user.replaced, workspace: workspace.replaced },
  };
}

/** An address of the settings once a network has left it. */
function withoutLoan(
  address: string | undefined,
  replaced: Replaced[AddressName] | undefined,
): string | undefined {
  return address !== undefined && replaced?.put.includes(address) ? replaced.before : address;
}

/** What is kept while settings are being written: whether what is there was put by the one network or by the other. */
export function whileWritten(before: Replaced, after: Replaced): Replaced {
  const both = (name: AddressName): Replaced => {
    const [one, other] = [before[name], after[name]];
    if (!one || !other) return { ...((other ?? one) ? { [name]: other ?? one } : {}) };
    return { [name]: { ...other, put: [...one.put, ...other.put].slice(-10) } };
  };
  return { ...both("ledgerUrl"), ...both("verificationUrl") };
}

/** The addresses in use. */
export function addressesInUse(
  { user, workspace }: Addresses,
  byDefault: Readonly<Record<AddressName, string>>,
  countsWorkspace: boolean,
): Readonly<Record<AddressName, string>> {
  const inUse = (name: AddressName) =>
    (countsWorkspace ? workspace[name] : undefined) ?? user[name] ?? byDefault[name];
  return { ledgerUrl: inUse("ledgerUrl"), verificationUrl: inUse("verificationUrl") };
}
