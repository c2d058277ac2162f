/** The folders of moccasin's packages, relative to the root. Other projects keep packages of Vyper there, too. */
export const MOCCASIN_PACKAGES: readonly string[] = ["lib/pypi", "lib/github"];
