import { t } from "@vscode/l10n";
import { useRef } from "preact/hooks";
import { Openable, WithOpenables } from "../factList.tsx";
import type { TransactionPage } from "../../core/ledger/transactions/pageModel.ts";

/** What stands in the place of a list: that there is nothing in it, where that is known. */
function NothingListed({
  unknown,
  nothing,
}: {
  readonly unknown: TransactionPage["unknown"]["logs"];
  readonly nothing: string;
}) {
  const words =
    unknown === "asked" ? t`Loading…` : unknown === "untold" ? t`The ledger did not tell them.` : nothing;
  return <p class="empty">{words}</p>;
}

/** The logs, each with its topics and data to unfold. */
export function LogList({
  logs,
  unknown,
  unfolded: first,
  open,
  keepOpen,
}: {
  readonly logs: TransactionPage["logs"];
  readonly unknown: TransactionPage["unknown"]["logs"];
  /** Positions of those that are unfolded at first. */
  readonly unfolded: readonly number[];
  /** Opens what a contract is. */
  readonly open: (canonical: string) => void;
  readonly keepOpen: (open: readonly number[]) => void;
}) {
  const unfolded = useRef(new Set(first));
  const toggle = (at: number, isOpen: boolean) => {
    if (isOpen) unfolded.current.add(at);
    else unfolded.current.delete(at);
    keepOpen([...unfolded.current]);
  };
  if (logs.length === 0) return <NothingListed unknown={unknown} nothing={t`No logs.`} />;
  return (
    <ul class="logs">
      {logs.map(({ index, contract, opens, event, raw, isGuess, standard }, at) => (
        <li key={at}>
          <span class="index">{index}</span>
          {/* A button within what unfolds would be none to those who don't see it. */}
          <span class="contract">
            <Openable text={contract} opens={opens} open={open} />
          </span>
          <details
            open={unfolded.current.has(at)}
            onToggle={({ currentTarget }) => toggle(at, currentTarget.open)}
          >
            <summary>
              {event}
              {isGuess && <span class="guess">{t`name is a guess`}</span>}
              {standard !== undefined && <span class="guess">{standard}</span>}
            </summary>
            {raw.map((line, place) => (
              <code key={place}>
                <WithOpenables text={line} open={open} />
              </code>
            ))}
          </details>
        </li>
      ))}
    </ul>
  );
}

interface StateProps {
  readonly state: TransactionPage["state"];
  readonly unknown: TransactionPage["unknown"]["state"];
  /** Opens what a contract is. */
  readonly open: (canonical: string) => void;
}

/** The slots of storage that were read or written, below the contract that they are of. */
export function StateTable(props: StateProps) {
  const { state, unknown } = props;
  if (state.length === 0) return <NothingListed unknown={unknown} nothing={t`No state changes.`} />;
  const isOnlyRead = state.every(({ slots }) => slots.every(({ after }) => after === undefined));
  return (
    <>
      {isOnlyRead && <p class="note">{t`These slots were only read: nothing was written.`}</p>}
      <SlotTable {...props} />
    </>
  );
}

function SlotTable({ state, open }: Omit<StateProps, "unknown">) {
  return (
    <table class="state">
      <thead>
        <tr>
          <th scope="col">{t`Variable`}</th>
          <th scope="col">{t`Before`}</th>
          <th scope="col">{t`After`}</th>
        </tr>
      </thead>
      {state.map(({ contract, opens, slots }, place) => (
        <tbody key={place}>
          <tr>
            <th scope="rowgroup" colSpan={3} class="of" title={contract}>
              <Openable text={contract} opens={opens} open={open} />
            </th>
          </tr>
          {slots.map(({ slot, variable, before, after, words }, at) => (
            <tr key={at}>
              <td title={variable === undefined ? t`Slot ${slot}` : t`${variable}, in slot ${slot}`}>
                {variable === undefined ? (
                  <span class="guess">{t`slot ${slot}`}</span>
                ) : (
                  <WithOpenables text={variable} open={open} />
                )}
              </td>
              <td title={words?.before ?? before}>
                <WithOpenables text={before} open={open} />
              </td>
              <td title={words?.after ?? after}>
                {after === undefined ? t`only read` : <WithOpenables text={after} open={open} />}
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** What every account got and gave. */
export function TransferTable({
  transfers,
  nfts,
  unknown,
  open,
}: Pick<TransactionPage, "transfers" | "nfts"> & {
  readonly unknown: TransactionPage["unknown"]["transfers"];
  /** Opens what an account or an asset is. */
  readonly open: (canonical: string) => void;
}) {
  if (transfers.length + nfts.length === 0)
    return <NothingListed unknown={unknown} nothing={t`No transfers.`} />;
  const party = (text: string | undefined, opens: string | undefined, missing: string) => (
    <td title={text}>
      {text === undefined ? (
        <span class="guess">{missing}</span>
      ) : (
        <Openable text={text} opens={opens} open={open} />
      )}
    </td>
  );
  return (
    <>
      {transfers.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Account`}</th>
              <th scope="col" class="number">{t`Amount`}</th>
              <th scope="col">{t`Asset`}</th>
            </tr>
          </thead>
          <tbody>
            {transfers.map(
              ({ asset, account, amount, isGiven, role, remark, opensAccount, opensAsset }, at) => (
                <tr key={at}>
                  <td title={account}>
                    <Openable text={account} opens={opensAccount} open={open} />
                    {role !== undefined && <span class="guess"> {role}</span>}
                  </td>
                  <td class={isGiven ? "number given" : "number got"} title={amount}>
                    {amount}
                  </td>
                  <td title={asset}>
                    <Openable text={asset} opens={opensAsset} open={open} />
                    {remark !== undefined && <span class="guess"> {remark}</span>}
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      )}
      {nfts.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t`NFT`}</th>
              <th scope="col">{t`From`}</th>
              <th scope="col">{t`To`}</th>
            </tr>
          </thead>
          <tbody>
            {nfts.map(({ nft, from, to, isByAllowance, isFromLogs, opensToken, opensFrom, opensTo }, at) => (
              <tr key={at}>
                <td title={nft}>
                  <Openable text={nft} opens={opensToken} open={open} />
                  {isByAllowance && <span class="guess"> {t`by allowance`}</span>}
                  {isFromLogs && <span class="guess"> {t`from logs`}</span>}
                </td>
                {party(from, opensFrom, t`minted`)}
                {party(to, opensTo, t`burned`)}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
