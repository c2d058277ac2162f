// The package of the marketplaces, made by their own tool.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { longIt } from "../rig/longTest.ts";
import { promisify } from "node:util";
import JSZip from "jszip";
import { repositoryRoot } from "../rig/paths.ts";

/** What stands in a VSIX; the names of files that are cut from the program end with a hash. */
const CONTENT = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE.txt",
  "extension/changelog.md",
  "extension/dist/*-HASH.js",
  "extension/dist/THIRD_PARTY_NOTICES.txt",
  "extension/dist/compilerWorker.js",
  "extension/dist/dataWorker.js",
  "extension/dist/extension.js",
  "extension/dist/package.json",
  "extension/dist/pages/transaction.css",
  "extension/dist/pages/transaction.js",
  "extension/dist/pages/verification.css",
  "extension/dist/pages/verification.js",
  "extension/dist/parts.js",
  "extension/l10n/bundle.l10n.de.json",
  "extension/media/icon.png",
  "extension/media/ledgerLens.svg",
  "extension/media/walkthrough/explain.svg",
  "extension/media/walkthrough/mismatch.json",
  "extension/media/walkthrough/open.svg",
  "extension/media/walkthrough/status.svg",
  "extension/media/walkthrough/transaction.svg",
  "extension/media/walkthrough/verify.svg",
  "extension/package.json",
  "extension/package.nls.de.json",
  "extension/package.nls.json",
  "extension/readme.md",
];

/** Licences under which what is bundled may be handed on with a notice. */
const LICENCES = /^\(?(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|Zlib)\b/;
const REPOSITORY = "https://github.com/example/ledger-lens";

interface Manifest {
  readonly icon?: string;
  readonly repository?: { readonly url: string };
  readonly bugs?: { readonly url: string };
  readonly homepage?: string;
  readonly qna?: string | false;
  readonly badges?: readonly { readonly url: string; readonly href: string }[];
  readonly version: string;
  readonly scripts?: object;
  readonly dependencies?: object;
}

describe("The package", () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), "ledger-lens-vsix-"));
  });
  after(() => rm(place, { recursive: true, force: true }));

  /** Packages as a person does, and answers what the tool said and what is in the file. */
  async function packaged(repository?: string) {
    const vsix = join(place, `${repository === undefined ? "without" : "with"}.vsix`);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["package.mjs", vsix], {
      cwd: repositoryRoot,
      env: { ...process.env, LEDGER_LENS_REPOSITORY: repository ?? "" },
    });
    const zip = await JSZip.loadAsync(await readFile(vsix));
    const text = async (name: string) => (await zip.file(name)?.async("text")) ?? assert.fail(`no ${name}`);
    const names = Object.values(zip.files).flatMap(({ dir, name }) => (dir ? [] : [name]));
    return { said: `${stdout}\n${stderr}`, names, text };
  }

  it("has what runs and what is read of it, and nothing else, without a warning", async () => {
    const { said, names, text } = await packaged();
    assert.doesNotMatch(said, /\bWARN|\bERROR/);
    const kinds = names.map((name) => name.replace(/\/[\w-]+-[A-Z0-9]{8}\.js$/, "/*-HASH.js"));
    assert.deepEqual([...new Set(kinds)].sort(), CONTENT);
    const manifest = JSON.parse(await text("extension/package.json")) as Manifest;
    assert.deepEqual(
      [manifest.repository, manifest.scripts, manifest.dependencies, manifest.icon, manifest.qna],
      [undefined, undefined, undefined, "media/icon.png", false],
    );
    // The marketplaces take pictures from the repository, of which nothing is known here.
    assert.doesNotMatch(await text("extension/readme.md"), /!\[|<img/);
  });

  it("names the licence of everything that is bundled, of which each may be handed on so", async () => {
    const { text } = await packaged();
    const [, ...notices] = (await text("extension/dist/THIRD_PARTY_NOTICES.txt")).split(/\n-{78}\n\n/);
    const manifest = JSON.parse(await readFile(join(repositoryRoot, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    const bundled = new Set<string>();
    for (const notice of notices) {
      const [, name = "", licence = ""] = /^(\S+) \S+ \((.+)\)\n\n/.exec(notice) ?? [];
      assert.match(licence, LICENCES, name);
      assert.match(notice, /permi|licen[cs]e/i, name);
      bundled.add(name);
    }
    // What is bundled is what others call a dependency; everything else serves the work on it.
    const { dependencies, devDependencies } = manifest;
    assert.deepEqual(
      Object.keys(dependencies).filter((name) => !bundled.has(name)),
      [],
    );
    assert.deepEqual(
      Object.keys(devDependencies).filter((name) => bundled.has(name)),
      [],
    );
  });

  longIt(
    "takes the addresses of a release from the environment, and the pictures from its tag there",
    async () => {
      const { said, text } = await packaged(REPOSITORY);
      assert.doesNotMatch(said, /\bWARN|\bERROR/);
      const manifest = JSON.parse(await text("extension/package.json")) as Manifest;
      assert.equal(manifest.repository?.url, `${REPOSITORY}.git`);
      assert.equal(manifest.bugs?.url, `${REPOSITORY}/issues`);
      assert.equal(manifest.homepage, `${REPOSITORY}#readme`);
      assert.equal(manifest.qna, `${REPOSITORY}/issues`);
      // A badge tells what a workflow of the repository came to, so that there has to be one.
      const [badge] = manifest.badges ?? [];
      const workflow = /^actions\/workflows\/(\w+\.yml)$/.exec(
        badge?.href.slice(REPOSITORY.length + 1) ?? "",
      );
      assert.equal(badge?.url, `${badge?.href}/badge.svg?branch=main`);
      assert.match(
        await readFile(join(repositoryRoot, ".github/workflows", workflow?.[1] ?? ""), "utf8"),
        /branches: \[main\][^]*run: npm test\n/,
      );
      const pictures = [...(await text("extension/readme.md")).matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(
        ([, address = ""]) => address,
      );
      assert.ok(pictures.length >= 4);
      for (const address of pictures) {
        assert.ok(address.startsWith(`${REPOSITORY}/raw/v${manifest.version}/media/`), address);
        await readFile(join(repositoryRoot, "media", address.slice(address.lastIndexOf("/") + 1)));
      }
    },
  );
});
