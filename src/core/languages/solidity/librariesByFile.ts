/**
 * The addresses of libraries as standard JSON input has them: by file, then by name. Every name comes from a file of the
 * workspace, so that none is written to an object before it is an entry: `Object.fromEntries` makes `__proto__` a key
 * like any other, where an assignment would reach `Object.prototype`.
 */
export function librariesByFile(
  libraries: Iterable<{ readonly file: string; readonly name: string; readonly address: string }>,
): Record<string, Record<string, string>> {
  const files = new Map<string, Map<string, string>>();
  for (const { file, name, address } of libraries) {
    const names = files.get(file) ?? new Map<string, string>();
    files.set(file, names.set(name, address));
  }
  return Object.fromEntries([...files].map(([file, names]) => [file, Object.fromEntries(names)]));
}
