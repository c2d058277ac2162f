import { lastSegment, relativePath } from "../../files/fileReader.ts";
import { globCovers } from "../../files/globPattern.ts";

/**
 * True when a glob of `foundry.toml` means a file: it covers the whole path or the path below the root, or the file's
 * name holds it as it is written (`GlobMatcher::is_match` in foundry-rs/foundry, crates/config/src/filter.rs).
 *
 * @param path absolute, as is `root`
 */
export function foundryGlobCovers(pattern: string, path: string, root: string): boolean {
  const relative = relativePath(path, root);
  return (
    globCovers(pattern, path) ||
    lastSegment(path).includes(pattern) ||
    (relative !== undefined && globCovers(pattern, pattern.startsWith("./") ? `./${relative}` : relative))
  );
}
