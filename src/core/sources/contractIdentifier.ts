/**
 * The two halves of a contract identifier, `path/to/File.sol:Name`: a source unit name, or a path, may hold a colon itself, the
 * name of a contract does not. The file is empty where none is named.
 */
export function splitIdentifier(identifier: string): { readonly file: string; readonly name: string } {
  const colon = identifier.lastIndexOf(":");
  return { file: identifier.slice(0, Math.max(colon, 0)), name: identifier.slice(colon + 1) };
}
