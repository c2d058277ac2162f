/** Where a published file is from. */
export type FilePlace = "project" | "dependency" | "outside";
