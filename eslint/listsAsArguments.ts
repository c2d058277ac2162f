// A rule that keeps lists of any length out of the arguments of a call, where 125,000 items overflow the stack.
import type { Rule } from "eslint";
import type { CallExpression } from "estree";

/** Methods that people hand whole lists to. */
const TAKES_LISTS = new Set(["push", "unshift", "concat", "splice", "max", "min", "fromCharCode"]);

const noListAsArguments: Rule.RuleModule = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      spread: "Go through the list: as arguments, 125,000 items of a file or a server overflow the stack.",
    },
  },
  create: (context) => ({
    CallExpression(node) {
      const isSpread = node.arguments.some(({ type }) => type === "SpreadElement");
      if (isSpread && TAKES_LISTS.has(nameOf(node) ?? "")) context.report({ node, messageId: "spread" });
    },
  }),
};

function nameOf({ callee }: CallExpression): string | undefined {
  const isMethod = callee.type === "MemberExpression" && callee.property.type === "Identifier";
  return isMethod && callee.property.type === "Identifier" ? callee.property.name : undefined;
}

export const listsAsArguments = { rules: { "no-list-as-arguments": noListAsArguments } };
