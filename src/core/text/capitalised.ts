/** With a capital letter, as a sentence begins and as names are shown: "Cancun" of `cancun`. */
export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
