/** A name as Solidity and JavaScript take it for one of their own, as a whole text. ASCII alone, as solc takes it. */
export const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Whether a text is an {@link IDENTIFIER}. */
export function isIdentifier(text: string | undefined): text is string {
  return text !== undefined && IDENTIFIER.test(text);
}
