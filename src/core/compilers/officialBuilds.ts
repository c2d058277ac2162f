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
