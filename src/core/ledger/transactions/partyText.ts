import { foreign, foreignWhole, shortAddress, shown, type ShownText } from "../../text/shownText.ts";
import type { WordForm } from "../actions/actionRows.ts";
import { entityIdText, fromLongZeroAddress } from "../references/entityId.ts";

/** "0.0.1234", or an address, shortened unless it is to be whole; a long-zero address is the id that it is made of. */
export function partyText(
  id: string | undefined,
  address: string | undefined,
  form: WordForm = "short",
): ShownText {
  if (id !== undefined) return form === "short" ? foreign(id) : foreignWhole(id);
  if (address === undefined) return shown`unknown`;
  const entity = fromLongZeroAddress(address);
  if (entity) return foreign(entityIdText(entity));
  return form === "short" ? foreign(shortAddress(address)) : foreignWhole(address);
}

/** "Router (0.0.1007)", "SMC (0.0.456858)" */
export function nameWith(name: string, id: string): string {
  return `${name} (${id})`;
}
