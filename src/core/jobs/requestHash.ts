import { createHash } from "node:crypto";
import { inTurns, type Pieces } from "../concurrency/turns.ts";
import { textParts } from "../json/jsonPieces.ts";

/** The SHA-256 of what is sent, in hexadecimal digits: a body may have 30 MB. */
export function requestHash({ body }: { readonly body: string }): Promise<string> {
  return inTurns(sha256InPieces(body));
}

function* sha256InPieces(text: string): Pieces<string> {
  const hash = createHash("sha256");
  for (const part of textParts(text)) {
    hash.update(part);
    yield;
  }
  return hash.digest("hex");
}
