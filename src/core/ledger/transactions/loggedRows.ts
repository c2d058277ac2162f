import { definedOnly } from "../../json/looseData.ts";
import { amountText, counted } from "../../text/counted.ts";
import { groupDigits } from "../../text/exactDecimal.ts";
import { foreign, foreignWhole, joined, shown, type ShownText } from "../../text/shownText.ts";
import type { WordForm } from "../actions/addressText.ts";
import type { TokenUnits } from "../tokens/tokenUnits.ts";
import { openable } from "../references/entityId.ts";
import type { NftSum } from "./balances.ts";
import type { LoggedMoves, LoggingToken } from "./loggedMoves.ts";
import type { NftRow, TransactionPage, TransferRow } from "./pageModel.ts";
import { nameWith } from "./nameWith.ts";
import { partyText } from "./partyText.ts";

/** Serial numbers that a row tells, and how many more there are. */
const MAX_SERIALS = 5;

/** What is known of contracts by their address in lower case. */
interface KnownTokens {
  readonly names: ReadonlyMap<string, string>;
  readonly unitsOf?: ((address: string) => TokenUnits | undefined) | undefined;
}

/** The rows of what logs say was moved. */
export function loggedRows(
  { assets, nfts, nftSums }: LoggedMoves,
  { names, unitsOf }: KnownTokens,
  form: WordForm,
): Pick<TransactionPage, "transfers" | "nfts"> {
  const fit = form === "short" ? foreign : foreignWhole;
  const tokens = new Map<string, LoggingToken>(
    [...assets, ...nfts].map(({ token }) => [token.address, token]),
  );
  const nameOf = (address: string) => {
    const party = partyText(tokens.get(address)?.id, address, form);
    const name = unitsOf?.(address)?.symbol ?? names.get(address);
    return name === undefined ? party : nameWith(name, party);
  };
  const opens = (address: string) => openable(tokens.get(address)?.id) ?? openable(address);
  const account = (address: string) => ({
    account: partyText(undefined, address, form),
    ...definedOnly({ opensAccount: openable(address) }),
  });
  const asset = (address: string) => definedOnly({ opensAsset: opens(address) });
  const transfers = assets.flatMap(({ token: { address }, kind, changes }) => {
    const decimals = kind === undefined ? unitsOf?.(address)?.decimals : undefined;
    const name = nameOf(address);
    return changes.map(({ account: holder, amount, by }): TransferRow => {
      const isGiven = amount.startsWith("-");
      const size = isGiven ? amount.slice(1) : amount;
      // What an ERC-1155 contract has of a kind is counted by whatever it says.
      const inUnits = kind === undefined ? amountText(size, decimals) : groupDigits(size);
      return {
        asset: fit(kind === undefined ? name : `${name} #${kind}`),
        ...account(holder),
        ...asset(address),
        amount: fit(`${isGiven ? "−" : "+"}${inUnits}`),
        isGiven,
        ...(decimals === undefined && { isUnscaled: true }),
        remark: joined([shown`from logs`, ...(by === undefined ? [] : [originWords(by)])], ", "),
      };
    });
  });
  const sums = nftSums.map(({ tokenId, account: holder, ...sum }): TransferRow => ({
    ...nftSumRow(sum, nameOf(tokenId), form),
    ...account(holder),
    ...asset(tokenId),
    remark: shown`from logs`,
  }));
  const moved = nfts.map(({ token: { address }, serial, from, to }): NftRow => ({
    nft: fit(`${nameOf(address)} #${serial}`),
    ...(from !== undefined && { from: partyText(undefined, from, form) }),
    ...(to !== undefined && { to: partyText(undefined, to, form) }),
    isFromLogs: true,
    ...definedOnly({ opensToken: opens(address), opensFrom: openable(from), opensTo: openable(to) }),
  }));
  return { transfers: [...transfers, ...sums], nfts: moved };
}

function originWords(by: "minting" | "burning"): ShownText {
  return by === "minting" ? shown`minted` : shown`burned`;
}

/** "+2" of "PASS (0.0.7) #3, #4": what an account has more or less of the NFTs of a token than before. */
export function nftSumRow(
  { isGiven, serials }: Pick<NftSum, "isGiven" | "serials">,
  collection: string,
  form: WordForm,
): Pick<TransferRow, "asset" | "amount" | "isGiven" | "isUnscaled"> {
  const [fit, most] = form === "short" ? [foreign, MAX_SERIALS] : [foreignWhole, serials.length];
  const told = serials.slice(0, most).map((serial) => `#${serial}`);
  const more = serials.length - told.length;
  const which = [...told, ...(more > 0 ? [counted(more, "more NFT")] : [])].join(", ");
  return {
    asset: fit(`${collection} ${which}`),
    amount: fit(`${isGiven ? "−" : "+"}${groupDigits(String(serials.length))}`),
    isGiven,
    isUnscaled: true,
  };
}
