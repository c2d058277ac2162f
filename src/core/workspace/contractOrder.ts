import { lastSegment } from "../files/fileReader.ts";
import type { DefinedContract } from "./contracts.ts";

/** Folders of what serves the work on contracts, as tools and people call them. */
const FOLDERS = new Set([
  "test",
  "tests",
  "script",
  "scripts",
  "mock",
  "mocks",
  "harness",
  "echidna",
  "certora",
]);
/** Foundry's endings of tests and scripts (book.getfoundry.sh, "Tests" and "Scripting"). */
const FILE = /\.[ts]\.sol$|(?:^|[._-])(?:mock|test)s?\.(?:sol|vy)$/i;
/** `MockToken`, `TokenMock`, `VaultTest`, `VaultHarness`, but no `Testament`. */
const NAME = /^Mock(?=[A-Z0-9_])|(?:Mock|Mocks|Test|Tests|Harness|Script)$/;

/**
 * Whether a contract is a script, a test or a mock: what is deployed to be verified rarely, if ever.
 *
 * @param folders open ones, absolute: what stands above them says nothing
 */
export function isSupporting({ path, name }: DefinedContract, folders: readonly string[]): boolean {
  const opened = folders.find((folder) => path.startsWith(`${folder}/`)) ?? "";
  const segments = path.slice(opened.length).split("/").slice(0, -1);
  return (
    FILE.test(lastSegment(path)) ||
    NAME.test(name) ||
    segments.some((segment) => FOLDERS.has(segment.toLowerCase()))
  );
}

/** The same list with what is a script, a test or a mock behind everything else, each part in the order that it has. */
export function supportingLast<T>(
  items: readonly T[],
  contractOf: (item: T) => DefinedContract | undefined,
  folders: readonly string[],
): T[] {
  // A contract can have thousands of items.
  const known = new Map<DefinedContract, boolean>();
  const isBehind = (contract: DefinedContract) => {
    const said = known.get(contract) ?? isSupporting(contract, folders);
    known.set(contract, said);
    return said;
  };
  const [front, back]: [T[], T[]] = [[], []];
  for (const item of items) {
    const contract = contractOf(item);
    (contract !== undefined && isBehind(contract) ? back : front).push(item);
  }
  return [...front, ...back];
}
