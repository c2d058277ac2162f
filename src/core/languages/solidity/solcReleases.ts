import { plainVersion, shortVersion } from "../../versions.ts";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import { ifReadable, listOf, matching, object, readAs, text } from "../../json/shape.ts";

/**
 * Every released solc of a minor version: the minor version, its first patch number here, and the commits of
 * that patch and the ones after it (the builds of ethereum/solc-bin, `linux-amd64/list.json`; the newest ones
 * as the compilers themselves say it).
 */
const COMMITS: readonly (readonly [minor: string, firstPatch: number, commits: string])[] = [
  [
    "0.4",
    10,
    "f0d539ae 68ef5810 194ff033 0fb4cb1a c2215d46 8b45bddb d7661dd9 bdeb9e52 9cf6e910 c4cbbb05" +
      " 3155dd80 dfe3193c 4cb486ee 124ca40d e67f0147 59dbf8f1 4563c3fc",
  ],
  [
    "0.5",
    0,
    "1d4f565a c8a2cb62 1df8f40c 10d17f24 9549d8ff 47a71e8f b259423e 6da8b019 23d335f2 c68bc34e" +
      " 5a6ea5b1 22be8592 7709ece9 5b0b510c 01f1aaa4 6a57276f 9c3226ce d19bba13",
  ],
  [
    "0.6",
    0,
    "26b70077 e6f7d5a4 bacdbe57 8dda9521 1dca32f3 f956cc89 6c089d02 b8d736ae 0bbfe453 3e3065ac" +
      " 00c0fcaf 5ef660b1 27d51765",
  ],
  ["0.7", 0, "9e61f92b f4a555be 51b20bc0 9bfce1f6 3f05b770 eb77ed08 7338295f"],
  [
    "0.8",
    0,
    "c7dfd78e df193b15 661d1103 8d00100c c7e474f2 a4f2e591 11564f7e e28d00a7 dddeac2f e5eed63a" +
      " fc410830 d7f03943 f00d7308 abaa5c0e 80d49f37 e14f2714 07a7930e 8df45f5f 87f61d96 7dd6d404" +
      " a1b79de6 d9974bed 4fc1097e f704f362 e11b9ed9 b61c2a91 8a97fa7a 40a35a09 7893614a ab55807c" +
      " 73712a01 fd3a2265 ebbd65e5 64118f21 80d5c536 47b9dedd 8a079791 f401782d",
  ],
];

/** Released compilers in the full form `0.8.30+commit.73712a01`, oldest first. */
export const solcReleases: readonly string[] = COMMITS.flatMap(([minor, firstPatch, commits]) =>
  commits.split(" ").map((commit, at) => `${minor}.${firstPatch + at}+commit.${commit}`),
);

/**
 * The full form of a compiler version, which the service needs to find the compiler: `0.8.30` and `v0.8.30`
 * are completed from the list of releases, a full version stays as it is. What a compiler binary says of its
 * platform (`0.8.30+commit.73712a01.Linux.g++`) goes.
 *
 * @throws LedgerLensError `invalid_compiler_version`.
 */
export function completeSolcVersion(version: string, releases: readonly string[] = solcReleases): string {
  const named = plainVersion(version);
  const full = /^(\d+\.\d+\.\d+(?:-[\w.]+)?\+commit\.[0-9a-f]{8})(?:\.[\w.+]+)?$/.exec(named)?.[1];
  if (full !== undefined) return full;
  const release = releases.find((known) => known.startsWith(`${named}+`));
  if (release) return release;
  const newest = releases.at(-1) ?? "";
  throw new LedgerLensError(
    "invalid_compiler_version",
    t`"${version}" is not a solc release that Ledger Lens knows. Use a release like ${shortVersion(newest)}, or the full form ${newest}.`,
  );
}

/** The released builds of a compiler list. */
export const solcBuildList = object({
  builds: listOf(
    object({
      longVersion: matching(/^\d+\.\d+\.\d+\+commit\.[0-9a-f]{8}$/, () => t`a release's version`),
      path: ifReadable(text(1_000)),
      sha256: ifReadable(matching(/^0x[0-9a-f]{64}$/, () => t`a SHA-256`)),
    }),
  ),
});

/** SHA-256 of compilers by their full versions, lower-case hexadecimal. */
export type CompilerHashes = Readonly<Record<string, string>>;

/**
 * The hashes of the JavaScript builds that a compiler list names, of releases that are not known here alone: no list makes
 * another file the official one of a release that is.
 *
 * @throws LedgerLensError `compiler_list_refused` for a list whose files lie elsewhere than beside it
 */
export function solcHashesOf(list: unknown): CompilerHashes {
  const builds = readAs(solcBuildList, list)?.builds ?? [];
  const outside = builds.find(({ path }) => path !== undefined && !/^[\w.+-]+$/.test(path));
  if (outside)
    throw new LedgerLensError(
      "compiler_list_refused",
      t`The list of Solidity compilers names a file for ${outside.longVersion} that does not lie beside it, so nothing of it was kept. Check ledgerLens.solcListUrl.`,
      { detail: outside.path ?? "" },
    );
  const known = new Set(solcReleases.map(shortVersion));
  return Object.fromEntries(
    builds.flatMap(({ longVersion, path, sha256 }) =>
      sha256 !== undefined && path === soljsonName(longVersion) && !known.has(shortVersion(longVersion))
        ? [[longVersion, sha256.slice("0x".length)]]
        : [],
    ),
  );
}

/** The name of the JavaScript build of a release (ethereum/solc-bin). */
export function soljsonName(longVersion: string): string {
  return `soljson-v${longVersion}.js`;
}

/**
 * The releases of a newer compiler list (ethereum/solc-bin, `list.json`) together with the ones known here,
 * oldest first. What is known here stays as it is, so that no list can make another compiler of a release; builds
 * that are no releases are left out. What is not a list gives the ones known here.
 */
export function withSolcReleaseList(list: unknown): readonly string[] {
  const known = new Set(solcReleases.map(shortVersion));
  const builds = readAs(solcBuildList, list)?.builds ?? [];
  const published = new Map(
    builds.map(({ longVersion }) => [shortVersion(longVersion), longVersion] as const),
  );
  const added = [...published].flatMap(([short, version]) => (known.has(short) ? [] : [version]));
  return [...solcReleases, ...added].sort((a, b) =>
    shortVersion(a).localeCompare(shortVersion(b), "en", { numeric: true }),
  );
}
