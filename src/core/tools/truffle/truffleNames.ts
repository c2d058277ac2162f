/** What Truffle puts before the paths of a project's own files, so that they don't tell where they lie. */
export const TRUFFLE_OWN = "project:/";
