/** So much of an id tells commits apart, as git shows it. */
const SHORT_ID = 10;

/** The id of a commit as a person reads it. */
export function shortCommit(id: string): string {
  return id.slice(0, SHORT_ID);
}
