import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { repositoryRoot } from "../../rig/paths.ts";

/** What `manifestTables.mjs` has for others. */
interface Tables {
  readonly withTables: (readme: string, manifest: unknown, options: object) => Promise<string>;
}

/** What `manifest.mjs` has for others. */
interface Manifest {
  readonly readManifest: () => {
    readonly contributes: {
      readonly commands: object[];
      readonly configuration: readonly { readonly properties: object }[];
    };
  };
}

const read = (name: string) => readFileSync(join(repositoryRoot, name), "utf8");

describe("The tables of README", () => {
  it("have every command of the palette and every setting, as the manifest says it", async () => {
    const { withTables } = (await import(join(repositoryRoot, "manifestTables.mjs"))) as Tables;
    const readme = read("README.md");
    const { readManifest } = (await import(join(repositoryRoot, "manifest.mjs"))) as Manifest;
    const manifest = readManifest();
    const options = JSON.parse(read(".prettierrc.json")) as object;
    assert.equal(await withTables(readme, manifest, options), readme, "run npm run tables");
    const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    assert.ok(settings.includes("ledgerLens.ledgerChainId"));
    for (const name of settings) assert.ok(readme.includes(`| \`${name}\` `), name);
  });

  it("say of every command of the palette what it does, and of no other", async () => {
    const { withTables } = (await import(join(repositoryRoot, "manifestTables.mjs"))) as Tables;
    const { readManifest } = (await import(join(repositoryRoot, "manifest.mjs"))) as Manifest;
    const manifest = readManifest();
    const { commands } = manifest.contributes;
    const having = (others: object[]) => ({
      ...manifest,
      contributes: { ...manifest.contributes, commands: others },
    });
    const silent = having([...commands, { command: "ledgerLens.newOne", title: "New One" }]);
    await assert.rejects(withTables("", silent, {}), /lacks ledgerLens\.newOne/);
    await assert.rejects(withTables("", having(commands.slice(1)), {}), /has no ledgerLens\.verifyContract/);
    const [, table = ""] = /<!-- commands -->([^]*)<!-- end of commands -->/.exec(read("README.md")) ?? [];
    for (const row of table.match(/^\| _.*/gm) ?? assert.fail())
      assert.match(row, /^\| _.+_ +\| [A-Z].+\. +\|$/);
  });
});
