import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { standInForEditor } from "../../rig/editorStandIn.ts";
import { repositoryRoot } from "../../rig/paths.ts";

/** Questions are made outside of the editor, of which they need the defaults of settings and a place for what is registered. */
const EDITOR = `
  export const written = new Map();
  export const workspace = { getConfiguration: () => ({ get: (name, usual) => written.get(name) ?? usual }) };
  export const registered = new Map();
  export const lm = { registerTool: (name, tool) => registered.set(name, tool) };
  export const Disposable = { from: () => undefined };
`;
standInForEditor(EDITOR);

const { AGENT_TOOLS } = await import("../../../src/editor/agents/agentTools.ts");
const { registerTools } = await import("../../../src/editor/ui/languageModelTools.ts");
const { registered, written } = (await import("vscode")) as unknown as {
  /** Settings by their names. */
  readonly written: Map<string, string>;
  readonly registered: ReadonlyMap<string, RegisteredTool>;
};

/** What the editor asks a tool before it lets it begin. */
interface RegisteredTool {
  prepareInvocation(call: { readonly input: object }): Promise<{
    readonly invocationMessage: string;
    readonly confirmationMessages?: { readonly title: string; readonly message: string };
  }>;
}

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

  it("says of a service on this machine that the sources are sent there, and nothing of the public", () => {
    written.set("verificationUrl", "http://localhost:5555");
    try {
      const asked = AGENT_TOOLS.get("ledgerlens_submit")?.question?.({ contract: "a.sol:A", chainId: "1" });
      assert.match(
        asked?.message ?? "",
        /^The sources of a\.sol:A would be sent to localhost:5555, a service on this machine, for /,
      );
    } finally {
      written.clear();
    }
  });

  it("has the editor ask in words that say what is asked of whom and what becomes of it", async () => {
    registerTools([...AGENT_TOOLS.keys()], () => Promise.resolve(AGENT_TOOLS));
    const address = `0x${"9d".repeat(20)}`;
    const deployed = { contract: "src/Vault.sol:Vault", chainId: "11155111", address };
    const at = `${address} on Sepolia (11155111)`;
    const job = "11111111-2222-4333-8444-000000000001";
    const words: readonly (readonly [tool: string, input: object, title: string, message: string])[] = [
      [
        "ledgerlens_predict",
        deployed,
        "Predict a verification?",
        `The node of Sepolia (11155111) is asked for the code at ${address}, which is compared with src/Vault.sol:Vault. Nothing is published.`,
      ],
      [
        "ledgerlens_verify_locally",
        deployed,
        "Compile and verify on this machine?",
        `src/Vault.sol:Vault is compiled here and compared with the code at ${at}, for which a node is asked. An official compiler is downloaded where you agreed to that before. Nothing is published.`,
      ],
      [
        "ledgerlens_submit",
        deployed,
        "Review a submission?",
        `The sources of src/Vault.sol:Vault would become public at sourcify.dev, for ${at}. You are shown every file first; nothing is sent before you choose Submit there.`,
      ],
      [
        "ledgerlens_submit",
        {},
        "Review a submission?",
        "The sources of (not given) would become public at sourcify.dev, for (not given) on an unnamed chain. You are shown every file first; nothing is sent before you choose Submit there.",
      ],
      [
        "ledgerlens_explain",
        { verificationId: job },
        "Explain a verification job?",
        `sourcify.dev is asked for job ${job}. Nothing is published.`,
      ],
      [
        "ledgerlens_show_transaction",
        { transaction: "0.0.5-1700000000-000000001" },
        "Ask the ledger for a transaction?",
        "mainnet.mirrornode.hedera.com is asked for 0.0.5-1700000000-000000001.",
      ],
      [
        "ledgerlens_show_token",
        { tokenId: "0.0.456858" },
        "Ask the ledger for a token?",
        "mainnet.mirrornode.hedera.com is asked for 0.0.456858.",
      ],
    ];
    for (const [tool, input, title, message] of words) {
      const prepared = await registered.get(tool)?.prepareInvocation({ input });
      assert.deepEqual(prepared?.confirmationMessages, { title, message }, tool);
      assert.match(prepared.invocationMessage, /^[A-Z].*[^.]$/, tool);
    }
    const { confirmationMessages } =
      (await registered.get("ledgerlens_status")?.prepareInvocation({ input: {} })) ?? {};
    assert.equal(confirmationMessages, undefined, "it names nothing of the person's");
    const asked = new Set(words.map(([tool]) => tool));
    assert.deepEqual([...registered.keys()].toSorted(), [...asked, "ledgerlens_status"].toSorted());
  });
});
