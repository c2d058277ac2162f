import { isSameAddress } from "../../core/evm/address.ts";
import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import * as vscode from "vscode";
import { explorerPage } from "../../core/chains/blockExplorers.ts";
import { chainLabel } from "../../core/chains/chainNames.ts";
import { systemClock } from "../../core/concurrency/clock.ts";
import { LedgerLensError } from "../../core/errors.ts";
import type { JsonClient } from "../../core/http/jsonClient.ts";
import type { JobStore } from "../../core/jobs/jobStore.ts";
import { verifiedPlaces } from "../../core/jobs/recordedContract.ts";
import {
  AddressLooks,
  knownAddress,
  verifiedLook,
  type AddressLook,
} from "../../core/ledger/accounts/addressLooks.ts";
import type { LedgerService } from "../../core/ledger/ledgerService.ts";
import { publicNetworks } from "../../core/ledger/references/network.ts";
import { isMatch, toMatch } from "../../core/service/job.ts";
import { VerificationService } from "../../core/service/verificationService.ts";
import { listed } from "../../core/text/counted.ts";
import { shown, type ShownText } from "../../core/text/shownText.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { lastChains } from "../lastChains.ts";
import { ownNode } from "../ownNode.ts";
import { settings } from "../settings.ts";
import { hover, type HoverLine, type HoverLink } from "../ui/hover.ts";
import type { WatchedWorkspace } from "../watchedWorkspace.ts";
import type { NetworkParts } from "./ledgerParts.ts";

/** Says in a hover what an address is; `undefined` where nothing may be asked or nothing is known. */
export interface AddressLookUp {
  readonly hoverOf: (
    address: string,
    range: vscode.Range,
    signal: AbortSignal,
  ) => Promise<vscode.Hover | undefined>;
}

/** What addresses are looked up with. */
interface LookUpParts extends NetworkParts {
  /** Whose records say where an address is. */
  readonly workspace: Pick<WatchedWorkspace, "deployments">;
  /** What was verified from this workspace. */
  readonly jobs: JobStore;
  /** State of this workspace, which has the chains that were chosen. */
  readonly memory: Pick<vscode.Memento, "get">;
}

/** So many chains are asked about an address that was deployed on more. */
const MAX_CHAINS = 4;

/**
 * What an address is, with links to its page and to its verified source. First comes where it was verified from this
 * workspace, for which no service is asked; then the chains that the workspace's records of deployments name for it, else the one
 * that was verified on last, else the network of the ledger. No other chain is asked.
 */
export function addressLookUp(
  service: LedgerService,
  http: Pick<JsonClient, "request">,
  { network, workspace, jobs, memory }: LookUpParts,
): AddressLookUp {
  const asked = () => new VerificationService(http, settings.verificationUrl);
  const looks = new AddressLooks({
    ledger: service,
    verifiedBy: () => settings.verificationUrl,
    verified: async (deployment, signal) => {
      try {
        const contract = await asked().verifiedIdentity(deployment, signal);
        const { contractName } = contract ?? {};
        return {
          state: toMatch(contract?.match) ?? "none",
          ...(contractName !== undefined && contractName !== "" && { name: contractName }),
        };
      } catch (error) {
        if (error instanceof LedgerLensError && !signal.aborted) return { state: "unknown" };
        throw error;
      }
    },
    node: (chainId) => ownNode(http, chainId),
    clock: systemClock,
  });

  const lineOf = async (
    address: string,
    chainId: string | undefined,
    signal: AbortSignal,
    recorded?: FoundDeployment,
  ): Promise<HoverLine | undefined> => {
    const ledger = network();
    const name = recorded && recordedName(recorded);
    const isOnLedger = chainId === undefined || chainId === ledger.chainId;
    const look = isOnLedger
      ? await looks.at(address, ledger, signal, name)
      : await looks.onChain(address, chainId, signal, name);
    if (!look) return undefined;
    return lineFrom(address, look, chainId ?? ledger.chainId, recorded);
  };

  const lineFrom = (
    address: string,
    look: AddressLook,
    chainId: string | undefined,
    recorded?: FoundDeployment,
  ): HoverLine => {
    const isOnLedger = chainId === undefined || chainId === network().chainId;
    const page = isOnLedger ? look.isThere && showInLedger(address) : pageOf(asked(), address, chainId, look);
    return { text: look.text, links: [...(page ? [page] : []), ...sourceLinks(look, chainId, recorded)] };
  };

  return {
    hoverOf: async (address, range, signal) => {
      const known = knownAddress(address);
      if (known) return hover(range, [{ text: known, links: [] }]);
      // Opening a folder to look at it is no agreement that a service is told its addresses.
      if (!vscode.workspace.isTrusted) return undefined;
      const recorded = recordsByChain((await workspace.deployments()).found, address);
      const [last] = lastChains(memory);
      const verified = (await verifiedPlaces(jobs, settings.verificationUrl, address)).filter(({ chainId }) =>
        recorded.every((one) => one.chainId !== chainId),
      );
      const isSaid = verified.some(({ chainId }) => chainId === (last ?? network().chainId));
      const ofJobs = verified
        .slice(0, MAX_CHAINS)
        .map(({ chainId, match, contractName }) =>
          lineFrom(
            address,
            verifiedLook({ chainId, address: address.toLowerCase() }, contractName, match),
            chainId,
          ),
        );
      const looked =
        recorded.length > 0
          ? recorded.slice(0, MAX_CHAINS).map((one) => lineOf(address, one.chainId, signal, one))
          : isSaid
            ? []
            : [lineOf(address, last, signal)];
      const lines: (HoverLine | undefined)[] = [...ofJobs, ...(await Promise.all(looked))];
      const further = recorded.slice(MAX_CHAINS).map(({ chainId }) => chainLabel(chainId));
      if (further.length > 0) lines.push({ text: shown`Also deployed on ${listed(further)}`, links: [] });
      const said = lines.filter((line) => line !== undefined);
      return said.length === 0 ? undefined : hover(range, said);
    },
  };
}

/** What the records have at an address, once for each chain. */
function recordsByChain(found: readonly FoundDeployment[], address: string): readonly FoundDeployment[] {
  const byChain = new Map<string, FoundDeployment>();
  for (const one of found)
    if (isSameAddress(one.address, address) && !byChain.has(one.chainId)) byChain.set(one.chainId, one);
  return [...byChain.values()];
}

function recordedName({ defined, contract }: FoundDeployment): string {
  return defined?.name ?? splitIdentifier(contract).name;
}

/** @param network the id of another network than the chosen one: a person is asked before it is switched to */
function showInLedger(address: string, network?: string): HoverLink {
  return {
    label: shown`Show in Ledger`,
    command: "ledgerLens.openLedgerLink",
    argument: { kind: "address", id: address.toLowerCase(), ...(network !== undefined && { network }) },
  };
}

/** The page of what is on another chain than the ledger's: that of its explorer, else that of the verification service. */
function pageOf(
  service: VerificationService,
  address: string,
  chainId: string,
  look: AddressLook,
): HoverLink | undefined {
  const ofLedger = publicNetworks.find((one) => one.chainId === chainId);
  if (ofLedger) return showInLedger(address, ofLedger.id);
  const link = (label: ShownText, page: string): HoverLink => ({
    label,
    command: "ledgerLens.openVerificationLink",
    argument: { row: { copyText: page } },
  });
  const page = explorerPage(chainId, address);
  if (page !== undefined) return link(shown`Open in Block Explorer`, page);
  return isMatch(look.verified)
    ? link(shown`Open at ${service.host}`, service.contractPage({ chainId, address }))
    : undefined;
}

/** What can be done with a contract, or with what may be one. */
function sourceLinks(
  look: AddressLook,
  chainId: string | undefined,
  recorded: FoundDeployment | undefined,
): HoverLink[] {
  const { verified, contractAddress } = look;
  const argument = { chainId, address: contractAddress };
  if (isMatch(look.verified))
    return [{ label: shown`Open Verified Source`, command: "ledgerLens.openThisSource", argument }];
  if (verified !== "none" && !recorded) return [];
  if (verified === undefined) return [];
  const { defined } = recorded ?? {};
  const contract = defined && { contract: `${defined.path}:${defined.name}` };
  return [
    { label: shown`Verify…`, command: "ledgerLens.verifyThis", argument: { ...argument, ...contract } },
  ];
}
