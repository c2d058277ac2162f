import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { build, type BuildOptions, type Metafile } from "esbuild";
import ts from "typescript";
import { repositoryRoot } from "../../rig/paths.ts";

/** As `npm run package` makes them. */
interface Bundling {
  extensionOptions(production: boolean): BuildOptions & { readonly write: false };
  commonJs(path: string, text: string, production: boolean): Promise<string>;
}

/** In bytes, minified. What is read is parsed and run before the editor goes on to the next extension. */
const MAX_BYTES = 150_000;

/**
 * What may be loaded at activation: what registers commands, views, lenses, documents and the item of the status bar. What
 * stands behind them is loaded when it is seen or asked first; think of that before you add a line here.
 */
const AT_ACTIVATION = [
  "src/extension.ts",
  "src/container.ts",
  "src/exportedApi.ts",
  "node_modules/@vscode/l10n/dist/main.js",
  "src/core/concurrency/turns.ts",
  "src/core/errors.ts",
  "src/core/json/depth.ts",
  "src/core/json/looseData.ts",
  "src/core/json/ownValue.ts",
  "src/core/json/shape.ts",
  "src/core/languages/compilerListAddresses.ts",
  "src/core/languages/fe/fe.ts",
  "src/core/languages/language.ts",
  "src/core/languages/solidity/solidity.ts",
  "src/core/languages/vyper/vyper.ts",
  "src/core/languages/yul/yul.ts",
  "src/core/rows/faultRow.ts",
  "src/core/ledger/references/addressInText.ts",
  "src/core/status/initialStatusItem.ts",
  "src/core/status/workSigns.ts",
  "src/core/text/catalog.ts",
  "src/core/text/documentText.ts",
  "src/core/text/hiddenCharacters.ts",
  "src/core/text/shownText.ts",
  "src/editor/late.ts",
  "src/editor/ledger/addressHover.ts",
  "src/editor/ledger/ledgerCommands.ts",
  "src/editor/ledger/ledgerTree.ts",
  "src/editor/ownedParts.ts",
  "src/editor/settings.ts",
  "src/editor/status/statusCommands.ts",
  "src/editor/status/statusEntry.ts",
  "src/editor/status/statusTree.ts",
  "src/editor/ui/action.ts",
  "src/editor/ui/asking.ts",
  "src/editor/ui/commands.ts",
  "src/editor/ui/displayLanguage.ts",
  "src/editor/ui/drawnRows.ts",
  "src/editor/ui/guardedRows.ts",
  "src/editor/ui/languageModelTools.ts",
  "src/editor/ui/lateDocuments.ts",
  "src/editor/ui/lateLenses.ts",
  "src/editor/ui/lateTree.ts",
  "src/editor/ui/log.ts",
  "src/editor/ui/mendingSetting.ts",
  "src/editor/ui/notifications.ts",
  "src/editor/ui/readOnlyDocuments.ts",
  "src/editor/ui/rowItem.ts",
  "src/editor/ui/reminder.ts",
  "src/editor/ui/rowTree.ts",
  "src/editor/ui/statusItem.ts",
  "src/editor/ui/toldPresses.ts",
  "src/editor/ui/viewNode.ts",
  "src/core/chains/chainNames.ts",
  "src/core/files/fileReader.ts",
  "src/core/tools/ape/ape.ts",
  "src/core/tools/foundry/foundry.ts",
  "src/core/tools/hardhat/hardhat.ts",
  "src/core/tools/hardhat/hardhat3Names.ts",
  "src/core/tools/moccasin/moccasin.ts",
  "src/core/tools/remix/remix.ts",
  "src/core/tools/tool.ts",
  "src/core/tools/truffle/truffle.ts",
  "src/core/tools/truffle/truffleNames.ts",
  "src/editor/verification/deploymentWatcher.ts",
  "src/editor/verification/verificationCommands.ts",
  "src/editor/verification/verificationTree.ts",
];

/** The files that one imports statically, and those that they do. */
function loadedWith(entry: string, outputs: Metafile["outputs"]): Set<string> {
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind !== "dynamic-import" && !external) loaded.add(path);
  return loaded;
}

/** The texts of a module that are made when it is loaded, and not when something of it is called. */
function textsAtLoad(path: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isOfInstance =
      ts.isPropertyDeclaration(node) &&
      !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
    if (ts.isFunctionLike(node) || isOfInstance) return;
    if (ts.isTaggedTemplateExpression(node) && ["t", "shown"].includes(node.tag.getText()))
      found.push(`${path}: ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  const text = readFileSync(join(repositoryRoot, path), "utf8");
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

describe("Activation", () => {
  const texts = new Map<string, string>();
  let outputs: Metafile["outputs"];
  let bundling: Bundling;
  before(async () => {
    bundling = (await import(join(repositoryRoot, "esbuildOptions.mjs"))) as Bundling;
    const options = bundling.extensionOptions(true);
    const built = await build({ ...options, absWorkingDir: repositoryRoot, metafile: true });
    ({ outputs } = built.metafile);
    for (const { path, text } of built.outputFiles) texts.set(path, text);
  });

  it("reads no more than 150 kB", async (t) => {
    let bytes = 0;
    for (const file of loadedWith("dist/extension.js", outputs)) {
      const path = join(repositoryRoot, file);
      bytes += Buffer.byteLength(await bundling.commonJs(path, texts.get(path) ?? "", true));
    }
    t.diagnostic(`${(bytes / 1000).toFixed(1)} kB are read`);
    assert.ok(bytes > 10_000, "the files were found");
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes are read`);
  });

  it("copies no member of the editor's module", async () => {
    for (const file of loadedWith("dist/extension.js", outputs)) {
      const text = await bundling.commonJs(file, texts.get(join(repositoryRoot, file)) ?? "", true);
      assert.doesNotMatch(text, /[\w$]\(require\("vscode"\)/, file);
    }
  });

  it("loads what registers, and nothing of what stands behind it", () => {
    const modules = [...loadedWith("dist/extension.js", outputs)].flatMap((file) =>
      Object.entries(outputs[file]?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [path] : [],
      ),
    );
    assert.deepEqual(
      modules.filter((path) => !AT_ACTIVATION.includes(path)),
      [],
    );
  });

  // A module that several files of the program share is loaded before the one that sets the display language.
  it("makes no text that stays English since it was made before the language was known", () => {
    assert.deepEqual(AT_ACTIVATION.filter((path) => path.startsWith("src/")).flatMap(textsAtLoad), []);
  });
});
