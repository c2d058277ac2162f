import { systemClock, type Clock } from "../../concurrency/clock.ts";
import type { NamedContract, NamedDefinition, NameScope, NameSource } from "./nameSource.ts";
import type { MemberKind } from "../../evm/abiEntry.ts";
import type { StorageLayout } from "../../evm/storageLayout.ts";
import { foreign } from "../../text/shownText.ts";
import { DeployedCode } from "../../matching/codeDigest.ts";
import type { KnownContract, KnownMember, WorkspaceIndex } from "../../workspace/workspaceIndex.ts";
import { SharedAnswers } from "./sharedAnswers.ts";

/** A deployment that is on record: a verification job, a record of a deployment. */
interface RecordedContract {
  readonly contractName: string;
  /** Absolute path of its source. */
  readonly path?: string;
}

/** What names from the workspace stand on. */
export interface WorkspaceNamesPorts {
  readonly index: WorkspaceIndex;
  /** The code at an address, 0x-prefixed hex; `undefined` where no source can be asked. */
  readonly deployedCode?: (scope: NameScope) => Promise<string | undefined>;
  /** What verified jobs or records of deployments know of an address. */
  readonly recordedContract?: (scope: NameScope) => Promise<RecordedContract | undefined>;
  readonly clock?: Clock;
}

const MAX_CODES = 100;

/**
 * Names from the open workspace: its artifacts, its sources and what the sources import. Which contract an address is
 * is told by records of deployments, or by comparing the deployed code with the artifacts'; a minimal proxy is what it
 * forwards its calls to.
 */
export class WorkspaceNames implements NameSource {
  readonly certainty = "workspace";
  readonly #ports: WorkspaceNamesPorts;
  readonly #codes: SharedAnswers<DeployedCode | undefined>;
  readonly #identities = new WeakMap<DeployedCode, Identity>();

  constructor(ports: WorkspaceNamesPorts) {
    this.#ports = ports;
    const clock = ports.clock ?? systemClock;
    this.#codes = new SharedAnswers({ clock, maxAnswers: MAX_CODES });
  }

  async contractName(scope: NameScope): Promise<NamedContract | undefined> {
    const contract = await this.#identify(scope);
    if (!contract) return undefined;
    const place = await this.#ports.index.placeOf(contract);
    return { name: foreign(contract.name), ...(place && { place }) };
  }

  async definitions(
    kind: MemberKind,
    selector: string,
    scope: NameScope,
  ): Promise<readonly NamedDefinition[]> {
    const { index } = this.#ports;
    const contract = await this.#identify(scope);
    const own = contract && (await index.memberOf(contract, kind, selector));
    if (own) return [definitionOf(own)];
    const known = await index.members(kind, selector);
    scope.signal?.throwIfAborted();
    return known.map(definitionOf);
  }

  async storageLayout(scope: NameScope): Promise<StorageLayout | undefined> {
    const contract = await this.#identify(scope);
    if (!contract) return undefined;
    const found = await this.#ports.index.storageLayoutOf(contract);
    if (found || contract.artifact) return found;
    // A record tells the name; which of several builds of that name it is, the code does.
    const built = await this.#contractOfCode(scope);
    return built?.name === contract.name ? this.#ports.index.storageLayoutOf(built) : undefined;
  }

  async #identify(scope: NameScope): Promise<KnownContract | undefined> {
    if (scope.address === undefined) return undefined;
    const recorded = await this.#ports.recordedContract?.(scope);
    if (recorded) {
      const { contractName: name, path } = recorded;
      return { name, ...(path !== undefined && { path }) };
    }
    return this.#contractOfCode(scope);
  }

  /** Whose artifact has the code at an address. */
  async #contractOfCode(scope: NameScope): Promise<KnownContract | undefined> {
    if (scope.address === undefined) return undefined;
    const code = await this.#codeAt(scope.address, scope);
    const delegate = code?.delegate;
    const meant = delegate === undefined ? code : await this.#codeAt(delegate, scope);
    if (!meant) return undefined;
    // A build may change which contract the code is.
    const { index } = this.#ports;
    let identity = this.#identities.get(meant);
    if (identity?.version !== index.version) {
      identity = { version: index.version, contract: index.contractOfCode(meant) };
      this.#identities.set(meant, identity);
    }
    return identity.contract;
  }

  #codeAt(address: string, { network, signal }: NameScope): Promise<DeployedCode | undefined> {
    return this.#codes.get(network.id, address, signal, async () => {
      const hex = await this.#ports.deployedCode?.({ network, address });
      return hex === undefined ? undefined : new DeployedCode(hex);
    });
  }
}

interface Identity {
  readonly version: number;
  readonly contract: Promise<KnownContract | undefined>;
}

function definitionOf({ abi, place }: KnownMember): NamedDefinition {
  return { abi: { ...abi }, ...(place && { place }) };
}
