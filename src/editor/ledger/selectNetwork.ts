import { t } from "@vscode/l10n";
import { LedgerLensError, type HeaderKey } from "../../core/errors.ts";
import { baseAddress } from "../../core/http/joinedAddress.ts";
import { foreign, joined, shown } from "../../core/text/shownText.ts";
import type { NetworkKeys } from "../networkKeys.ts";
import { optionalText } from "../ui/arguments.ts";
import { mayAsk } from "../ui/asking.ts";
import { askSteps } from "../ui/multiStep.ts";
import type { StepChoice } from "../ui/quickPick.ts";
import { readNetworks } from "../configuredNetworks.ts";
import { UserCancelled } from "../ui/action.ts";
import type { Log } from "../ui/log.ts";
import { askText, pick } from "../ui/questions.ts";
import { settings } from "../settings.ts";
import type { NetworkSwitch } from "./networkSwitch.ts";
import type { SwitchParts } from "./ledgerParts.ts";
import { choiceNamed, leftOutNetworkWords, networkChoices, type NetworkChoice } from "./networkChoice.ts";

/** What `selectNetwork` resolves to: the addresses in use. */
interface NetworkInUse {
  readonly network: string;
  readonly ledgerUrl: string;
  readonly verificationUrl: string;
  readonly statusUrl: string;
}

/** What selects it. */
interface SelectParts {
  readonly keys: () => Promise<NetworkKeys>;
  readonly log: Pick<Log, "warn">;
}

/**
 * `ledgerLens.selectNetwork` `{network: "mainnet" | "testnet" | "previewnet" | a name of ledgerLens.networks}`: from which ledger
 * tokens, transactions and schedules are shown.
 */
export async function selectNetwork(
  { network, networks, keys, log }: SwitchParts & SelectParts,
  args: Readonly<Record<string, unknown>>,
): Promise<NetworkInUse> {
  const known = readNetworks();
  for (const name of known.leftOut) log.warn(leftOutNetworkWords(name));
  const named = optionalText(args, "network");
  const state: { network?: NetworkChoice } =
    named === undefined ? {} : { network: choiceNamed(known, named) };
  const title = shown`Select Network`;
  await askSteps(title, state, [
    {
      argument: "network",
      isKnown: ({ network }) => network !== undefined,
      ask: async (_state, frame) => {
        state.network = await pick(frame, {
          placeholder: shown`Which ledger? Others can be added to ledgerLens.networks`,
          choices: [
            ...networkChoices(known).map((one) => line(one, networks)),
            ...known.leftOut.map(leftOutLine),
          ],
        });
      },
    },
  ]);
  const { network: chosen } = state;
  if (!chosen) throw new UserCancelled();
  if (chosen.headerName !== undefined && mayAsk()) await askKeys(chosen, chosen.headerName, await keys());
  await networks.use(chosen);
  const { id } = network();
  const { ledgerUrl, verificationUrl, statusUrl } = settings;
  return { network: id, ledgerUrl, verificationUrl, statusUrl };
}

function line(one: NetworkChoice, networks: Pick<NetworkSwitch, "places">): StepChoice<NetworkChoice> {
  const { name, chainId, ledgerUrl, isOfWorkspace } = one;
  const notes = [
    ...(chainId === undefined ? [] : [shown`chain ${chainId}`]),
    ...(isOfWorkspace ? [shown`from this workspace`] : []),
  ];
  return {
    icon: baseAddress(ledgerUrl) === baseAddress(settings.ledgerUrl) ? "check" : undefined,
    label: foreign(name),
    ...(notes.length > 0 && { description: joined(notes, " · ") }),
    detail: networks.places(one),
    value: one,
  };
}

/** A line that can't be chosen. */
function leftOutLine(name: string): StepChoice<never> {
  return {
    icon: "warning",
    label: shown`"${name}" is left out`,
    detail: shown`Its name can be taken for that of a public network. Rename it in ledgerLens.networks`,
  };
}

/**
 * `ledgerLens.enterKey`: asks for the key of one server, which wants it in a header.
 *
 * @returns whether a key is kept for it now
 */
export async function askForKey(keys: () => Promise<NetworkKeys>, key: HeaderKey): Promise<boolean> {
  const { origin, headerName } = key;
  const kept = await keys();
  await askKeysOf([origin], serverOf(origin), headerName, kept);
  return kept.has(origin, headerName);
}

/** Asks for the key of each server of a network, one after the other. */
async function askKeys(
  { name, ledgerUrl, verificationUrl = ledgerUrl }: NetworkChoice,
  headerName: string,
  keys: NetworkKeys,
): Promise<void> {
  const origins = [...new Set([ledgerUrl, verificationUrl].map((url) => new URL(url).origin))];
  await askKeysOf(origins, name, headerName, keys);
}

async function askKeysOf(
  origins: readonly string[],
  name: string,
  headerName: string,
  keys: NetworkKeys,
): Promise<void> {
  const known = await Promise.all(origins.map((origin) => keys.has(origin, headerName)));
  const answers = new Map<string, string>();
  await askSteps(
    shown`Key for ${name}`,
    answers,
    origins.map((origin, at) => ({
      isKnown: () => false,
      ask: async (_, frame) => {
        const server = serverOf(origin);
        const key = await askText(frame, {
          prompt:
            known[at] === true
              ? shown`${headerName} for ${server}. A key is kept: leave this empty to go on with it, or enter a minus sign to remove it.`
              : shown`${headerName} for ${server}. It is kept in the editor's secret storage and sent to this server alone. Leave it empty to go without.`,
          placeholder: shown`Key`,
          isSecret: true,
          check: checkedKey,
        });
        answers.set(origin, key);
      },
    })),
  );
  for (const [origin, key] of answers)
    if (key !== "") await keys.set(origin, headerName, key === "-" ? "" : key);
}

/** A server as a person is told of it who enters its key: one to which the key goes unencrypted is told with its scheme. */
function serverOf(origin: string): string {
  const { protocol, host } = new URL(origin);
  return protocol === "https:" ? host : origin;
}

/** What may stand in a header (RFC 9110, section 5.5), without spaces around it. */
function checkedKey(text: string): string {
  const key = text.trim();
  if (/^[\x20-\x7e]*$/.test(key)) return key;
  throw new LedgerLensError(
    "invalid_parameter",
    t`A key has letters, digits and plain signs only. Copy it again from the provider's page.`,
  );
}
