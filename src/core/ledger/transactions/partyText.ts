import { foreign, shortAddress, shown, type ShownText } from "../../text/shownText.ts";
import { entityIdText, fromLongZeroAddress } from "../references/entityId.ts";

/** "0.0.1234", or a shortened address; a long-zero address is the id that it is made of. */
export function partyText(id: string | undefined, address: string | undefined): ShownText {
  if (id !== undefined) return foreign(id);
  if (address === undefined) return shown`unknown`;
  const entity = fromLongZeroAddress(address);
  return foreign(entity ? entityIdText(entity) : shortAddress(address));
}
