// The licences of what is bundled, for the file that lies in the package beside it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `node_modules/<name>`, also of a package below another one. */
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The packages of which something is in the output of builds.
 *
 * @param {readonly import("esbuild").Metafile[]} metafiles
 * @returns {{ name: string, version: string, licence: string, holder: string, text: string }[]} by name; `text` is empty
 * where the package brings no file of its licence
 */
export function bundledPackages(metafiles, root) {
  const folders = new Set();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = PACKAGE.exec(path)?.[1];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
  const packages = new Map();
  for (const folder of folders) {
    const { name, version, license, author } = JSON.parse(
      readFileSync(join(root, folder, "package.json"), "utf8"),
    );
    const file = readdirSync(join(root, folder)).find((one) => /^(licen[cs]e|copying)(\.|-|$)/i.test(one));
    const text = file === undefined ? "" : readFileSync(join(root, folder, file), "utf8").trim();
    const holder = (typeof author === "string" ? author : author?.name) ?? `the authors of ${name}`;
    packages.set(`${name} ${version}`, { name, version, licence: license, holder, text });
  }
  return [...packages.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What the MIT licence says below the line of the copyright, by our own copy. */
function mitTerms(root) {
  const own = readFileSync(join(root, "LICENSE"), "utf8");
  return own.slice(own.indexOf("Permission is hereby granted")).trim();
}

/** The notices of packages, as one text. */
export function noticesOf(packages, root) {
  const each = packages.map(({ name, version, licence, holder, text }) => {
    // Some that are under the MIT licence bring no copy of it.
    const terms = text || (licence === "MIT" ? `Copyright (c) ${holder}\n\n${mitTerms(root)}` : "");
    if (terms === "") throw new Error(`${name} ${version} brings no licence text; add it to the notices.`);
    return `${name} ${version} (${licence})\n\n${terms}\n`;
  });
  const line = `\n${"-".repeat(78)}\n\n`;
  return `Ledger Lens contains parts of the following packages.\n${line}${each.join(line)}`;
}
