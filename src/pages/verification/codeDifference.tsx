import type { CodeMap, CodeSummary, PartKind } from "../../core/matching/codeSummaryShape.ts";
import type { PageButton } from "../../core/jobs/page/pageModel.ts";
import { FactList } from "../factList.tsx";
import { Press } from "./press.tsx";

/** How two codes differ: a map of each, what a person would say of it, and the places. */
export function CodeDifference({
  code: { figure, deployed, compiled, facts, places, placeCount },
  button,
  press,
}: {
  readonly code: CodeSummary;
  readonly button: PageButton | undefined;
  readonly press: (id: string) => void;
}) {
  const kinds = new Set([...deployed.cells, ...compiled.cells].map(({ kind }) => kind));
  return (
    <>
      <p>
        {figure} {button && <Press button={button} press={press} />}
      </p>
      <div class="maps">
        <Map name="Deployed" map={deployed} />
        <Map name="Compiled" map={compiled} />
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
        <details>
          <summary>
            {placeCount === 1
              ? "The place that differs"
              : `The ${placeCount.toLocaleString("en-US")} places that differ`}
            {placeCount > places.length ? `, the first ${places.length}` : ""}
          </summary>
          <table>
            <thead>
              <tr>
                <th scope="col" class="number">
                  Byte
                </th>
                <th scope="col" class="number">
                  Deployed
                </th>
                <th scope="col" class="number">
                  Compiled
                </th>
              </tr>
            </thead>
            <tbody>
              {places.map(({ offset, deployedBytes, compiledBytes }) => (
                <tr key={offset}>
                  <td class="number">{offset.toLocaleString("en-US")}</td>
                  <td class="number">{bytesInWords(deployedBytes)}</td>
                  <td class="number">{bytesInWords(compiledBytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  );
}

const KINDS: readonly { readonly kind: PartKind; readonly words: string }[] = [
  { kind: "code", words: "differs" },
  { kind: "address", words: "another address" },
  { kind: "immutable", words: "written by the deployment" },
  { kind: "metadata", words: "metadata" },
  { kind: "same", words: "same" },
];

function bytesInWords(count: number): string {
  return count === 0 ? "nothing" : `${count.toLocaleString("en-US")} ${count === 1 ? "byte" : "bytes"}`;
}

/** A code from its first byte to its last; what of it differs is said by the facts below. */
function Map({ name, map: { bytes, cells } }: { readonly name: string; readonly map: CodeMap }) {
  const differing = cells.filter(({ kind }) => kind === "code").length;
  const words = `${name} code, ${bytes.toLocaleString("en-US")} bytes; ${
    differing === 0 ? "no part differs" : `${differing} of ${cells.length} parts differ`
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
            style={{ height: `${kind === "same" ? 100 : Math.max(35, share * 100)}%` }}
          />
        ))}
      </div>
      <span class="number">{bytes.toLocaleString("en-US")} bytes</span>
    </div>
  );
}
