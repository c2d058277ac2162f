import { t } from "@vscode/l10n";
import { LedgerLensError } from "../core/errors.ts";

/** Something that has to be taken down; a promise is waited for. */
interface Ending {
  dispose(): unknown;
}

/** Parts that end together, the last one first. */
export class OwnedParts {
  readonly #parts: Ending[] = [];
  #hasEnded = false;

  /**
   * Takes a part into care.
   *
   * @throws LedgerLensError `cancelled` after the end, at which a part that is late is taken down at once
   */
  own<Part extends Ending>(part: Part): Part {
    if (this.#hasEnded) {
      part.dispose();
      throw new LedgerLensError("cancelled", t`Ledger Lens ended while a part of it was being loaded.`);
    }
    this.#parts.push(part);
    return part;
  }

  /** Takes everything down; done when that is. A second time there is nothing left to do. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const parts = this.#parts.splice(0).reverse();
    await Promise.all(parts.map((part) => part.dispose()));
  }
}

/** Takes a part into care; see {@link OwnedParts}. */
export type Own = OwnedParts["own"];
