/** Where the lists of compilers are fetched. */
export interface CompilerListAddresses {
  /** A `list.json` of solc's builds: `builds[].longVersion` (ethereum/solc-bin). */
  readonly solc: string;
  /** Vyper's releases as GitHub lists them: `[].tag_name`, `[].assets[].name`. */
  readonly vyper: string;
}

/**
 * The list of solc's JavaScript builds, beside which their files lie (argotorg/solc-bin, `bin/`), and the list of Vyper that
 * the public verification service itself reads (argotorg/sourcify, services/server).
 */
export const PUBLIC_COMPILER_LISTS: CompilerListAddresses = {
  solc: "https://binaries.soliditylang.org/bin/list.json",
  vyper: "https://vyper-releases-mirror.hardhat.org/list.json",
};
