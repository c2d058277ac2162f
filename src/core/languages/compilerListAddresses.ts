/** Where the lists of compilers are fetched. */
export interface CompilerListAddresses {
  /** A `list.json` of solc's builds: `builds[].longVersion` (ethereum/solc-bin). */
  readonly solc: string;
  /** Vyper's releases as GitHub lists them: `[].tag_name`, `[].assets[].name`. */
  readonly vyper: string;
}

/** The lists that the public verification service itself reads (argotorg/sourcify, services/server). */
export const PUBLIC_COMPILER_LISTS: CompilerListAddresses = {
  solc: "https://binaries.soliditylang.org/linux-amd64/list.json",
  vyper: "https://vyper-releases-mirror.hardhat.org/list.json",
};
