import type { LabelledText, TextLine } from "../../text/labelledText.ts";
import type { Mending } from "../../rows/ledgerRow.ts";
import type { ShownText } from "../../text/shownText.ts";

/** The gas that calls of one contract, or of one of its functions, used themselves. */
export interface GasSum {
  /** "Router", or "Router.swapExact"; "Pair (0.0.1010)" where several contracts are called Pair. */
  readonly name: string;
  /** The contract, or the token, where it can be opened: an id, or an address with `0x`. */
  readonly opens?: string;
  readonly calls: number;
  /** Exact digits. */
  readonly gas: string;
}

/** A call as a row of the page's table. */
export interface CallRow {
  /** Its position in order of execution. */
  readonly at: number;
  /** Position of its caller, -1 for none. */
  readonly parent: number;
  /** How many callers it has. */
  readonly level: number;
  /** "call", "static", "create2", … */
  readonly operation: string;
  readonly contract: ShownText;
  /** What it called, or the token that this was handed on to, where that can be opened: an id, or an address with `0x`. */
  readonly opens?: string;
  /** Missing for a creation and a precompiled contract. */
  readonly name?: ShownText;
  readonly args?: ShownText;
  readonly result?: ShownText;
  readonly value?: ShownText;
  /** Exact digits; `gas` includes what its calls used, `own` does not. */
  readonly gas?: string;
  readonly own?: string;
  readonly outcome: "succeeded" | "failed" | "unknown";
  /** Why it failed, or what its result says against a plain success. */
  readonly failure?: ShownText;
  readonly isStatic?: true;
  /** It lies on the way from the first call to where the failure began. */
  readonly isOnPath?: true;
  readonly isOrigin?: true;
  /** It failed and its caller went on. */
  readonly isCaught?: true;
  /** Its name is a guess by the selector. */
  readonly isGuess?: true;
  /** The standard by whose selector it is named: "ERC-20". */
  readonly standard?: ShownText;
  /** The workspace has its source. */
  readonly hasSource?: true;
}

/** A log as the page shows it. */
export interface LogRow {
  readonly index: ShownText;
  readonly contract: ShownText;
  /** The contract, where it can be opened: an id, or an address with `0x`. */
  readonly opens?: string;
  /** "Transfer(from: 0x12…, …)", or the first topic. */
  readonly event: ShownText;
  /** Topics and data as they came. */
  readonly raw: readonly ShownText[];
  /** Its name is a guess by the topic. */
  readonly isGuess?: true;
  /** The standard by whose topic it is named. */
  readonly standard?: ShownText;
}

/** A slot that was written, or only read. */
export interface StateRow {
  /** Whose storage it is: its id, else its address. */
  readonly contract: ShownText;
  /** In lower case; missing where the ledger does not say. */
  readonly address?: string;
  readonly slot: ShownText;
  /** What lies there, where the workspace's build says; before and after are its values then. */
  readonly variable?: ShownText;
  readonly before: ShownText;
  /** Missing where the slot was only read. */
  readonly after?: ShownText;
  /** Where no variable is known: what the ledger has, which the row may say as numbers. */
  readonly words?: { readonly before?: ShownText; readonly after?: ShownText };
}

/** The slots of a contract, in the order in which the ledger has them. */
export interface StorageOfContract {
  /** "Token (0.0.1234)"; the id alone where no name is known. */
  readonly contract: ShownText;
  /** The contract, where it can be opened: an id, or an address with `0x`. */
  readonly opens?: string;
  readonly slots: readonly StateRow[];
}

/** What an account got or gave. */
export interface TransferRow {
  readonly asset: ShownText;
  readonly account: ShownText;
  readonly amount: ShownText;
  readonly isGiven: boolean;
  /** Its unit stands with the amount. */
  readonly isHbar?: true;
  /** What the account is for, where it is one of the network: "node". */
  readonly role?: ShownText;
  /** The decimals of its asset are not known, so the amount is in smallest units. */
  readonly isUnscaled?: true;
  /** "including a staking reward of 0.12 ℏ", "by allowance", "from logs, minted" */
  readonly remark?: ShownText;
  /** Both, where they can be opened: ids, or addresses with `0x`. */
  readonly opensAccount?: string;
  readonly opensAsset?: string;
}

/** An NFT that an account gave to another; `from` is missing for one that was minted, `to` for one that was burned. */
export interface NftRow {
  /** "PASS (0.0.7) #3" */
  readonly nft: ShownText;
  readonly from?: ShownText;
  readonly to?: ShownText;
  readonly isByAllowance?: true;
  /** An event of its contract says so, and not the ledger's record. */
  readonly isFromLogs?: true;
  /** Its token and both accounts, where they can be opened: ids, or addresses with `0x`. */
  readonly opensToken?: string;
  readonly opensFrom?: string;
  readonly opensTo?: string;
}

/** A transaction as its page shows it; plain data, all of it fit to be shown. */
export interface TransactionPage {
  /** As tabs and lists call it. */
  readonly title: ShownText;
  readonly outcome: "succeeded" | "failed" | "unknown";
  /** "Reverted: SlippageTooHigh(…) in Pool.swap" */
  readonly headline: ShownText;
  readonly facts: readonly LabelledText[];
  /** What is missing, and why. */
  readonly notes: readonly ShownText[];
  /** How many calls there are; their rows are told by themselves. */
  readonly callCount: number;
  /** It called no contract, so that it has no calls and no gas. */
  readonly isWithoutCalls?: true;
  /** Whether an explorer has a page of it. */
  readonly hasExplorer?: true;
  /** Whether the ledger has no more actions. */
  readonly complete: boolean;
  readonly gas?: string;
  readonly gasByContract: readonly GasSum[];
  readonly gasByFunction: readonly GasSum[];
  readonly logs: readonly LogRow[];
  /** By contract, in the order in which they come first. */
  readonly state: readonly StorageOfContract[];
  readonly transfers: readonly TransferRow[];
  readonly nfts: readonly NftRow[];
  /** Of which lists it is not known what is in them: it is asked for yet, or the ledger did not tell. */
  readonly unknown: Readonly<Partial<Record<"logs" | "state" | "transfers", "asked" | "untold">>>;
}

/** The sign of an outcome, before the headline of the page and on its tab. */
export const TRANSACTION_MARKS: Readonly<Record<TransactionPage["outcome"], string>> = {
  failed: "✕",
  succeeded: "✓",
  unknown: "?",
};

/** What the page says to the extension. */
export type PageRequest =
  /** It is drawn and wants to know what to show. */
  | { readonly type: "ready" }
  /** What a row says in full: for a hover, by its position. */
  | { readonly type: "describe"; readonly at: number }
  /** To the source of a call, or to copy it: by its position. */
  | { readonly type: "goToSource" | "copyCall" | "copyCallJson"; readonly at: number }
  /** In which calls a text is found, in any case of letters: in all that they say, which rows have in short. */
  | { readonly type: "search"; readonly text: string }
  /** What an id, or an address with `0x`, names is to be shown. */
  | { readonly type: "open"; readonly canonical: string }
  | {
      readonly type:
        | "copyText"
        | "copyJson"
        | "exportSpeedscope"
        | "openExplorer"
        | "loadMore"
        | "refresh"
        /** Its network is to be chosen again, and it is to be loaded. */
        | "changeNetwork"
        /** The setting that can mend what failed. */
        | "openSettings"
        /** The key for want of which it failed is to be asked for, and it is to be loaded again. */
        | "enterKey";
    };

/** What the extension says to the page. */
export type PageNews =
  | { readonly type: "page"; readonly itemId: string; readonly page: TransactionPage }
  /** Rows that are new, or of which more is known now. */
  | { readonly type: "calls"; readonly calls: readonly CallRow[] }
  | { readonly type: "description"; readonly at: number; readonly lines: readonly TextLine[] }
  /** The positions of the calls in which a text is found. */
  | { readonly type: "found"; readonly text: string; readonly calls: readonly number[] }
  /** What was just done and can't be seen, such as a copy. */
  | { readonly type: "told"; readonly words: ShownText }
  /** What is being done, or why it failed; empty for nothing. */
  | {
      readonly type: "state";
      readonly loading: boolean;
      /** What is waited for, where that is more than loading. */
      readonly doing?: ShownText;
      readonly problem?: ShownText;
      /** A setting can mend it, or the key that the server wants. */
      readonly mending?: Mending;
      /** It is of another network than the chosen one. */
      readonly isOfOtherNetwork?: true;
    };
