import { anyJson, asItCame, object, optional, listOf, text, type Shaped } from "../../core/json/shape.ts";
import { definedOnly } from "../../core/json/looseData.ts";
import type { NetworkChoice } from "./networkChoice.ts";

/** Which settings a network changes. The service goes first: nothing of a network is asked of the service of another one. */
export const ADDRESS_NAMES = ["verificationUrl", "ledgerUrl"] as const;
export type AddressName = (typeof ADDRESS_NAMES)[number];

/** Whose settings they are in. */
export type Level = "user" | "workspace";

/** What stands in the settings of each level, as it was written; `undefined` for what is not set there. */
export type Addresses = Readonly<Record<Level, Readonly<Partial<Record<AddressName, string | undefined>>>>>;

const replacedAddress = object({
  /** What networks put there; while the setting is one of these, no person has changed it. */
  put: listOf(text(), 10),
  /** What was there before, also where it was no address; missing for nothing. */
  before: optional(asItCame<string>(anyJson)),
});

/** What networks replaced at one level, as the editor keeps it over windows. */
export const replacedAddresses = object({
  ledgerUrl: optional(replacedAddress),
  verificationUrl: optional(replacedAddress),
});

/** See {@link replacedAddresses}. */
type Replaced = Shaped<typeof replacedAddresses>;

/** The same of both levels. */
export type ReplacedOfLevels = Readonly<Record<Level, Replaced>>;

/** Both for the user and for the open workspace. */
interface OfLevels {
  readonly addresses: Addresses;
  readonly replaced: ReplacedOfLevels;
}

/** What stands in one place of the settings, and what a network replaced there. */
interface Place {
  readonly address: string | undefined;
  readonly loan: Replaced[AddressName] | undefined;
}

/**
 * What the settings are after a network was chosen. The one that was chosen before takes its verification service along, and
 * what that service had replaced comes back, unless the setting was changed meanwhile.
 *
 * A network is at one level with both its addresses: a window to which that level does not count has neither, and none has
 * its ledger beside the service of another one. What a workspace brings along is written to that workspace; all else to the
 * user's settings, or where those of the workspace would overrule a part of it, there. What is chosen for a workspace leaves
 * the user's network to the other folders: where it names no service and that network has one, the person's own is written
 * to the workspace.
 *
 * @param byDefault the addresses where none is set
 * @param countsWorkspace whether the settings of the workspace count; without it nothing is changed there
 */
export function switchedTo(
  { ledgerUrl, verificationUrl, isOfWorkspace }: NetworkChoice,
  { addresses, replaced }: OfLevels,
  byDefault: Readonly<Record<AddressName, string>>,
  countsWorkspace: boolean,
): OfLevels {
  const left = (level: Level, name: AddressName): Place => {
    const [address, loan] = [addresses[level][name], replaced[level][name]];
    return { address: withoutLoan(address, loan), loan: undefined };
  };
  const isOverruled = (name: AddressName) => left("workspace", name).address !== undefined;
  const isOverruledInPart =
    isOverruled("ledgerUrl") || (verificationUrl !== undefined && isOverruled("verificationUrl"));
  const chosenAt: Level = isOfWorkspace || (countsWorkspace && isOverruledInPart) ? "workspace" : "user";
  const ownService = left("user", "verificationUrl").address;
  const isBesideOther = chosenAt === "workspace" && addresses.user.verificationUrl !== ownService;
  const personsService =
    left("workspace", "verificationUrl").address ?? ownService ?? byDefault.verificationUrl;
  const wanted = {
    ledgerUrl,
    verificationUrl: verificationUrl ?? (isBesideOther ? personsService : undefined),
  };
  const after = (level: Level, name: AddressName): Place => {
    // What is chosen for a workspace leaves the user's network as it is, and a ledger of the user's was their own choice.
    const isLeft =
      level === "workspace" ? countsWorkspace : chosenAt === "user" && name === "verificationUrl";
    const before = isLeft
      ? left(level, name)
      : { address: addresses[level][name], loan: replaced[level][name] };
    const address = chosenAt === level ? wanted[name] : undefined;
    // What stands there already is not the network's, and stays.
    if (address === undefined || address === before.address) return before;
    if (name === "ledgerUrl" && level === "user") return { address, loan: undefined };
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
    return { [name]: { ...other, put: [...new Set([...one.put, ...other.put])].slice(-10) } };
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
