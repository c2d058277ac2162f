import { t } from "@vscode/l10n";
import { LedgerLensError, type HeaderKey } from "../../core/errors.ts";
import { baseAddress } from "../../core/http/joinedAddress.ts";
import { shownAddress } from "../../core/http/shownAddress.ts";
import { publicNetworks } from "../../core/ledger/references/network.ts";
import type { OwnNetwork } from "../../core/ledger/references/ownNetworks.ts";
import { foreign, foreignLine, shown } from "../../core/text/shownText.ts";
import type { NetworkKeys } from "../networkKeys.ts";
import { optionalText } from "../ui/arguments.ts";
import { mayAsk } from "../ui/asking.ts";
import { askSteps, askText, pick } from "../ui/multiStep.ts";
import type { StepChoice } from "../ui/quickPick.ts";
import { configuredNetworks } from "../configuredNetworks.ts";
import { settings } from "../settings.ts";
import { useNetwork } from "./ledgerNetwork.ts";
import type { NetworkParts } from "./ledgerParts.ts";

/** What `selectNetwork` resolves to: the addresses in use. */
interface NetworkInUse {
  readonly network: string;
  readonly ledgerUrl: string;
  readonly verificationUrl: string;
  readonly statusUrl: string;
}

/** `ledgerLens.selectNetwork` `{network}`: from which ledger tokens, transactions and schedules are shown. */
export async function selectNetwork(
  { network, keys }: NetworkParts & { readonly keys: () => Promise<NetworkKeys> },
  args: Readonly<Record<string, unknown>>,
): Promise<NetworkInUse> {
  const state = { network: optionalText(args, "network") };
  const title = shown`Select Network`;
  await askSteps(title, state, [
    {
      argument: "network",
      isKnown: ({ network }) => network !== undefined,
      ask: async (_state, frame) => {
        state.network = await pick(frame, {
          placeholder: shown`Which ledger? Others can be added to ledgerLens.networks`,
          choices: networkChoices(),
        });
      },
    },
  ]);
  const own = configuredNetworks().find(({ name }) => name === state.network);
  if (own?.headerName !== undefined && mayAsk()) await askKeys(own, own.headerName, await keys());
  await useNetwork(state.network ?? "");
  const { id } = network();
  const { ledgerUrl, verificationUrl, statusUrl } = settings;
  return { network: id, ledgerUrl, verificationUrl, statusUrl };
}

function networkChoices(): StepChoice<string>[] {
  const current = baseAddress(settings.ledgerUrl);
  const choice = (value: string, { name, ledgerUrl, chainId }: Omit<OwnNetwork, "headerName">) => ({
    icon: baseAddress(ledgerUrl) === current ? "check" : undefined,
    label: foreign(name),
    ...(chainId !== undefined && { description: shown`chain ${chainId}` }),
    // A key may stand in the address.
    detail: foreignLine(shownAddress(ledgerUrl)),
    value,
  });
  return [
    ...publicNetworks.map((one) => choice(one.id, one)),
    ...configuredNetworks().map((one) => choice(one.name, one)),
  ];
}

/**
 * `ledgerLens.enterKey`: asks for the key of one server, which wants it in a header.
 *
 * @returns whether a key is kept for it now
 */
export async function askForKey(keys: () => Promise<NetworkKeys>, key: HeaderKey): Promise<boolean> {
  const { origin, headerName } = key;
  const kept = await keys();
  await askKeysOf([origin], new URL(origin).host, headerName, kept);
  return kept.has(origin, headerName);
}

/** Asks for the key of each server of a network, one after the other. */
async function askKeys(
  { name, ledgerUrl, verificationUrl = ledgerUrl }: Omit<OwnNetwork, "headerName">,
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
        const host = new URL(origin).host;
        const key = await askText(frame, {
          prompt:
            known[at] === true
              ? shown`${headerName} for ${host}. A key is kept: leave this empty to go on with it, or enter a minus sign to remove it.`
              : shown`${headerName} for ${host}. It is kept in the editor's secret storage and sent to this server alone. Leave it empty to go without.`,
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

/** What may stand in a header (RFC 9110, section 5.5), without spaces around it. */
function checkedKey(text: string): string {
  const key = text.trim();
  if (/^[\x20-\x7e]*$/.test(key)) return key;
  throw new LedgerLensError(
    "invalid_parameter",
    t`A key has letters, digits and plain signs only. Copy it again from the provider's page.`,
  );
}
