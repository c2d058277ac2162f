import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CONTRACT_ENDINGS, LANGUAGES } from "../../../src/core/languages/language.ts";
import { TOOL_CONFIGURATIONS } from "../../../src/core/tools/tool.ts";
import { repositoryRoot } from "../../rig/paths.ts";

const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  readonly activationEvents: readonly string[];
  readonly contributes: {
    readonly menus: Readonly<
      Record<string, readonly { readonly command: string; readonly when: string; readonly group: string }[]>
    >;
    readonly viewsWelcome: readonly { readonly contents: string; readonly when?: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly id: string;
        readonly description: string;
        readonly when?: string;
        readonly media: { readonly svg: string; readonly altText: string };
      }[];
    }[];
  };
};
const texts = JSON.parse(readFileSync(join(repositoryRoot, "package.nls.json"), "utf8")) as Record<
  string,
  string
>;

/** Where sources lie in projects of most tools: without a configuration these tell that there is something to verify. */
const USUAL_FOLDERS = ["contracts", "src"];

describe("The manifest", () => {
  it("takes from a folder that is not trusted no setting that says where something goes or what runs", () => {
    const { contributes, capabilities } = JSON.parse(
      readFileSync(join(repositoryRoot, "package.json"), "utf8"),
    ) as {
      readonly contributes: {
        readonly configuration: readonly {
          readonly properties: Readonly<Record<string, { readonly scope?: string }>>;
        }[];
      };
      readonly capabilities: {
        readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
      };
    };
    const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    const wanted = settings
      .filter(
        ([name, { scope = "" }]) =>
          scope.startsWith("machine") || /(?:Urls?|networks|compilerSettings|localCompiler|Path)$/.test(name),
      )
      .map(([name]) => name);
    assert.ok(wanted.length > 10, `${wanted.length} settings were found`);
    const restricted = capabilities.untrustedWorkspaces.restrictedConfigurations;
    assert.deepEqual(
      wanted.filter((name) => !restricted.includes(name)),
      [],
    );
    assert.deepEqual(
      restricted.filter((name) => !settings.some(([one]) => one === name)),
      [],
    );
  });

  it("activates for every language and every tool of the tables, and for nothing else", () => {
    const languages = Object.values(LANGUAGES);
    const wanted = [
      ...languages.flatMap(({ editorIds }) => editorIds.map((id) => `onLanguage:${id}`)),
      ...[...TOOL_CONFIGURATIONS, ...languages.flatMap(({ configurations = [] }) => configurations)].map(
        (name) => `workspaceContains:${name}`,
      ),
      ...CONTRACT_ENDINGS.flatMap((ending) =>
        USUAL_FOLDERS.map((folder) => `workspaceContains:${folder}/*.${ending}`),
      ),
    ];
    const container = readFileSync(join(repositoryRoot, "src/container.ts"), "utf8");
    // The editor brings pages back that were open.
    for (const [, page = ""] of container.matchAll(/registerWebviewPanelSerializer\("([^"]+)"/g))
      wanted.push(`onWebviewPanel:${page}`);
    if (container.includes("registerUriHandler(")) wanted.push("onUri");
    assert.deepEqual([...manifest.activationEvents].sort(), wanted.sort());
  });

  it("speaks of editor languages in its conditions only where the table has them", () => {
    const ids = Object.values(LANGUAGES).flatMap(({ editorIds }) => editorIds);
    const named = [...JSON.stringify(manifest).matchAll(/(?:editorLangId|resourceLangId) [!=]= '?(\w+)/g)];
    assert.deepEqual(
      named.map(([, id = ""]) => id).filter((id) => !ids.includes(id)),
      [],
    );
  });

  it("keeps like by like in the menu of the Verification view: what publishes, what does not, what searches", () => {
    const menu = (manifest.contributes.menus["view/title"] ?? []).filter(
      ({ when, group }) => when === "view == ledgerLens.verification" && !group.startsWith("navigation"),
    );
    const places = menu.map(({ group }) => group);
    assert.deepEqual(places, [...new Set(places)].sort(), "each has a place of its own");
    const groups = Map.groupBy(menu, ({ group }) => group.replace(/@.*/, ""));
    assert.deepEqual(
      [...groups.values()].map((group) => group.map(({ command }) => command.replace("ledgerLens.", ""))),
      [
        ["verifyAllDeployments", "verifyBySimilarity"],
        ["predictMatch", "verifyLocally"],
        ["findSettings", "findDeployedCommit"],
        ["openVerifiedSource", "exportCompilerInput"],
        ["askBeforePublishing", "refreshCompilerList"],
      ],
    );
  });

  it("has a picture of what is seen for each step of the walkthrough, in the colors of the theme and without a word to translate", () => {
    for (const { id, media } of manifest.contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      const picture = readFileSync(join(repositoryRoot, media.svg), "utf8");
      assert.ok(
        (texts[media.altText.replaceAll("%", "")] ?? "").length > 10,
        `${id}: its words for who can't see it`,
      );
      assert.ok(picture.length < 4_000, `${id}: ${picture.length} characters`);
      // Attributes alone: what the editor shows it in takes no styles, and nothing may be run or loaded.
      assert.doesNotMatch(picture, /<(?:script|style|image|use|a)\b|\bstyle=|href=|\bon\w+=/i, id);
      const colors = [...picture.matchAll(/\b(?:fill|stroke)="([^"]*)"/g)].map(([, color]) => color ?? "");
      assert.deepEqual(
        colors.filter(
          (color) => color !== "none" && !/^var\(--vscode-[\w-]+, (?:none|#[0-9a-f]+)\)$/.test(color),
        ),
        [],
        id,
      );
      const shown = [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text ?? "");
      assert.ok(shown.length >= 3, `${id} shows what a person will see there`);
      // File names, code, numbers and names of services and networks.
      for (const one of shown)
        assert.match(
          one,
          /[./_(){}:;]|0x|\d|&#8230;|^[A-Z][A-Za-z]+$|^(?:counter|script|src)$/,
          `${id}: ${one}`,
        );
    }
  });

  it("offers the sample in the walkthrough wherever the empty view does, and nowhere else", () => {
    const offering = (text: string) => texts[text.replaceAll("%", "")]?.includes("ledgerLens.createSample");
    const { viewsWelcome, walkthroughs } = manifest.contributes;
    // Without the guards that keep one welcome text from standing beside another.
    const guard = /^workspaceFolderCount > 0 && isWorkspaceTrusted && /;
    const ofView = viewsWelcome
      .filter(({ contents }) => offering(contents))
      .map(({ when = "" }) => when.replace(guard, ""));
    const ofSteps = walkthroughs
      .flatMap(({ steps }) => steps)
      .filter(({ description }) => offering(description));
    assert.deepEqual(
      ofSteps.map(({ when }) => when),
      [ofView.join(" || ")],
    );
    assert.equal(ofView.length, 2);
  });
});
