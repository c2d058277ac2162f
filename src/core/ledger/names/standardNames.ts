import { readSelector, type MemberKind } from "../../evm/abiEntry.ts";
import type { NamedDefinition, NameSource } from "./nameSource.ts";

/**
 * The functions, errors and events of standards, and of the network's own contracts, that ship with the extension. They say what a selector most likely is,
 * wherever it is met; nothing is asked for them, and the tables are loaded at their first use.
 */
export class StandardNames implements NameSource {
  readonly certainty = "standard";

  async definitions(kind: MemberKind, selector: string): Promise<readonly NamedDefinition[]> {
    const number = readSelector(selector);
    if (number === undefined) return [];
    const { standardDefinitions } = await import("./shippedTables.ts");
    const found = standardDefinitions(kind, number);
    return kind === "event" ? found.filter(({ topic }) => topic === selector) : found;
  }
}
