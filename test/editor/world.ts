import type { CauseCode } from "../../src/core/matching/explanation.ts";
import type { NetworkAddresses } from "../rig/loopback/networkWorld.ts";
import type { ListedCompiler } from "../sandbox/compilerList.ts";
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
  /** Vaults that were not deployed as the workspace says. */
  readonly otherwise: readonly VaultMadeOtherwise[];
  /** The addresses of two of which three settings are other ones. */
  readonly searched: readonly [string, string];
  /** The address of one that was deployed from a project of Foundry, whose files the workspace has in other folders. */
  readonly moved: string;
  readonly network: NetworkAddresses;
  /** The file of the compiler that they were compiled with. */
  readonly compiler: string;
  /** The compilers that a list of a suite's own may have. */
  readonly compilers: readonly ListedCompiler[];
}

/** A vault that was compiled with other settings. */
export interface VaultMadeOtherwise {
  readonly kind: string;
  /** What an explanation may call it. */
  readonly causes: readonly CauseCode[];
  /** What it can come to where many numbers of runs make the same code, which only the metadata tells apart. */
  readonly match?: "match";
  readonly address: string;
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
