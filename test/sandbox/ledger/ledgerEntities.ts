/** The entity ids that the ledger gave to addresses: accounts and contracts alike count up from 0.0.1001. */
export class LedgerEntities {
  readonly #numbers = new Map<string, number>();
  readonly #addresses = new Map<number, string>();
  #next = 1001;

  /** The id of an address; one that holds an id already keeps it, another one gets the next. */
  idOf(address: string): string {
    return `0.0.${this.#numberOf(address)}`;
  }

  /**
   * The address of an id in any of the forms that a mirror node takes; `undefined` when no entity has that id. An address
   * of the chain's own stands for itself.
   */
  addressOf(written: string): string | undefined {
    const hex = /^(?:0x|0\.0\.)?([0-9a-f]{40})$/i.exec(written)?.[1];
    if (hex !== undefined) {
      const address = `0x${hex.toLowerCase()}`;
      const number = longZeroNumber(address);
      return number === undefined ? address : (this.#addresses.get(number) ?? address);
    }
    const number = Number(/^(?:0\.){0,2}(\d{1,12})$/.exec(written)?.[1]);
    return this.#addresses.get(number) ?? (Number.isNaN(number) ? undefined : longZero(number));
  }

  /** The id as an address, which is how contract actions name everybody. */
  longZeroOf(address: string): string {
    return longZero(this.#numberOf(address));
  }

  /** Gives an address an id of its own choice. */
  assign(address: string, number: number): void {
    this.#numbers.set(address.toLowerCase(), number);
    this.#addresses.set(number, address.toLowerCase());
  }

  #numberOf(written: string): number {
    const address = written.toLowerCase();
    const own = longZeroNumber(address);
    if (own !== undefined) return own;
    const known = this.#numbers.get(address);
    if (known !== undefined) return known;
    const number = this.#next++;
    this.assign(address, number);
    return number;
  }
}

/** An entity number as an address. */
export function longZero(number: number): string {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

/** The number in the address that is made of one; a number has 38 bits. */
export function longZeroNumber(address: string): number | undefined {
  return /^0x0{24}/.test(address) && BigInt(address) < 2n ** 38n ? Number(BigInt(address)) : undefined;
}
