import type { CompilerHashes } from "../languages/solidity/solcReleases.ts";
import { ownValue } from "../json/ownValue.ts";
import { OFFICIAL_BUILDS } from "./officialHashes.ts";

/** A release of the compiler that runs here: its full version, and the SHA-256 of each of its official files. */
export interface OfficialBuild {
  /** Such as "0.8.28+commit.7893614a". */
  readonly longVersion: string;
  /** Lower-case hexadecimal. */
  readonly sha256: readonly string[];
}

/** Every release that takes standard JSON input, oldest first. */
export const officialBuilds: ReadonlyMap<string, OfficialBuild> = new Map(
  OFFICIAL_BUILDS.trim()
    .split("\n")
    .map((line) => {
      const [longVersion = "", ...hashes] = line.split(" ");
      return [longVersion, { longVersion, sha256: hashes.filter((hash) => hash !== "-") }];
    }),
);

/**
 * The build of a release that may run here: one that ships with its hashes, or one that a refreshed list made known.
 *
 * @param published SHA-256 by full version, of releases that were not known when this was made
 */
export function officialBuild(longVersion: string, published: CompilerHashes): OfficialBuild | undefined {
  const listed = ownValue(published, longVersion);
  return (
    officialBuilds.get(longVersion) ?? (listed === undefined ? undefined : { longVersion, sha256: [listed] })
  );
}

/** The release that a file is of, by its SHA-256. */
export function releaseOf(sha256: string, published: CompilerHashes): string | undefined {
  const shipped = [...officialBuilds.values()].find((build) => build.sha256.includes(sha256));
  return shipped?.longVersion ?? Object.entries(published).find(([, hash]) => hash === sha256)?.[0];
}
