import { t } from "@vscode/l10n";
import { either, matching, numberFrom, object, oneOf, text, type Shape } from "../../json/shape.ts";
import { openable } from "../references/entityId.ts";
import type { PageRequest } from "./pageModel.ts";

/** A position in the list of calls. */
const position = numberFrom(0, 1e9);

const opened = matching({ test: (text) => openable(text) !== undefined }, () => t`an id or an address`);

/** Reads what the page says: whatever runs in it, nothing else is done for it. */
export const pageRequest: Shape<PageRequest> = either(
  either(
    object({ type: oneOf("describe", "goToSource", "copyCall", "copyCallJson"), at: position }),
    either(
      object({ type: oneOf("open"), canonical: opened }),
      object({ type: oneOf("search"), text: text() }),
    ),
  ),
  object({
    type: oneOf(
      "ready",
      "copyText",
      "copyJson",
      "exportSpeedscope",
      "openExplorer",
      "loadMore",
      "refresh",
      "changeNetwork",
      "openSettings",
      "enterKey",
    ),
  }),
);
