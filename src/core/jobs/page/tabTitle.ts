import { chainTitle } from "../../chains/chainNames.ts";
import type { Deployment } from "../../service/submissionRequest.ts";
import { foreign, joined, shortAddress, type ShownText } from "../../text/shownText.ts";
import { OUTCOME_MARKS, type VerificationPage } from "./pageModel.ts";

/** What the tab of a verification's page tells. */
export interface PageTab extends Pick<VerificationPage, "title" | "outcome"> {
  readonly deployment: Pick<Deployment, "chainId" | "address">;
}

/**
 * What the tab of a page is called: "✓ Vault", and where another open one of that name is of another address
 * "✓ Vault · 0x9d44…1688". At the same address on another chain, it is the chain that tells them apart.
 *
 * @param open the tabs of all open pages, this one among them or not
 */
export function tabTitle(tab: PageTab, open: readonly PageTab[]): ShownText {
  const { title, outcome, deployment } = tab;
  const alike = open.filter((other) => other.title === title).map((other) => other.deployment);
  const isHere = ({ address }: PageTab["deployment"]) =>
    address.toLowerCase() === deployment.address.toLowerCase();
  return joined(
    [
      joined([foreign(OUTCOME_MARKS[outcome]), title], " "),
      ...(alike.every(isHere) ? [] : [foreign(shortAddress(deployment.address))]),
      ...(alike.some((other) => isHere(other) && other.chainId !== deployment.chainId)
        ? [chainTitle(deployment.chainId)]
        : []),
    ],
    " · ",
  );
}
