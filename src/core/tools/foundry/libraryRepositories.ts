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

/** The names that Foundry's projects have for the libraries that nearly all of them have, beside those they import. */
export const USUAL_REMAPPINGS: readonly string[] = [
  "forge-std/=lib/forge-std/src/",
  "ds-test/=lib/forge-std/lib/ds-test/src/",
  "ds-test/=lib/ds-test/src/",
];

/** What a library in a folder below `lib` calls for besides, or is called by, as forge finds it out by itself. */
export function remappingsAround(folder: string): string[] {
  const repository = folder.split("/").slice(0, 2).join("/");
  const name = repository.slice("lib/".length);
  if (name === "openzeppelin-contracts" || name === "openzeppelin-contracts-upgradeable")
    return [
      `${name}/=${repository}/`,
      `${name}/=${repository}/contracts/`,
      `@openzeppelin/=${repository}/`,
      `erc4626-tests/=${repository}/lib/erc4626-tests/`,
      `halmos-cheatcodes/=${repository}/lib/halmos-cheatcodes/src/`,
      `openzeppelin/=${repository}/contracts/`,
    ];
  return [`${name}/=${repository}/`, `${name}/=${repository}/src/`, `${name}/=${repository}/contracts/`];
}
