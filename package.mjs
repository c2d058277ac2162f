// Packages the extension: node package.mjs [file.vsix]
//
// LEDGER_LENS_REPOSITORY is the address of the repository that a release is made from, as in
// https://github.com/owner/name. Without it the package has no links to one, and its README no pictures, which the
// marketplaces take from there: as they were at the tag of the version, which has to be there before the release.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { argv, env, execPath } from "node:process";
import vsce from "@vscode/vsce";

const root = import.meta.dirname;
const repository = env["LEDGER_LENS_REPOSITORY"]?.replace(/\/+$/, "") || undefined;
const { version } = JSON.parse(read("package.json"));
const vsix = resolve(argv[2] ?? join(root, "dist/ledger-lens.vsix"));

const place = mkdtempSync(join(tmpdir(), "ledger-lens-package-"));
try {
  // Not into dist/, which an editor may be running.
  const build = [join(root, "esbuild.mjs"), "--production", "--into", join(place, "dist")];
  execFileSync(execPath, build, { cwd: root, stdio: "inherit" });
  for (const name of [
    "media/icon.png",
    "media/ledgerLens.svg",
    "media/walkthrough",
    "l10n",
    "package.nls.json",
    "package.nls.de.json",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
  ])
    cpSync(join(root, name), join(place, name), {
      recursive: true,
      filter: (path) => !path.endsWith(".vsix"),
    });
  writeFileSync(join(place, "package.json"), JSON.stringify(publishedManifest(), null, 2));
  if (!repository) writeFileSync(join(place, "README.md"), withoutPictures(read("README.md")));
  mkdirSync(dirname(vsix), { recursive: true });
  await vsce.createVSIX({
    cwd: place,
    packagePath: vsix,
    dependencies: false,
    // vsce asks whether it is meant that there is no address, and would take an invented one for an answer. A release has one.
    ...(!repository && { allowMissingRepository: true }),
    rewriteRelativeLinks: repository !== undefined,
    // What the page of a version shows stays what it showed when the version was new.
    ...(repository && {
      baseImagesUrl: `${repository}/raw/v${version}`,
      baseContentUrl: `${repository}/blob/v${version}`,
    }),
  });
} finally {
  rmSync(place, { recursive: true });
}

/** What the editor reads of the manifest; what belongs to the work on it stays away. */
function publishedManifest() {
  const manifest = JSON.parse(read("package.json"));
  const ofTheWork = [
    "scripts",
    "dependencies",
    "devDependencies",
    "optionalDependencies",
    "allowScripts",
    "private",
  ];
  for (const name of ofTheWork) delete manifest[name];
  const files = ["dist", "l10n", "media", "package.nls*.json", "README.md", "CHANGELOG.md", "LICENSE"];
  // Without an address the marketplaces open a page for questions of their own, which nobody reads.
  if (!repository) return { ...manifest, files, qna: false };
  return {
    ...manifest,
    files,
    qna: `${repository}/issues`,
    repository: { type: "git", url: `${repository}.git` },
    bugs: { url: `${repository}/issues` },
    homepage: `${repository}#readme`,
    badges: [
      {
        // What the tests of the main branch came to, by the repository's own workflow.
        url: `${repository}/actions/workflows/test.yml/badge.svg?branch=main`,
        href: `${repository}/actions/workflows/test.yml`,
        description: "Tests",
      },
    ],
  };
}

function withoutPictures(readme) {
  return readme.replace(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, "");
}

function read(name) {
  return readFileSync(join(root, name), "utf8");
}
