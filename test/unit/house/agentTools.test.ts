import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { repositoryRoot } from "../../rig/paths.ts";

/** Questions are made outside of the editor, of which they need nothing but the defaults of settings. */
const SETTINGS = "export const workspace = { getConfiguration: () => ({ get: (name, usual) => usual }) }";
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? { url: `data:text/javascript,${SETTINGS}`, format: "module", shortCircuit: true }
      : next(specifier, context),
});

const { AGENT_TOOLS } = await import("../../../src/editor/agents/agentTools.ts");

const { contributes } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  readonly contributes: {
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>> };
    }[];
  };
};

describe("A tool for agents", () => {
  it("is listed by the manifest", () => {
    const listed = contributes.languageModelTools.map(({ name }) => name);
    assert.deepEqual([...AGENT_TOOLS.keys()].toSorted(), listed.toSorted());
  });

  it("has the person asked first wherever it takes anything, in words that nothing hides in", () => {
    for (const { name, inputSchema } of contributes.languageModelTools) {
      const names = Object.keys(inputSchema.properties);
      const hostile = "x.sol:[Continue](command:evil)$(check)\u202e";
      const asked = AGENT_TOOLS.get(name)?.question?.(
        Object.fromEntries(names.map((one) => [one, one === "chainId" ? "1" : hostile])),
      );
      assert.equal(asked !== undefined, names.length > 0, name);
      if (!asked) continue;
      assert.match(asked.title, /^[A-Z][^.]+\?$/, name);
      assert.match(asked.message, /\.$/, name);
      assert.match(asked.message, /x\.sol:/, name);
      assert.doesNotMatch(asked.message, /\]\(|\$\(|\u202e/, name);
    }
  });

  it("says before a submission who gets the sources, and that they become public", () => {
    const asked = AGENT_TOOLS.get("ledgerlens_submit")?.question?.({ contract: "a.sol:A", chainId: "1" });
    assert.match(asked?.message ?? "", /^The sources of a\.sol:A would become public at sourcify\.dev, /);
  });
});
