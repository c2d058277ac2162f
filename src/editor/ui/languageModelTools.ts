import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError, ledgerLensError } from "../../core/errors.ts";
import type { DocumentText } from "../../core/text/documentText.ts";
import type { ShownText } from "../../core/text/shownText.ts";

/** What an agent gives, as it came: the editor has compared it with the schema, which is no proof. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** A tool that agents may call; its name, its schema and what a model is told of it stand in the manifest. */
export interface AgentTool {
  /** Said while it works. */
  readonly progress: ShownText;
  /** What the person is asked before it begins; nothing where it only reads what is public and names nothing of theirs. */
  readonly question?: (input: ToolInput) => { readonly title: ShownText; readonly message: ShownText };
  /** Its answer, a few hundred words at most; the signal aborts when the chat is stopped. */
  readonly answer: (input: ToolInput, stop: AbortSignal) => Promise<DocumentText>;
}

/**
 * Registers the tools that the manifest lists; what they are and do is loaded when one of them is called.
 *
 * @param names those of the manifest
 */
export function registerTools(
  names: readonly string[],
  tools: () => Promise<ReadonlyMap<string, AgentTool>>,
): vscode.Disposable {
  const named = async (name: string) => {
    const tool = (await tools()).get(name);
    if (tool) return tool;
    throw new LedgerLensError(
      "internal",
      t`Ledger Lens has no tool ${name}. Use one of those that it lists.`,
    );
  };
  const registered = names.map((name) =>
    vscode.lm.registerTool<ToolInput>(name, {
      prepareInvocation: async ({ input }) => {
        const { progress, question } = await named(name);
        const confirmationMessages = question?.(input);
        return { invocationMessage: progress, ...(confirmationMessages && { confirmationMessages }) };
      },
      invoke: async ({ input }, token) => {
        const text = await untilCancelled(token, async (stop) => (await named(name)).answer(input, stop));
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    }),
  );
  return vscode.Disposable.from(...registered);
}

/** An agent that does not wait any longer gets no answer, and what works for it ends. The editor hands on an error's message alone: its code stands there, too. */
async function untilCancelled<T>(
  token: vscode.CancellationToken,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const cancelled = Promise.withResolvers<never>();
  const stop = new AbortController();
  const listening = token.onCancellationRequested(() => {
    cancelled.reject(new vscode.CancellationError());
    stop.abort();
  });
  try {
    return await Promise.race([work(stop.signal), cancelled.promise]);
  } catch (error) {
    if (error instanceof vscode.CancellationError) throw error;
    const { code, message } = ledgerLensError(error);
    throw new LedgerLensError(code, `${message} (${code})`);
  } finally {
    listening.dispose();
  }
}
