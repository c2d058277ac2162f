/**
 * A text in which what is said often is said shortly: a line `$a=address` before it says what `$a` stands for behind that line,
 * which may be in a later such line too.
 *
 * @param phrases what is looked for, in this order
 * @throws {Error} where the text has the sign of an abbreviation already
 */
export function abbreviated(text, phrases) {
  if (text.includes("$")) throw new Error("the text has the sign of an abbreviation");
  const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const definitions = [];
  let short = text;
  const replace = (phrase) => {
    const count = short.split(phrase).length - 1;
    // What replaces it takes two characters each time, and its line four more than itself.
    if (letters.length === 0 || (count - 1) * phrase.length <= 2 * count + 4) return;
    const sign = `$${letters.shift()}`;
    definitions.push(`${sign}=${phrase}`);
    short = short.replaceAll(phrase, () => sign);
  };
  for (const phrase of phrases) replace(phrase);
  // Tuples from the inside: what is around one then has its sign.
  let known = -1;
  while (definitions.length > known) {
    known = definitions.length;
    for (const tuple of new Set(short.match(/(?<!\w)\([^()\n]+\)/g))) replace(tuple);
  }
  return `${[...definitions, short].join("\n")}\n`;
}
