import { LedgerLensError } from "../errors.ts";

/**
 * Released Vyper compilers by the names of their files (vyperlang/vyper, releases), oldest first. The commit is
 * that of the release's tag, in seven digits up to 0.3.0 and in eight since.
 */
export const vyperReleases: readonly string[] = [
  "0.2.2+commit.337c2ef",
  "0.2.3+commit.006968f",
  "0.2.4+commit.7949850",
  "0.2.5+commit.a0c561c",
  "0.2.6+commit.35467d5",
  "0.2.7+commit.0b3f3b3",
  "0.2.8+commit.069936f",
  "0.2.11+commit.5db35ef",
  "0.2.12+commit.2c6842c",
  "0.2.15+commit.6e7dba7",
  "0.2.16+commit.59e1bdd",
  "0.3.0+commit.8a23feb",
  "0.3.1+commit.0463ea4c",
  "0.3.2+commit.3b6a4117",
  "0.3.3+commit.48e326f0",
  "0.3.4+commit.f31f0ec4",
  "0.3.6+commit.4a2124d0",
  "0.3.7+commit.6020b8bb",
  "0.3.8+commit.036f1536",
  "0.3.9+commit.66b96705",
  "0.3.10+commit.91361694",
  "0.4.0+commit.e9db8d9f",
  "0.4.1+commit.8a93dd27",
  "0.4.2+commit.c216787f",
  "0.4.3+commit.bff19ea2",
];

/**
 * The name by which the service finds a Vyper compiler: `0.4.3`, `v0.4.3` and the shortened commit that some
 * builds of `vyper --version` print are completed from the list of releases; another full form stays as it is,
 * for releases that came later.
 *
 * @throws LedgerLensError `invalid_compiler_version`.
 */
export function completeVyperVersion(version: string): string {
  const text = version.trim().replace(/^v/, "");
  const [, short = "", commit] = /^(\d+\.\d+\.\d+\w*)(?:\+commit\.([0-9a-f]{6,}))?$/.exec(text) ?? [];
  const release = vyperReleases.find((known) => known.startsWith(`${short}+`));
  const releaseCommit = release?.split("+commit.")[1] ?? "";
  if (
    short !== "" &&
    release &&
    (commit === undefined || commit.startsWith(releaseCommit) || releaseCommit.startsWith(commit))
  )
    return release;
  if (commit !== undefined) return text;
  const newest = vyperReleases.at(-1) ?? "";
  throw new LedgerLensError(
    "invalid_compiler_version",
    `"${version}" is not a Vyper release that Ledger Lens knows. Use a release like ${newest.split("+")[0]}, or the full form ${newest}.`,
  );
}
