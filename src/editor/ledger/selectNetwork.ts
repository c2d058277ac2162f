import { publicNetworks } from "../../core/ledger/references/network.ts";
import { askSteps, pick } from "../ui/multiStep.ts";
import { useNetwork } from "./ledgerNetwork.ts";
import { settings } from "../settings.ts";
import { optionalText } from "../ui/arguments.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
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
  { network }: NetworkParts,
  args: Readonly<Record<string, unknown>>,
): Promise<NetworkInUse> {
  const state = { network: optionalText(args, "network") };
  await askSteps(shown`Select Network`, state, [
    {
      argument: "network",
      isKnown: ({ network }) => network !== undefined,
      ask: async (_state, frame) => {
        const current = settings.ledgerUrl;
        state.network = await pick(frame, {
          placeholder: shown`Which ledger? Any other one can be set as ledgerLens.ledgerUrl`,
          choices: publicNetworks.map(({ id, name, ledgerUrl, chainId }) => ({
            icon: ledgerUrl === current ? "check" : undefined,
            label: foreign(name),
            description: shown`chain ${chainId ?? ""}`,
            detail: foreign(ledgerUrl),
            value: id,
          })),
        });
      },
    },
  ]);
  await useNetwork(state.network ?? "");
  const { id } = network();
  const { ledgerUrl, verificationUrl, statusUrl } = settings;
  return { network: id, ledgerUrl, verificationUrl, statusUrl };
}
