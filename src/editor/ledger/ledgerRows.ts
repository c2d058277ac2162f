import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import { actionsAsJson, actionsAsText } from "../../core/ledger/actions/actionText.ts";
import { bodiesOf, type ContentOf, type LedgerItem } from "../../core/ledger/ledgerItems.ts";
import type { ItemKind } from "../../core/ledger/openedItems.ts";
import { parseLedgerReference } from "../../core/ledger/references/ledgerReference.ts";
import { timestampQueryOf } from "../../core/ledger/references/timestamp.ts";
import { tokenDocument } from "../../core/ledger/tokens/tokenDocument.ts";
import { shownHost } from "../../core/http/shownAddress.ts";
import { checkLedgerReach } from "../../core/service/chainSupport.ts";
import { settings } from "../settings.ts";
import { enterKey, openSetting } from "../ui/action.ts";
import { askSteps } from "../ui/multiStep.ts";
import { pickOne } from "../ui/quickPick.ts";
import { documentText, jsonDocument } from "../../core/text/documentText.ts";
import { showDiff } from "../ui/diff.ts";
import { copyText } from "../ui/clipboard.ts";
import { askLine, askText } from "../ui/questions.ts";
import { ledgerSettingFor } from "./ledgerSetting.ts";
import type { LedgerNode } from "./ledgerTree.ts";
import { openCallSource } from "./callSource.ts";
import { openInExplorer, openReference } from "./findInLedger.ts";
import type { ItemParts, LedgerParts, NetworkParts } from "./ledgerParts.ts";
import { openItem } from "./openItem.ts";
import { openActions } from "./showTransactionActions.ts";
import { foreign, shown, type ShownText } from "../../core/text/shownText.ts";
import { counted } from "../../core/text/counted.ts";

/** Opens the explorer's page of an item. */
export async function openItemInExplorer(
  parts: NetworkParts & Pick<ItemParts, "items">,
  node: LedgerNode,
): Promise<void> {
  const { kind, canonical, content } = itemOf(parts, node);
  if (kind === "schedules") return;
  const isContract = content?.kind === "account" && content.account.isContract;
  await openInExplorer(parts, { kind: isContract ? "contract" : kind, canonical });
}

/** Shows the setting that can mend what loading an item failed with. */
export async function openLedgerSetting(parts: Pick<ItemParts, "items">, node: LedgerNode): Promise<void> {
  const { problem } = itemOf(parts, node);
  const setting = problem && ledgerSettingFor(problem);
  if (setting !== undefined) await openSetting(setting);
}

/** Asks for the key for want of which loading an item failed, and loads it again. */
export async function enterLedgerKey(parts: Pick<ItemParts, "items">, node: LedgerNode): Promise<void> {
  const { id, problem } = itemOf(parts, node);
  if (problem?.key !== undefined) await enterKey(problem.key, () => parts.items.refresh(id));
}

/** Loads the next page, and shows where the transaction failed. */
export async function loadMore(parts: ItemParts, { itemId }: LedgerNode): Promise<void> {
  await parts.items.more(itemId);
  await parts.view.revealOrigin(itemId);
}

/** Opens what a row names: a transaction on its page, all else in the view. */
export async function openRow(parts: LedgerParts, node: LedgerNode): Promise<void> {
  const target = node.type === "fact" ? node.row.opens : parts.view.openingOf(node);
  if (!target) return;
  const { kind, canonical } = target;
  const shown = { isShown: true };
  switch (kind) {
    case "token":
      await openItem(parts, { kind, tokenId: canonical }, shown);
      return;
    case "schedule":
      await openItem(parts, { kind, scheduleId: canonical }, shown);
      return;
    case "transaction":
      await openActions(parts, canonical, {}, shown);
      return;
    case "account":
    case "contract":
      await openItem(parts, { kind: "account", account: canonical }, shown);
      return;
    case "entity": {
      const reference = parseLedgerReference(canonical, parts.network());
      if (!("error" in reference)) await openReference(parts, canonical, reference);
    }
  }
}

/** Verifies a contract of the ledger: the command asks for what is not known of it. */
export async function verifyContractOf(parts: Pick<ItemParts, "items">, node: LedgerNode): Promise<void> {
  const { content } = itemOf(parts, node);
  if (content?.kind !== "account") return;
  const { address, network } = content.account;
  checkLedgerReach(shownHost(settings.verificationUrl), network);
  await vscode.commands.executeCommand("ledgerLens.verifyThis", { address, chainId: network.chainId });
}

/** Opens the files that the contract of an account's row was verified with. */
export async function openSourceOf(parts: Pick<ItemParts, "items">, node: LedgerNode): Promise<void> {
  const { content } = itemOf(parts, node);
  if (content?.kind !== "account") return;
  const { address, network } = content.account;
  checkLedgerReach(shownHost(settings.verificationUrl), network);
  await vscode.commands.executeCommand("ledgerLens.openThisSource", { address, chainId: network.chainId });
}

/** Opens the page of a transaction. */
export async function openTransactionPage(
  parts: Pick<LedgerParts, "items" | "pages">,
  node: LedgerNode,
): Promise<void> {
  const { id, kind } = itemOf(parts, node);
  if (kind === "transaction") (await parts.pages()).show(id, { focus: true });
}

/** The body as the ledger sent it; of pages, one document for each. */
export async function showRawJson(parts: LedgerParts, node: LedgerNode): Promise<void> {
  const item = await loadedItem(parts, node);
  const bodies = bodiesOf(item.content);
  const title = titleForPath(item);
  let page = 0;
  if (bodies.length > 1) {
    const chosen = await pickOne({
      title: shown`Show Raw JSON`,
      placeholder: shown`Which page? Each is shown as the ledger sent it`,
      choices: bodies.map((body, at) => ({
        label: shown`Page ${(at + 1).toLocaleString("en-US")}`,
        description: shown`${counted(new TextEncoder().encode(body).length, "byte")}`,
        value: at,
      })),
    });
    if (chosen === undefined) return;
    page = chosen;
  }
  const name = bodies.length > 1 ? shown`${title} page ${page + 1}.json` : foreign(`${title}.json`);
  await parts.documents.show([foreign(item.networkId), name], jsonDocument(bodies[page] ?? ""));
}

/** Copies the actions that are shown. */
export async function copyActions(parts: ItemParts, node: LedgerNode, form: "text" | "json"): Promise<void> {
  const item = await loadedItem(parts, node);
  const { content } = item;
  if (content.kind !== "transaction") return;
  const { tree } = content.actions;
  const visible = parts.view.shownActions(item.id, content)?.visible;
  await parts.view.nameAll(item.id);
  const asCopy = form === "text" ? actionsAsText : actionsAsJson;
  const text = asCopy(tree, (action) => content.namer.known(action), visible);
  const count = visible ? visible.reduce((sum, one) => sum + one, 0) : tree.actions.length;
  await copyText(
    text,
    count === 1 ? shown`1 action copied` : shown`${count.toLocaleString("en-US")} actions copied`,
  );
}

/** Copies what a row tells, or the id of an item. */
export async function copyValue(parts: Pick<ItemParts, "items">, node: LedgerNode): Promise<void> {
  const value =
    node.type === "fact"
      ? node.row.copyText
      : node.type === "item"
        ? itemOf(parts, node).canonical
        : undefined;
  if (value !== undefined) await copyText(value, shown`Value copied`);
}

/** Asks for a text, and shows only the actions that it is found in. */
export async function askActionFilter(parts: ItemParts, node: LedgerNode): Promise<void> {
  const item = await loadedItem(parts, node);
  const text = await askLine(shown`Filter Actions`, {
    prompt: shown`Show only actions whose row or record contains this text, and their callers. Leave it empty for all.`,
    placeholder: shown`transfer, 0x1234…, reverted`,
    value: parts.view.filterOf(item.id),
  });
  if (text !== undefined) await parts.view.filter(item.id, text);
}

/** Both states of a token as text, side by side. */
export async function compareWithNow(parts: LedgerParts, node: LedgerNode): Promise<void> {
  const item = await loadedItem(parts, node);
  if (item.content.kind !== "token" || item.timestamp === undefined) return;
  const past = item.content.token;
  const now = await parts.service.token(item.canonical);
  const left = parts.documents.put(
    [foreign(item.networkId), foreign(`${titleForPath(item)}.txt`)],
    documentText(tokenDocument(past)),
  );
  const right = parts.documents.put(
    [foreign(item.networkId), shown`token ${item.canonical} now.txt`],
    documentText(tokenDocument(now)),
  );
  await showDiff(left, right, shown`Token ${item.canonical}: as of ${item.timestamp} ↔ now`);
}

/** Asks for a time, and shows the token as it was then. */
export async function showTokenAsOf(parts: ItemParts, node: LedgerNode): Promise<void> {
  const item = itemOf(parts, node);
  const state: { timestamp?: string } = {};
  await askSteps(shown`Token ${item.canonical}`, state, [
    {
      isKnown: ({ timestamp }) => timestamp !== undefined,
      ask: async (_state, frame) => {
        state.timestamp = await askText(frame, {
          prompt: shown`As of when? A date and time in UTC, or a consensus timestamp; lt: before it means just before.`,
          placeholder: shown`2024-05-01 12:00 or 1714564800.000000000`,
          check: timestampQueryOf,
        });
      },
    },
  ]);
  await openItem(
    parts,
    { kind: "token", tokenId: item.canonical, timestamp: state.timestamp },
    { isShown: true },
  );
}

/** Opens the source of what an action called, or, from the row of a reason, where it reverted. */
export async function goToSource(parts: Pick<ItemParts, "view">, node: LedgerNode): Promise<void> {
  const isOrigin = node.type === "fact";
  const isOpen = await openCallSource(parts.view.actionOf(node) ?? {}, parts.view.namesOf(node), {
    isOrigin,
  });
  if (isOpen) return;
  throw new LedgerLensError(
    "no_source",
    t`No source in this workspace defines what this action called. Open the project of the contract and refresh the item.`,
  );
}

function itemOf(parts: Pick<ItemParts, "items">, { itemId }: LedgerNode): LedgerItem {
  const item = parts.items.get(itemId);
  if (!item) throw new LedgerLensError("not_found", t`This item is no longer in the list. Open it again.`);
  return item;
}

/** An item with its content, loaded now if it was not before. */
async function loadedItem<Kind extends ItemKind>(
  parts: Pick<ItemParts, "items">,
  node: LedgerNode,
): Promise<LedgerItem & { readonly content: ContentOf<Kind> }> {
  if (!itemOf(parts, node).content) await parts.items.refresh(node.itemId);
  const item = itemOf(parts, node);
  if (!item.content) throw new LedgerLensError("cancelled", t`Loading was cancelled.`);
  return item as LedgerItem & { readonly content: ContentOf<Kind> };
}

/** What an item is called in a tab. */
function titleForPath({ kind, canonical, timestamp }: LedgerItem): ShownText {
  switch (kind) {
    case "token":
      return timestamp === undefined
        ? shown`token ${canonical}`
        : shown`token ${canonical} at ${timestamp.replace(":", " ")}`;
    case "transaction":
      return shown`transaction ${canonical}`;
    case "schedule":
      return shown`schedule ${canonical}`;
    case "account":
      return shown`account ${canonical}`;
    case "schedules":
      return canonical === "" ? shown`schedules` : shown`schedules ${canonical}`;
  }
}
