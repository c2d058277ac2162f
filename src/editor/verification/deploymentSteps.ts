import { chainIdOf } from "../../core/chainId.ts";
import { t } from "@vscode/l10n";
import { chainLabel, chainTitle, wellKnownChains } from "../../core/chains/chainNames.ts";
import { isOutOfReach } from "../../core/chains/privateChains.ts";
import { networksOfSettings } from "../configuredNetworks.ts";
import { checkAddress, checkChainId, checkTransactionHash } from "../../core/service/parameters.ts";
import type { Deployment } from "../../core/service/submissionRequest.ts";
import type { ServiceChain } from "../../core/service/verificationService.ts";
import type { Step, StepFrame } from "../ui/multiStep.ts";
import { type Choice, separator, type StepChoice } from "../ui/quickPick.ts";
import { lastChains } from "../lastChains.ts";
import { ownNodes } from "../ownNode.ts";
import { optionalText, optionalTextOrNumber } from "../ui/arguments.ts";
import { askText, pick } from "../ui/questions.ts";
import { foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import type { DeploymentParts } from "./verificationParts.ts";
import { counted } from "../../core/text/counted.ts";

/** What is known of a deployment while a command asks for the rest. */
export type PartialDeployment = { -readonly [Field in keyof Deployment]?: Deployment[Field] | undefined } & {
  /** Whether a person corrects what is known: it is asked for again, beginning with the address. */
  readonly isCorrected?: boolean;
};

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

/**
 * Asks for the chain, then for the address.
 *
 * @param submits whether something is submitted there: then it is said of a chain where that is not possible
 */
export function deploymentSteps(
  parts: DeploymentParts,
  { submits = false }: { readonly submits?: boolean } = {},
): Step<PartialDeployment>[] {
  return [
    {
      argument: "chainId",
      isKnown: ({ chainId, isCorrected }) => chainId !== undefined && !isCorrected,
      isAnswered: ({ chainId }) => chainId !== undefined,
      ask: async (state, frame) => {
        state.chainId = await askChain(parts, state, submits, frame);
      },
    },
    {
      argument: "address",
      isKnown: ({ address, isCorrected }) => address !== undefined && !isCorrected,
      ask: async (state, frame) => {
        state.address = await askAddress(parts, state, frame);
      },
    },
  ];
}

/** Asks for a chain: by its name, or by its id, also one that the service does not know. */
function askChain(
  parts: DeploymentParts,
  { chainId: known }: PartialDeployment,
  submits: boolean,
  frame: StepFrame,
): Promise<string> {
  const { host } = parts.service();
  /** What the service lists, once it has said so. */
  let listed: readonly ServiceChain[] = [];
  return pick(frame, {
    placeholder: shown`On which chain is it deployed? Search by name, or type a chain id`,
    choices: chainChoices(parts, listed, submits),
    beginAt: known,
    later: async (signal) => {
      listed = await parts.chainsNow(signal);
      return chainChoices(parts, listed, submits);
    },
    typed: (text) => {
      const id = chainIdOf(text);
      if (id === undefined) return undefined;
      const words = described(shown`the id as typed`, id, submits ? { host, listed } : undefined);
      return { label: chainLabel(id), ...words, alwaysShow: true, value: id };
    },
    nothing: (text) => ({
      icon: "info",
      label: shown`No chain matches "${text}"`,
      detail:
        listed.length > 0
          ? shown`Type its chain id instead, such as 295`
          : shown`${host} did not list its chains. Type the chain id instead, such as 295`,
    }),
  });
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
      if (code === undefined) return undefined;
      const bytes = (code.length - 2) / 2;
      return bytes === 0
        ? { message: shown`Nothing is deployed at this address on ${chainLabel(chainId)}.`, isWarning: true }
        : {
            message: shown`A contract of ${counted(bytes, "byte")} is deployed at this address.`,
            isWarning: false,
          };
    },
  });
}

/**
 * What stands beside and below a chain, with a note where nothing on it can be submitted to the service.
 *
 * @param service absent where nothing is submitted
 */
function described(
  words: ShownText,
  chainId: string,
  service: { readonly host: string; readonly listed: readonly ServiceChain[] } | undefined,
): Pick<Choice<string>, "description" | "detail"> {
  if (!service) return { description: words };
  const { host, listed } = service;
  if (isOutOfReach(chainId, host))
    return { description: joined([words, shown`on this machine or its network, for Verify Locally`], " · ") };
  const chain = listed.find((one) => one.chainId === chainId);
  if (listed.length === 0 || chain?.supported) return { description: words };
  return {
    description: words,
    detail: chain
      ? shown`${host} does not support chain ${chainId} any more; its contracts can only be verified locally`
      : shown`${host} does not know chain ${chainId}; its contracts can only be verified locally`,
  };
}

function chainChoices(
  { memory, service }: Pick<DeploymentParts, "memory" | "service">,
  listed: readonly ServiceChain[],
  submits: boolean,
): StepChoice<string>[] {
  const { host } = service();
  const names = new Map(listed.map(({ chainId, name }) => [chainId, name]));
  const recent = lastChains(memory);
  const own = networksOfSettings().flatMap(({ chainId }) => chainId ?? []);
  const rest =
    listed.length > 0
      ? listed.filter(({ supported }) => supported).map(({ chainId }) => chainId)
      : wellKnownChains;
  const asked = submits ? { host, listed } : undefined;
  const unlisted = listed.length > 0 ? wellKnownChains.filter((id) => !names.has(id)) : [];
  const groups: { label: string; ids: readonly string[]; saysWhy?: boolean }[] = [
    { label: t`recent`, ids: recent },
    { label: t`configured`, ids: [...Object.keys(ownNodes()), ...own] },
    { label: listed.length > 0 ? t`known to the service` : t`well known`, ids: rest },
    // Who looks for one of them by its name is told where it stands, and not that there is none.
    submits
      ? { label: t`only for Verify Locally: not known to ${host}`, ids: unlisted, saysWhy: true }
      : { label: t`others`, ids: unlisted },
  ];
  const seen = new Set<string>();
  return groups.flatMap(({ label, ids, saysWhy = false }) => {
    const fresh = ids.filter((id) => !seen.has(id) && seen.add(id));
    if (fresh.length === 0) return [];
    return [
      separator(foreign(label)),
      ...fresh.map((id) => {
        const title = chainTitle(id);
        const name = foreign(names.get(id) ?? title);
        // Who knows it by the service's name finds it by that, too.
        const words = name === title ? foreign(id) : shown`${id} · ${name} at ${host}`;
        const { detail, ...beside } = described(words, id, asked);
        // What the heading says of all of them is not said of each, but where a search leaves the heading away.
        const below = detail && (saysWhy ? { found: { detail } } : { detail });
        return { label: title, ...beside, ...below, value: id };
      }),
    ];
  });
}
