import { shortVersion } from "../versions.ts";
import { t } from "@vscode/l10n";
import { wrongShape, HttpError } from "../http/httpError.ts";
import type { JsonClient } from "../http/jsonClient.ts";
import { shownHost } from "../http/shownAddress.ts";
import { entriesOf, ifReadable, listOf, matching, object, readAs, text } from "../json/shape.ts";
import { PUBLIC_COMPILER_LISTS, type CompilerListAddresses } from "./compilerListAddresses.ts";
import {
  solcBuildList,
  solcHashesOf,
  solcReleases,
  withSolcReleaseList,
  type CompilerHashes,
} from "./solidity/solcReleases.ts";
import { vyperReleaseList, vyperReleases, withVyperReleaseList } from "./vyper/vyperReleases.ts";

/** Known releases in full form, oldest first. Plain JSON. */
export interface CompilerLists {
  readonly solc: readonly string[];
  readonly vyper: readonly string[];
}

/** The compilers that are known, and the files of those that do not ship. */
export interface KnownCompilers extends CompilerLists {
  /** Of releases of solc that a refresh made known. */
  readonly solcHashes: CompilerHashes;
}

/** Where refreshed lists are kept: the editor's global state. */
export interface CompilerListStorage {
  /** What was last set, or `undefined`. */
  get(): unknown;
  set(value: KnownCompilers): PromiseLike<void> | void;
}

/** What a refresh came to. */
export interface CompilerListRefresh {
  readonly lists: KnownCompilers;
  /** Releases that were not known before, oldest first. */
  readonly added: CompilerLists;
}

/** Lists of solc's builds have a megabyte at most, Vyper's releases with their notes some more. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The compilers that are known: those that ship with the extension, and those of the last refresh. What was kept by
 * another version, or is damaged, counts as far as it has the form of releases; what ships is never overruled.
 */
export function knownCompilers(storage: CompilerListStorage): KnownCompilers {
  const stored = storage.get();
  const key = typeof stored === "object" && stored !== null ? stored : NOTHING_STORED;
  const known = knownByStored.get(key);
  if (known) return known;
  const { solc = [], vyper = [], solcHashes } = readAs(storedLists, stored) ?? {};
  const lists = { ...merged(solc, vyper), solcHashes: Object.fromEntries(solcHashes ?? []) };
  knownByStored.set(key, lists);
  return lists;
}

/** What the lists came to, by what is stored: every command asks. */
const knownByStored = new WeakMap<object, KnownCompilers>();
const NOTHING_STORED = {};

/**
 * Fetches the lists of released compilers and keeps them. It is for a person who asks: nothing else calls it. Both
 * lists are fetched before anything is kept.
 *
 * @throws HttpError with the codes of {@link JsonClient.request}, and `wrong_shape` for what is no list of releases
 * @throws LedgerLensError `compiler_list_refused` for one that leads elsewhere
 */
export async function refreshCompilerLists(
  client: Pick<JsonClient, "request">,
  storage: CompilerListStorage,
  addresses: CompilerListAddresses = PUBLIC_COMPILER_LISTS,
  signal?: AbortSignal,
): Promise<CompilerListRefresh> {
  const before = knownCompilers(storage);
  const [solcList, vyperList] = await Promise.all([
    fetched(client, t`The list of Solidity compilers`, addresses.solc, signal),
    fetched(client, t`The list of Vyper compilers`, addresses.vyper, signal),
  ]);
  if (!readAs(solcBuildList, solcList)?.builds.length)
    throw wrongShape(t`The list of Solidity compilers`, t`releases`, t`builds with a longVersion`);
  if (!readAs(vyperReleaseList, vyperList)?.length)
    throw wrongShape(t`The list of Vyper compilers`, t`releases`, t`releases with a tag_name and assets`);
  const fresh = {
    solc: newer(withSolcReleaseList(solcList), solcReleases),
    vyper: newer(withVyperReleaseList(vyperList), vyperReleases),
    solcHashes: solcHashesOf(solcList),
  };
  await storage.set(fresh);
  const lists = { ...merged(fresh.solc, fresh.vyper), solcHashes: fresh.solcHashes };
  return { lists, added: { solc: newer(lists.solc, before.solc), vyper: newer(lists.vyper, before.vyper) } };
}

const releases = ifReadable(listOf(text(100), 10_000));
const storedLists = object({
  solc: releases,
  vyper: releases,
  solcHashes: ifReadable(entriesOf(matching(/^[0-9a-f]{64}$/, () => t`a SHA-256`))),
});

async function fetched(
  client: Pick<JsonClient, "request">,
  service: string,
  url: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { status, body } = await client.request({
    url,
    service,
    maxBytes: MAX_BYTES,
    ...(signal && { signal }),
  });
  if (status === 200) return body;
  throw new HttpError(
    "wrong_shape",
    t`${service} at ${shownHost(url)} answered with status ${status}. Check the address in the settings.`,
    { status, sent: true },
  );
}

/** The shipped lists with some releases more; each goes through the reader of its list, which checks its form. */
function merged(solc: readonly string[], vyper: readonly string[]): CompilerLists {
  return {
    solc: withSolcReleaseList({ builds: solc.map((longVersion) => ({ longVersion })) }),
    vyper: withVyperReleaseList(
      vyper.map((release) => ({
        tag_name: `v${shortVersion(release)}`,
        assets: [{ name: `vyper.${release}.linux` }],
      })),
    ),
  };
}

function newer(all: readonly string[], known: readonly string[]): string[] {
  const before = new Set(known);
  return all.filter((release) => !before.has(release));
}
