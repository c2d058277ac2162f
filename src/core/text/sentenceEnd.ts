/** A sentence with its end: what others ask or call out keeps the mark that it has. */
export function ended(text: string): string {
  return /[.?!…]["”)]?$/.test(text) ? text : `${text}.`;
}
