import type { NetworkAddresses } from "../rig/loopback/networkWorld.ts";
import type { LedgerScenes } from "../sandbox/ledger/ledgerScenes.ts";
import type { SampleDeployment } from "../sandbox/sampleWorkspace.ts";

/** What was prepared for these tests outside the extension host. */
export interface EditorTestWorld {
  readonly chainId: string;
  readonly rpcUrl: string;
  /** The verification service's base address. */
  readonly service: string;
  /** The ledger's base address. */
  readonly ledger: string;
  readonly scenes: LedgerScenes;
  /** The status page's address. */
  readonly statusPage: string;
  readonly token: SampleDeployment;
  readonly vaults: readonly SampleDeployment[];
  readonly network: NetworkAddresses;
}

/** Reads it from the environment. */
export function world(): EditorTestWorld {
  return JSON.parse(process.env["LEDGER_LENS_TEST_WORLD"] ?? "{}") as EditorTestWorld;
}

/** The nth deployed vault. */
export function vault(at: number): SampleDeployment {
  const found = world().vaults[at];
  if (!found) throw new Error(`No vault ${at} was deployed.`);
  return found;
}

/** Proxies and a private authority, with the verification service to go back to. */
export function networkWorld(): NetworkAddresses & { readonly service: string } {
  const { network, service } = world();
  return { ...network, service };
}
