import { shortAddress } from "../../text/shownText.ts";
import { nameWith } from "./nameWith.ts";

/** What was called: its name, and what opens it, an id or an address, where that is known. */
export interface CalledParty {
  readonly contract: string;
  readonly opens?: string;
}

/** What a party is, whatever it is called: its id or address, else its name. */
export function partyKey({ contract, opens }: CalledParty): string {
  return (opens ?? contract).toLowerCase();
}

/**
 * What parties are called among each other: those of one name with their id behind it, "Pair (0.0.1010)", any other by its name
 * alone.
 */
export function distinctNames(parties: Iterable<CalledParty>): (party: CalledParty) => string {
  const first = new Map<string, string>();
  /** The parties of names that several have. */
  const several = new Map<string, Set<string>>();
  for (const party of parties) {
    const { contract } = party;
    const key = partyKey(party);
    const known = first.get(contract);
    if (known === undefined) first.set(contract, key);
    else if (known !== key) several.set(contract, (several.get(contract) ?? new Set([known])).add(key));
  }
  return (party) => {
    const { contract, opens } = party;
    const keys = several.get(contract);
    if (!keys || opens === undefined) return contract;
    const short = shortId(opens);
    // Addresses can be made that look like others when they are shortened.
    const isClear = [...keys].filter((key) => shortId(key) === short.toLowerCase()).length === 1;
    return nameWith(contract, isClear ? short : opens);
  };
}

function shortId(canonical: string): string {
  return canonical.startsWith("0x") ? shortAddress(canonical) : canonical;
}
