import { either, numberFrom, object, oneOf, text, type Shape } from "../../json/shape.ts";
import type { VerificationPageRequest } from "./pageModel.ts";

/** Reads what the page says: whatever runs in it, nothing else is done for it. */
export const verificationPageRequest: Shape<VerificationPageRequest> = either(
  object({ type: oneOf("ready") }),
  either(
    object({ type: oneOf("press"), id: text(200) }),
    either(
      object({ type: oneOf("openFile"), at: numberFrom(0, 1e9) }),
      object({ type: oneOf("open"), canonical: text(200) }),
    ),
  ),
);
