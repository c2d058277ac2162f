import { either, numberFrom, object, oneOf, type Shape } from "../../json/shape.ts";
import type { PageRequest } from "./pageModel.ts";

/** A position in the list of calls. */
const position = numberFrom(0, 1e9);

/** Reads what the page says: whatever runs in it, nothing else is done for it. */
export const pageRequest: Shape<PageRequest> = either(
  object({ type: oneOf("describe", "goToSource"), at: position }),
  object({
    type: oneOf("ready", "copyText", "copyJson", "exportSpeedscope", "openExplorer", "loadMore", "refresh"),
  }),
);
