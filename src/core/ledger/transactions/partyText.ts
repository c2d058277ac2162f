import { foreign, foreignWhole, shown, type ShownText } from "../../text/shownText.ts";
import { addressText, type WordForm } from "../actions/addressText.ts";

/** "0.0.1234", or an address as {@link addressText} says it. */
export function partyText(
  id: string | undefined,
  address: string | undefined,
  form: WordForm = "short",
): ShownText {
  if (id !== undefined) return form === "short" ? foreign(id) : foreignWhole(id);
  if (address === undefined) return shown`unknown`;
  return foreignWhole(addressText(address, form));
}
