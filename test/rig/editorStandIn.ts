import { registerHooks } from "node:module";

let standIns = 0;
/** The stand-in for which a module of the editor's part was loaded. */
const OF_STAND_IN = /\?editor=(\d+)$/;

/**
 * Lets what is imported from here on have a stand-in of the editor's module, outside of the editor. The modules that need it
 * are loaded anew for each, since files of tests that share a process have different ones.
 *
 * @param source the text of an ES module, with as much of the editor as the test's subject needs
 */
export function standInForEditor(source: string): void {
  const own = String(++standIns);
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  registerHooks({
    resolve: (name, context, next) => {
      const [, parent = own] = OF_STAND_IN.exec(context.parentURL ?? "") ?? [];
      if (parent !== own) return next(name, context);
      if (name === "vscode") return { url, format: "module", shortCircuit: true };
      const found = next(name, context);
      return found.url.includes("/src/editor/")
        ? { ...found, url: `${found.url.replace(OF_STAND_IN, "")}?editor=${own}` }
        : found;
    },
  });
}
