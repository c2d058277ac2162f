import { t } from "@vscode/l10n";
import { chainLabel, wellKnownChains } from "../../core/chains/chains.ts";
import { isOutOfReach } from "../../core/chains/localChains.ts";
import { checkAddress, checkChainId, checkTransactionHash } from "../../core/service/parameters.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import { askText, pick, type Step, type StepFrame } from "../ui/multiStep.ts";
import { type Choice, separator } from "../ui/quickPick.ts";
import { lastChains } from "../lastChains.ts";
import { settings } from "../settings.ts";
import { optionalText, optionalTextOrNumber } from "../ui/arguments.ts";
import { foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import type { DeploymentParts } from "./verificationParts.ts";

/** What is known of a deployment while a command asks for the rest. */
export type PartialDeployment = { -readonly [Field in keyof Deployment]?: Deployment[Field] | undefined };

/** The deployment that an argument object gives, each part checked. */
export function deploymentFrom(args: Readonly<Record<string, unknown>>): PartialDeployment {
  const chainId = optionalTextOrNumber(args, "chainId");
  const address = optionalText(args, "address");
  const hash = optionalText(args, "creationTransactionHash");
  return {
    chainId: chainId === undefined ? undefined : checkChainId(chainId),
    address: address === undefined ? undefined : checkAddress(address),
    creationTransactionHash: hash === undefined ? undefined : checkTransactionHash(hash),
  };
}

/** Asks for the chain, then for the address. */
export function deploymentSteps(parts: DeploymentParts): Step<PartialDeployment>[] {
  return [
    {
      argument: "chainId",
      isKnown: ({ chainId }) => chainId !== undefined,
      ask: async (state, frame) => {
        state.chainId = await pick(frame, {
          placeholder: shown`On which chain is it deployed? Search by name, or type a chain id`,
          choices: chainChoices(parts, []),
          later: async (signal) => chainChoices(parts, await parts.service().chains(signal)),
          typed: (text) =>
            /^\d{1,20}$/.test(text)
              ? {
                  label: shown`Chain ${text}`,
                  description: described(shown`the id as typed`, text, parts.service().host),
                  alwaysShow: true,
                  value: text,
                }
              : undefined,
        });
      },
    },
    {
      argument: "address",
      isKnown: ({ address }) => address !== undefined,
      ask: async (state, frame) => {
        state.address = await askAddress(parts, state, frame);
      },
    },
  ];
}

/** Asks for an address on a chain, beginning with the one that is known. */
export function askAddress(
  parts: Pick<DeploymentParts, "node">,
  { chainId = "", address: known = "" }: PartialDeployment,
  frame: StepFrame,
): Promise<string> {
  return askText(frame, {
    prompt: shown`The contract's address on ${chainLabel(chainId)}`,
    placeholder: shown`0x…`,
    value: known,
    check: checkAddress,
    look: async (address, signal) => {
      const code = await parts.node(chainId)?.code(address, signal);
      return code === "0x"
        ? shown`Nothing is deployed at this address on ${chainLabel(chainId)}.`
        : undefined;
    },
  });
}

/** What stands beside a chain, with a note where the service can't see it. */
function described(words: ShownText, chainId: string, host: string): ShownText {
  return isOutOfReach(chainId, host)
    ? joined([words, shown`on this machine, for Verify Locally`], " · ")
    : words;
}

function chainChoices(
  { memory, service }: Pick<DeploymentParts, "memory" | "service">,
  chains: readonly { readonly chainId: string; readonly name: string; readonly supported: boolean }[],
): Choice<string>[] {
  const { host } = service();
  const names = new Map(chains.map(({ chainId, name }) => [chainId, name]));
  const recent = lastChains(memory);
  const configured = Object.keys(settings.rpcUrls);
  const rest =
    chains.length > 0
      ? chains.filter(({ supported }) => supported).map(({ chainId }) => chainId)
      : wellKnownChains;
  const groups: [string, readonly string[]][] = [
    [t`recent`, recent],
    [t`configured`, configured],
    [chains.length > 0 ? t`known to the service` : t`well known`, rest],
  ];
  const seen = new Set<string>();
  return groups.flatMap(([label, ids]) => {
    const fresh = ids.filter((id) => !seen.has(id) && seen.add(id));
    if (fresh.length === 0) return [];
    return [
      separator(foreign(label)),
      ...fresh.map((id) => ({
        label: foreign(names.get(id) ?? chainLabel(id).replace(/ \(\d+\)$/, "")),
        description: described(foreign(id), id, host),
        value: id,
      })),
    ];
  });
}
