/** A package of npm, and where `forge install` puts the same files: the folder below `lib`, from that of the repository on. */
interface LibraryRepository {
  readonly npm: string;
  readonly folder: string;
}

/** The packages whose repository has another name or another root than the package (each read in its repository). */
const REPOSITORIES: readonly LibraryRepository[] = [
  { npm: "@openzeppelin/contracts", folder: "openzeppelin-contracts/contracts" },
  { npm: "@openzeppelin/contracts-upgradeable", folder: "openzeppelin-contracts-upgradeable/contracts" },
  {
    npm: "@openzeppelin/contracts",
    folder: "openzeppelin-contracts-upgradeable/lib/openzeppelin-contracts/contracts",
  },
  { npm: "@chainlink/contracts", folder: "chainlink-brownie-contracts/contracts" },
  { npm: "@chainlink/contracts", folder: "chainlink/contracts" },
  { npm: "@prb/math", folder: "prb-math" },
  { npm: "erc721a", folder: "ERC721A" },
  { npm: "erc721a", folder: "erc721a" },
];

/** Where forge may have the files of a package of npm: folders relative to the root. */
export function libraryFolders(npm: string): string[] {
  const known = REPOSITORIES.filter((one) => one.npm === npm).map(({ folder }) => folder);
  const [, scope = "", name = npm] = /^@([^/]+)\/(.+)$/.exec(npm) ?? [];
  const usual = [name, ...(scope === "" ? [] : [`${scope}-${name}`])];
  return [...known, ...(known.length > 0 ? [] : usual)].map((folder) => `lib/${folder}`);
}

/** The package of npm that a path leads into by forge's folders, and the path below; `undefined` for any other. */
export function packageInLibrary(path: string): { readonly npm: string; readonly below: string } | undefined {
  for (const { npm, folder } of REPOSITORIES) {
    const start = `lib/${folder}/`;
    const at = path.lastIndexOf(start);
    if (at === 0 || path.charAt(at - 1) === "/") return { npm, below: path.slice(at + start.length) };
  }
  return undefined;
}

/** The packages whose files lie in projects by another name, and those that went by one of before. */
export const KNOWN_PACKAGES: readonly string[] = [
  ...new Set(REPOSITORIES.map(({ npm }) => npm)),
  "openzeppelin-solidity",
  "zeppelin-solidity",
  "solmate",
  "solady",
];

/** The repository among forge's libraries that a path leads into: `lib/solmate`; empty for any other path. */
export function repositoryOf(path: string): string {
  return /^lib\/[^/]+(?=\/|$)/.exec(path)?.[0] ?? "";
}

/** Where forge finds what its own tests need. */
const FORGE_STD = "forge-std/=lib/forge-std/src/";
const DS_TEST_OF_FORGE_STD = "ds-test/=lib/forge-std/lib/ds-test/src/";
const DS_TEST = "ds-test/=lib/ds-test/src/";

/** Lists of what projects have for their tests, the likeliest first; libraries may bring parts of it with them. */
export function testRemappings(repositories: readonly string[]): (readonly string[])[] {
  const brought = repositories.flatMap((one) => [
    [`ds-test/=${one}/lib/ds-test/src/`, FORGE_STD],
    [`ds-test/=${one}/lib/forge-std/lib/ds-test/src/`, FORGE_STD],
    [`forge-std/=${one}/lib/forge-std/src/`],
    [`ds-test/=${one}/lib/forge-std/lib/ds-test/src/`, `forge-std/=${one}/lib/forge-std/src/`],
    [`ds-test/=${one}/lib/ds-test/src/`],
  ]);
  const hardhat = "hardhat/=node_modules/hardhat/";
  const ofNpm = "forge-std/=node_modules/forge-std/src/";
  return [
    [FORGE_STD],
    [DS_TEST_OF_FORGE_STD, FORGE_STD],
    [],
    [FORGE_STD, hardhat],
    [DS_TEST, FORGE_STD],
    [ofNpm],
    ...brought,
    [DS_TEST],
    [DS_TEST_OF_FORGE_STD, FORGE_STD, hardhat],
    [DS_TEST_OF_FORGE_STD],
    [hardhat],
  ];
}

/** What projects have beside what one contract of them needs: a list for each, the most usual first. */
export function otherLibraries(repositories: readonly string[]): (readonly string[])[] {
  const oz = "lib/openzeppelin-contracts";
  const upgradeable = `${oz}-upgradeable`;
  const contracts = `@openzeppelin/contracts/=${oz}/contracts/`;
  const ofOz = inferredRemappings(oz)
    .slice(1, 5)
    .map((one) => [contracts, ...one]);
  const lists = [
    ["solmate/=lib/solmate/src/"],
    ["solady/=lib/solady/src/"],
    ["solmate/=lib/solmate/"],
    ["solady/=lib/solady/"],
    ["murky/=lib/murky/"],
    ...ofOz,
    [contracts],
    [`@openzeppelin/=${oz}/`],
    ["@openzeppelin/=node_modules/@openzeppelin/"],
    [`@openzeppelin/contracts-upgradeable/=${upgradeable}/contracts/`],
    ["@chainlink/=lib/chainlink/"],
    ["@chainlink/contracts/=lib/chainlink-brownie-contracts/contracts/"],
    ["solmate/=lib/solmate/src/", "solady/=lib/solady/src/"],
    ["@prb/math/=lib/prb-math/src/"],
  ];
  const isOfThese = (list: readonly string[]) =>
    list.some((line) => repositories.some((one) => line.includes(`=${one}/`)));
  return lists.filter((list) => !isOfThese(list));
}

/**
 * What forge infers by itself from a library in a folder below `lib`, by the libraries that its releases bring with them:
 * a list for each release, the likeliest first.
 *
 * @param repository `lib/solmate`
 */
export function inferredRemappings(repository: string): (readonly string[])[] {
  const name = repository.slice("lib/".length);
  if (name === "openzeppelin-contracts" || name === "openzeppelin-contracts-upgradeable") {
    const root = `${name}/=${repository}/`;
    const contracts = `${name}/=${repository}/contracts/`;
    const scope = `@openzeppelin/=${repository}/`;
    const tests = `erc4626-tests/=${repository}/lib/erc4626-tests/`;
    const halmos = `halmos-cheatcodes/=${repository}/lib/halmos-cheatcodes/src/`;
    const short = `openzeppelin/=${repository}/contracts/`;
    return [
      [],
      [tests, halmos, root],
      [tests, root],
      [tests, root, short],
      [root],
      [contracts],
      [root, short],
      [tests, contracts],
      [tests, root, scope],
      [root, scope],
      [scope],
      [tests, halmos, root, scope],
      [tests, halmos, root, short],
      [tests],
      [tests, halmos],
      [short],
    ];
  }
  return [[], ...["", "src/", "contracts/"].map((below) => [`${name}/=${repository}/${below}`])];
}
