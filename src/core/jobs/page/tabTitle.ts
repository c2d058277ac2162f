import { foreign, joined, type ShownText } from "../../text/shownText.ts";
import { placeAmong, type Place } from "../placeAmong.ts";
import { OUTCOME_MARKS, type VerificationPage } from "./pageModel.ts";

/** What the tab of a verification's page tells. */
export interface PageTab extends Pick<VerificationPage, "title" | "outcome"> {
  readonly deployment: Place;
}

/**
 * What the tab of a page is called: "✓ Vault", and where another open one of that name is of another address
 * "✓ Vault · 0x9d44…1688".
 *
 * @param open the tabs of all open pages, this one among them or not
 */
export function tabTitle({ title, outcome, deployment }: PageTab, open: readonly PageTab[]): ShownText {
  const alike = open.filter((other) => other.title === title).map((other) => other.deployment);
  return joined(
    [joined([foreign(OUTCOME_MARKS[outcome]), title], " "), ...placeAmong(deployment, alike)],
    " · ",
  );
}
