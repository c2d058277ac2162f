/** What Hardhat 3 puts before the paths of a project's own files. */
export const HARDHAT3_OWN = "project/";
