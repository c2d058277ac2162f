import { byCodeUnits } from "../../concurrency/sortInPieces.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { MAX_PROJECTS, RememberedResults } from "../../sources/rememberedResults.ts";
import type { SourceUnit } from "./solidityClosure.ts";
import type { SourceGraph } from "./sourceGraph.ts";

/** A name of a file, and the path by which it was found. */
type NamedFile = Pick<SourceUnit, "name" | "path">;

/** The names that files have in what a tool compiles together, remembered as long as no file of that changes. */
export class JobNames {
  /** A workspace has many projects, all of which are asked for a file that none of them holds. */
  readonly #known = new RememberedResults<ReadonlyMap<string, readonly NamedFile[]>>(MAX_PROJECTS);

  /**
   * The source unit name of a file that a project compiles or that what it compiles imports: that of the very path where it
   * has one.
   *
   * @param key all that the job depends on but for the files
   * @param job what is compiled together, made of what is read through these and of nothing else
   */
  async of(
    path: string,
    {
      files,
      sources,
      key,
    }: { readonly files: FolderReader; readonly sources: AdmittedSources; readonly key: string },
    job: (files: FolderReader, sources: AdmittedSources) => Promise<SourceGraph>,
  ): Promise<string | undefined> {
    const known = await this.#known.get(files, key, async (asked) =>
      byFile(asked.files, await job(asked.files, asked.sources(sources))),
    );
    const found = known.get((await files.realPath(path)) ?? path) ?? [];
    return (found.find((one) => one.path === path) ?? found[0])?.name;
  }
}

/** The units of a job by their paths behind all links, in the order of their names. */
async function byFile(
  files: Pick<FolderReader, "realPath">,
  { units }: SourceGraph,
): Promise<Map<string, NamedFile[]>> {
  const found = new Map<string, NamedFile[]>();
  const sorted = [...units.values()].sort((a, b) => byCodeUnits(a.name, b.name));
  const paths = await Promise.all(sorted.map(({ path }) => files.realPath(path)));
  sorted.forEach(({ name, path }, at) => {
    const real = paths[at] ?? path;
    found.set(real, [...(found.get(real) ?? []), { name, path }]);
  });
  return found;
}
