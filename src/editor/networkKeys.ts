import type { SecretStorage } from "vscode";
import type { KeptKey } from "../core/http/jsonClient.ts";
import { ownNetworkOf } from "../core/ledger/references/ownNetworks.ts";
import { configuredNetworks } from "./configuredNetworks.ts";
import { ownNodes } from "./ownNode.ts";

/**
 * The keys of own networks, in the editor's secret storage. A key belongs to a server and a header: another entry of the
 * settings, such as one that a folder brings along, can't have it sent elsewhere.
 */
export class NetworkKeys {
  readonly #secrets: SecretStorage;
  /** Keys on their way into the storage: what is asked meanwhile goes with them. */
  readonly #keeping = new Map<string, Promise<unknown>>();

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
  }

  /** The header in which an address wants a key, where a network is set up there, and the key to send where there is one. */
  async keyFor(url: URL): Promise<KeptKey | undefined> {
    const { headerName } = ownNetworkOf(configuredNetworks(), url.href, ownNodes()) ?? {};
    if (headerName === undefined) return undefined;
    const key = await this.#get(secretName(url.origin, headerName));
    return { headerName, ...(key !== undefined && key !== "" && { key }) };
  }

  async has(origin: string, headerName: string): Promise<boolean> {
    return ((await this.#get(secretName(origin, headerName))) ?? "") !== "";
  }

  /** Keeps a key; an empty one is removed. */
  async set(origin: string, headerName: string, key: string): Promise<void> {
    const name = secretName(origin, headerName);
    const kept = Promise.resolve(key === "" ? this.#secrets.delete(name) : this.#secrets.store(name, key));
    this.#keeping.set(name, kept);
    try {
      await kept;
    } finally {
      if (this.#keeping.get(name) === kept) this.#keeping.delete(name);
    }
  }

  async #get(name: string): Promise<string | undefined> {
    // One that can't be kept is told of where it was entered.
    await this.#keeping.get(name)?.catch(() => undefined);
    return this.#secrets.get(name);
  }
}

function secretName(origin: string, headerName: string): string {
  return `networkKey ${headerName.toLowerCase()} ${origin}`;
}
