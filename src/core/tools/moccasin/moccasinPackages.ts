/** The folders of moccasin's packages, relative to the root. Other projects keep packages of Vyper there, too. */
export function moccasinPackages(lib = "lib"): string[] {
  return ["pypi", "github"].map((source) => `${lib}/${source}`);
}
