import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ESLint } from "eslint";
import ts from "typescript";
import tseslint from "typescript-eslint";
import { SHOWN_TEXT_RULES, SURFACE_RULES } from "../../../eslint/shownText.ts";
import { repositoryRoot } from "../../rig/paths.ts";

describe("Every surface of the editor", () => {
  it("refuses a text that was not made fit to be shown, when it is compiled", () => {
    const { config } = ts.readConfigFile(join(repositoryRoot, "tsconfig.json"), (path) =>
      ts.sys.readFile(path),
    ) as {
      config: unknown;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repositoryRoot);
    const file = join(repositoryRoot, "test/unit/text/rawText.refused.ts");
    const program = ts.createProgram([file], options);
    const source = program.getSourceFile(file);
    assert.ok(source);
    assert.ok(source.text.split("@ts-expect-error").length > 35);
    const said = program
      .getSemanticDiagnostics(source)
      .map(
        ({ start = 0, messageText }) =>
          `line ${source.getLineAndCharacterOfPosition(start).line + 1}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
      );
    assert.deepEqual(said, []);
  });

  it("is reached through src/editor/ui alone, and nothing is declared fit to be shown elsewhere", async () => {
    const eslint = new ESLint({
      cwd: repositoryRoot,
      overrideConfigFile: true,
      overrideConfig: [
        {
          files: ["**/*.ts"],
          languageOptions: { parser: tseslint.parser },
          rules: { ...SHOWN_TEXT_RULES, ...SURFACE_RULES },
        },
      ],
    });
    const spoken = async (snippet: string) =>
      (await eslint.lintText(snippet, { filePath: "some.snippet.ts" }))[0]?.messages.length;
    for (const snippet of [
      "vscode.window.showInformationMessage(text);",
      "void vscode.window.showErrorMessage(text);",
      "const { showWarningMessage } = vscode.window;",
      "vscode.window.showQuickPick([text]);",
      "vscode.window.showInputBox({ prompt: text });",
      "vscode.window.createQuickPick();",
      "vscode.window.createInputBox();",
      "vscode.window.withProgress({ title: text }, work);",
      "vscode.window.setStatusBarMessage(text);",
      "vscode.window.createStatusBarItem();",
      "vscode.window.createOutputChannel(text);",
      "new vscode.TreeItem(text);",
      "new vscode.CodeLens(range, { title: text });",
      "new vscode.Diagnostic(range, text);",
      "new vscode.MarkdownString(text);",
      "view.message = text;",
      "this.#item.tooltip = text;",
      "item.description = text;",
      "void vscode.commands.executeCommand('vscode.diff', left, right, text);",
      "const fit = text as ShownText;",
      "const fit = <ShownText>text;",
      "const fit = text as unknown as readonly ShownText[];",
      "const fit = text as DocumentText;",
    ])
      assert.equal(await spoken(snippet), 1, snippet);
    for (const snippet of [
      "const fit: ShownText = shown`a`;",
      "showMessage('error', fit);",
      "const a = view.message;",
    ])
      assert.equal(await spoken(snippet), 0, snippet);
  });
});
