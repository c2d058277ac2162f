import { t } from "@vscode/l10n";
import { byCodeUnits } from "../concurrency/sortInPieces.ts";
import { isInside, joinPath } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { INSTALLED_FOLDERS } from "../sources/packagedPath.ts";
import { MAX_PROJECTS, RememberedResults } from "../sources/rememberedResults.ts";
import { dependenciesOf, givesWay, projectAt, type Project } from "./project.ts";

/** Levels below an open folder on which projects are looked for; those of a monorepo lie on the second or third. */
const DEEPEST = 5;
/** More folders than hold the sources of any workspace, what is installed apart. */
const MAX_FOLDERS = 4_000;

const known = new RememberedResults<readonly Project[]>();

/**
 * The projects below an open folder, and in it itself, for each of which a tool is set up; the outer ones first. What
 * lies in a project's folders of dependencies and of what its tools make is none.
 */
export function projectsBelow(files: FolderReader, folder: string): Promise<readonly Project[]> {
  return known.get(files, folder, (asked) => lookForProjects(asked.files, folder));
}

async function lookForProjects(files: FolderReader, top: string): Promise<Project[]> {
  const projects: Project[] = [];
  const foreign = new Set<string>();
  let level = [top];
  let seen = 0;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (foreign.has(folder)) continue;
      if (++seen > MAX_FOLDERS || projects.length >= MAX_PROJECTS) {
        noteSkipped(files, top, t`holds too many folders to look for projects in all of them`);
        return projects;
      }
      const project = await projectAt(files, folder);
      if (project && !(await belongsToOne(files, project, projects))) {
        projects.push({ ...project, opened: top });
        for (const made of project.tools.flatMap(({ outputFolders }) => outputFolders))
          foreign.add(joinPath(folder, made));
        for (const dependencies of await dependenciesOf(files, project)) foreign.add(dependencies);
      }
      const entries = [...((await files.list(folder)) ?? [])].sort((a, b) => byCodeUnits(a.name, b.name));
      for (const { name, kind, link } of entries)
        if (kind === "folder" && link !== true && !INSTALLED_FOLDERS.includes(name) && !name.startsWith("."))
          next.push(joinPath(folder, name));
    }
    level = next;
  }
  return projects;
}

/** Whether a project belongs to one of those that lie further out. */
async function belongsToOne(
  files: FolderReader,
  project: Project,
  outer: readonly Project[],
): Promise<boolean> {
  for (const one of outer)
    if (isInside(project.root, one.root) && (await givesWay(files, project, one))) return true;
  return false;
}
