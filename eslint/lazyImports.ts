// A rule that lets a module be loaded late only if it is our own or the engine's. The bundler gives a package in CommonJS that is imported
// dynamically no named exports, which tests on the sources can't see; our own module imports the package statically.
import type { Rule } from "eslint";

const ownModulesOnly: Rule.RuleModule = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      package:
        "Load a module of ours that imports the package: in the bundle a package may have no named exports.",
    },
  },
  create: (context) => ({
    ImportExpression(node) {
      const { source } = node;
      const isOwn =
        source.type === "Literal" && typeof source.value === "string" && /^(?:\.|node:)/.test(source.value);
      if (!isOwn) context.report({ node, messageId: "package" });
    },
  }),
};

export const lazyImports = { rules: { "own-modules-only": ownModulesOnly } };
