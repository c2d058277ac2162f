/** A parsed remapping: in units whose name begins with `context`, `prefix` is replaced by `target`. */
export interface Remapping {
  readonly context: string;
  readonly prefix: string;
  readonly target: string;
}

/**
 * Parses `context:prefix=target`: the first `=` splits, then the first `:` before it; the prefix must not be
 * empty, the target may be (ethereum/solidity, libsolidity/interface/ImportRemapper.cpp, `parseRemapping`).
 */
export function parseRemapping(text: string): Remapping | undefined {
  const equals = text.indexOf("=");
  if (equals < 0) return undefined;
  const left = text.slice(0, equals);
  const colon = left.indexOf(":");
  const context = colon < 0 ? "" : left.slice(0, colon);
  const prefix = left.slice(colon + 1);
  return prefix === "" ? undefined : { context, prefix, target: text.slice(equals + 1) };
}

/** The remappings of the text of a `remappings.txt`, one a line, as they stand there. */
export function remappingsIn(text: string): string[] {
  return remappingLines(text).flatMap(({ line, remapping }) => (remapping ? [line] : []));
}

/** A line that is not empty, and the remapping that it is. */
interface RemappingLine {
  readonly line: string;
  /** One-based. */
  readonly number: number;
  readonly remapping: Remapping | undefined;
}

/**
 * The lines of the text of a `remappings.txt`, as forge reads them: it has no comments, and `# @oz/=lib/oz/` is a
 * remapping of `# @oz/` (`forge remappings` of 1.7.1).
 */
export function remappingLines(text: string): RemappingLine[] {
  return text
    .split(/\r?\n/)
    .map((line, at) => ({ line: line.trim(), number: at + 1 }))
    .filter(({ line }) => line !== "")
    .map(({ line, number }) => ({ line, number, remapping: parseRemapping(line) }));
}

/**
 * The source unit name that `path` stands for when `importer` imports it; see {@link selectRemapping}.
 */
export function applyRemappings(remappings: readonly Remapping[], path: string, importer: string): string {
  const best = selectRemapping(remappings, path, importer);
  return best ? best.target + path.slice(best.prefix.length) : path;
}

/**
 * The one remapping that applies: the one with the longest context, then the longest prefix, then the last one
 * listed (ImportRemapper::apply; the documentation leaves the context out, the compiler does not).
 */
export function selectRemapping<Mapping extends Omit<Remapping, "target">>(
  remappings: readonly Mapping[],
  path: string,
  importer: string,
): Mapping | undefined {
  let best: Mapping | undefined;
  for (const remapping of remappings) {
    if (!importer.startsWith(remapping.context) || !path.startsWith(remapping.prefix)) continue;
    if (best) {
      if (remapping.context.length < best.context.length) continue;
      if (remapping.context.length === best.context.length && remapping.prefix.length < best.prefix.length)
        continue;
    }
    best = remapping;
  }
  return best;
}

/** The name by which a file of a library is imported: by the closest remapping that leads there. */
export function importedName(remappings: readonly Remapping[], path: string): string {
  const leading = remappings.filter(({ target }) => path.startsWith(target));
  const [closest] = leading.sort((a, b) => b.target.length - a.target.length);
  return closest ? closest.prefix + path.slice(closest.target.length) : path;
}
