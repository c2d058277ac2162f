import { plainVersion, shortVersion } from "../../versions.ts";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import { ifReadable, listOf, object, readAs, text } from "../../json/shape.ts";
import { compareVyperVersions } from "./vyperPragma.ts";

/**
 * Released Vyper compilers by the names of their files (vyperlang/vyper, releases), oldest first. The commit is
 * that of the release's tag, in seven digits up to 0.3.0 and in eight since. Of the prereleases it has those whose
 * packages carry the commit in eight digits (`vyper/vyper_git_commithash.txt` in the package).
 */
export const vyperReleases: readonly string[] = [
  "0.1.0-beta.16+commit.5e4a94a",
  "0.1.0-beta.17+commit.0671b7b",
  "0.2.0+commit.d2c0c87",
  "0.2.1+commit.cac3d7d",
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
  "0.4.1b1+commit.039d3692",
  "0.4.1b2+commit.f249c936",
  "0.4.1b3+commit.537313b0",
  "0.4.1b4+commit.4507d2a6",
  "0.4.1rc1+commit.4d693b72",
  "0.4.1rc2+commit.305813c9",
  "0.4.1rc3+commit.1339177d",
  "0.4.1+commit.8a93dd27",
  "0.4.2rc1+commit.11522b83",
  "0.4.2+commit.c216787f",
  "0.4.3rc1+commit.a35bfd5e",
  "0.4.3+commit.bff19ea2",
  "0.5.0a1+commit.7d73c468",
  "0.5.0a2+commit.0cc5c4ad",
  "0.5.0a3+commit.994bfdec",
  "0.5.0b1+commit.577d2534",
];

/** A version that is not a release yet: `0.5.0b1`. */
export function isVyperPrerelease(version: string): boolean {
  return !/^\d+\.\d+\.\d+$/.test(shortVersion(version));
}

/**
 * The name by which the service finds a Vyper compiler: `0.4.3`, `v0.4.3` and the shortened commit that some
 * builds of `vyper --version` print are completed from the list of releases; another full form stays as it is,
 * for releases that came later.
 *
 * @throws LedgerLensError `invalid_compiler_version`.
 */
export function completeVyperVersion(version: string, releases: readonly string[] = vyperReleases): string {
  const text = plainVersion(version);
  const [, short = "", commit] =
    /^(\d+\.\d+\.\d+(?:-?(?:alpha|beta|a|b|rc)\.?\d+)?)(?:\+commit\.([0-9a-f]{6,}))?$/.exec(text) ?? [];
  // `0.1.0b17` and `0.1.0-beta.17` are one.
  const isSame = (known: string) =>
    known === short || (short !== "" && compareVyperVersions(known, short) === 0);
  const release = releases.find((known) => isSame(shortVersion(known)));
  const releaseCommit = release?.split("+commit.")[1] ?? "";
  if (
    short !== "" &&
    release !== undefined &&
    (commit === undefined || commit.startsWith(releaseCommit) || releaseCommit.startsWith(commit))
  )
    return release;
  if (commit !== undefined) return text;
  const newest = releases.findLast((known) => !isVyperPrerelease(known)) ?? "";
  throw new LedgerLensError(
    "invalid_compiler_version",
    t`"${version}" is not a Vyper release that Ledger Lens knows. Use a release like ${shortVersion(newest)}, or the full form ${newest}.`,
  );
}

/** Releases as GitHub lists them. */
export const vyperReleaseList = listOf(
  object({ tag_name: text(), assets: ifReadable(listOf(object({ name: text() }))) }),
);

/**
 * The releases of a newer list together with the ones known here, oldest first: a list in the form of GitHub's
 * releases (`tag_name`, `assets` with the names of the files), as the public mirror of Vyper's releases has it. What
 * is known here stays as it is. What is not a list gives the ones known here.
 */
export function withVyperReleaseList(list: unknown): readonly string[] {
  const published = (readAs(vyperReleaseList, list) ?? []).flatMap(({ tag_name, assets = [] }) => {
    const tag = plainVersion(tag_name);
    for (const { name } of assets) {
      const [, version, full] =
        /^vyper\.((\d+\.\d+\.\d+(?:-?(?:alpha|beta|a|b|rc)\.?\d+)?)\+commit\.[0-9a-f]{7,40})\.\w+(?:\.exe)?$/.exec(
          name,
        ) ?? [];
      if (version !== undefined && full === tag) return [version];
    }
    return [];
  });
  const known = new Set(vyperReleases.map((release) => shortVersion(release)));
  const added = new Map(published.map((release) => [shortVersion(release), release]));
  return [
    ...vyperReleases,
    ...[...added].flatMap(([short, release]) => (known.has(short) ? [] : [release])),
  ].sort(compareVyperVersions);
}
