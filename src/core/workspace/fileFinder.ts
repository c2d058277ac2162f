/** How core lists the files of the open folders. */
export interface FileFinder {
  /**
   * The absolute paths, as {@link FileReader} has them, of the files of the open folders that fit `include` and not
   * `exclude`. Both are globs relative to an open folder, with `*`, `**` and `{a,b}`.
   */
  find(include: string, exclude: string): Promise<readonly string[]>;
}
