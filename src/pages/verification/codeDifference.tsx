import { t } from "@vscode/l10n";
import type { CodeMap, CodeSummary, PartKind } from "../../core/matching/codeSummaryShape.ts";
import type { PageButton } from "../../core/jobs/page/pageModel.ts";
import { FactList } from "../factList.tsx";
import { Fold, type KeptFold } from "./fold.tsx";
import { Press } from "./press.tsx";
import { counted } from "../../core/text/counted.ts";

/** How two codes differ: a map of each, what a person would say of it, and the places. */
export function CodeDifference({
  code: { figure, deployed, compiled, facts, places, placeCount },
  button,
  fold,
  press,
}: {
  readonly code: CodeSummary;
  readonly button: PageButton | undefined;
  readonly fold: KeptFold;
  readonly press: (id: string) => void;
}) {
  const kinds = new Set([...deployed.cells, ...compiled.cells].map(({ kind }) => kind));
  return (
    <>
      <p>
        {figure} {button && <Press button={button} press={press} />}
      </p>
      <div class="maps">
        <Map name={t`Deployed`} map={deployed} />
        <Map name={t`Compiled`} map={compiled} />
        <p class="legend" aria-hidden="true">
          {KINDS.filter(({ kind }) => kinds.has(kind)).map(({ kind, words }) => (
            <span key={kind}>
              <i class={`cell ${kind}`} /> {words}
            </span>
          ))}
        </p>
      </div>
      <FactList facts={facts} isTall />
      {places.length > 0 && (
        <Fold
          fold={fold}
          summary={`${
            placeCount === 1
              ? t`The place that differs`
              : t`The ${placeCount.toLocaleString("en-US")} places that differ`
          }${placeCount > places.length ? t`, the first ${places.length}` : ""}`}
        >
          <table>
            <thead>
              <tr>
                <th scope="col" class="number">
                  {t`Byte`}
                </th>
                <th scope="col" class="number">
                  {t`Deployed`}
                </th>
                <th scope="col" class="number">
                  {t`Compiled`}
                </th>
              </tr>
            </thead>
            <tbody>
              {places.map(({ offset, deployedBytes, compiledBytes, values }) => (
                <tr key={offset}>
                  <td class="number">{offset.toLocaleString("en-US")}</td>
                  <PlaceCell bytes={deployedBytes} value={values?.deployed} />
                  <PlaceCell bytes={compiledBytes} value={values?.compiled} />
                </tr>
              ))}
            </tbody>
          </table>
        </Fold>
      )}
    </>
  );
}

const KINDS: readonly { readonly kind: PartKind; readonly words: string }[] = [
  { kind: "code", words: t`differs` },
  { kind: "address", words: t`another address` },
  { kind: "immutable", words: t`written by the deployment` },
  { kind: "arguments", words: t`constructor arguments` },
  { kind: "metadata", words: t`metadata` },
  { kind: "unknown", words: t`not known, behind a library that is not linked` },
  { kind: "same", words: t`same` },
];

/** What a code has in a place: the bytes themselves where they are few. */
function PlaceCell({ bytes, value }: { readonly bytes: number; readonly value: string | undefined }) {
  return value === undefined || value === "0x" ? (
    <td class="number">{bytesInWords(bytes)}</td>
  ) : (
    <td class="number value">{value}</td>
  );
}

function bytesInWords(count: number): string {
  return count === 0 ? t`nothing` : `${count.toLocaleString("en-US")} ${count === 1 ? t`byte` : t`bytes`}`;
}

/** A code from its first byte to its last; what of it differs is said by the facts below. */
function Map({ name, map: { bytes, cells } }: { readonly name: string; readonly map: CodeMap }) {
  const differing = cells.filter(({ kind }) => kind === "code").length;
  const words = t`${name} code, ${counted(bytes, "byte")}; ${
    differing === 0 ? t`no part differs` : t`${differing} of ${cells.length} parts differ`
  }`;
  return (
    <div class="map">
      <span class="name">{name}</span>
      <div class="cells" role="img" aria-label={words} title={words}>
        {cells.map(({ kind, share }, at) => (
          // Of a part that differs in a byte alone, something has to be seen.
          <i
            key={at}
            class={`cell ${kind}`}
            style={{ height: `${kind === "same" || kind === "unknown" ? 100 : Math.max(35, share * 100)}%` }}
          />
        ))}
      </div>
      <span class="number">{counted(bytes, "byte")}</span>
    </div>
  );
}
