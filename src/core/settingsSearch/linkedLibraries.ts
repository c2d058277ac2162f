import { bytesToHex } from "@noble/hashes/utils.js";
import { asItems, asRecord, field } from "../json/looseData.ts";

/** Library addresses as settings have them: source unit name, library, address with 0x. */
export type LibraryAddresses = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Bytes of an address. */
const ADDRESS_BYTES = 20;

/**
 * The addresses of libraries as a deployed code has them, by where the compiler says that they go.
 *
 * @param linkReferences the compiler's, of a code that was compiled without addresses and is the deployed one otherwise
 * @returns `undefined` where there are none, or where one library would have two addresses
 */
export function linkedLibraries(deployed: Uint8Array, linkReferences: unknown): LibraryAddresses | undefined {
  const files: [string, Record<string, string>][] = [];
  for (const [file, names] of Object.entries(asRecord(linkReferences) ?? {})) {
    const found = new Map<string, string>();
    for (const [name, places] of Object.entries(asRecord(names) ?? {}))
      for (const place of asItems(places)) {
        const start = Number(field(place, "start"));
        const address = `0x${bytesToHex(deployed.subarray(start, start + ADDRESS_BYTES))}`;
        if ((found.get(name) ?? address) !== address || address.length !== 2 + 2 * ADDRESS_BYTES)
          return undefined;
        found.set(name, address);
      }
    files.push([file, Object.fromEntries(found)]);
  }
  return files.length > 0 ? Object.fromEntries(files) : undefined;
}
