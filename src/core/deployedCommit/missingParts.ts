import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { parentFolder, relativePath } from "../files/fileReader.ts";
import { shortCommit } from "../git/shortCommit.ts";
import { UnresolvedImportError } from "../languages/solidity/solidityClosure.ts";
import { foreign, type ShownText } from "../text/shownText.ts";
import { listed } from "../text/counted.ts";
import type { CommitFiles } from "./commitFiles.ts";
import type { OtherPackage } from "./installedPackages.ts";

/**
 * What a commit was compiled with and is not here, as sentences: what it is, and how it can be had.
 *
 * @param contract where it lies in the commit, if it was looked for there
 */
export async function missingParts(
  files: CommitFiles,
  failure: unknown,
  root: string,
  contract?: { readonly path: string },
): Promise<ShownText[]> {
  if (failure instanceof UnresolvedImportError) {
    // A package that is not installed at all is not asked for by those who list folders first.
    for (const { lookedIn } of failure.imports)
      for (const path of lookedIn) await files.packages.otherThan(path);
  }
  const { missingSubmodules, missingObjects, pointers } = files.tree;
  const sentences = [
    ...missingSubmodules.map(
      ({ path, commit }) =>
        t`The submodule ${foreign(path.slice(1))} is recorded at ${shortCommit(commit)}, which is not in this clone. Run git submodule update --init ${foreign(path.slice(1))}.`,
    ),
    ...files.packages.others.map(packageSentence),
    ...(missingObjects.length > 0
      ? [
          t`This clone lacks objects of ${listed(missingObjects.map((path) => path.slice(1)))}. Run git fetch --refetch, or use a full clone.`,
        ]
      : []),
    ...pointers.map(
      (path) =>
        t`${foreign(path.slice(1))} is stored with Git LFS, so the commit holds only a pointer to it. Check the commit out, and verify from there.`,
    ),
  ];
  if (sentences.length === 0 && failure instanceof UnresolvedImportError) {
    const [{ importPath, importer }] = failure.imports;
    sentences.push(
      t`${foreign(relativePath(importer, root) ?? importer)} imports ${foreign(importPath)}, which is not committed.`,
    );
  }
  if (contract && failure instanceof LedgerLensError && failure.code === "invalid_contract")
    sentences.push(
      t`Earlier the contract lay in ${foreign(relativePath(parentFolder(contract.path), root) ?? "")}, outside the open folder. Open the repository's top folder to look there, too.`,
    );
  return sentences.map((sentence) => foreign(sentence, 1_000));
}

function packageSentence({ name, installed, wanted, saidBy }: OtherPackage): string {
  const own = foreign(name);
  if (saidBy === undefined || wanted.length === 0)
    return t`No lock file says which version of ${own} the commit was compiled with.`;
  if (saidBy === "package.json" && !wanted.some((version) => /^\d/.test(version)))
    return t`The commit asks for ${own} ${foreign(wanted[0] ?? "")}, and no lock file says which version that was.`;
  const meant = wanted.map((version) => foreign(version)).join(t` or `);
  const now = installed === undefined ? t`it is not installed` : t`${foreign(installed)} is installed`;
  return t`The commit was compiled with ${own} ${meant} (${saidBy}); ${now}. Install that version to try it.`;
}
