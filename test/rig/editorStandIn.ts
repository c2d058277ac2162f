import { registerHooks } from "node:module";

/**
 * Lets what is imported from here on have a stand-in of the editor's module, outside of the editor.
 *
 * @param source the text of an ES module, with as much of the editor as the test's subject needs
 */
export function standInForEditor(source: string): void {
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  registerHooks({
    resolve: (name, context, next) =>
      name === "vscode" ? { url, format: "module", shortCircuit: true } : next(name, context),
  });
}
