import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NamesAtCreatedAddress } from "../../../../src/core/ledger/names/createdAddress.ts";
import type { LedgerContract } from "../../../../src/core/ledger/ledgerService.ts";
import type { NameScope } from "../../../../src/core/ledger/names/nameSource.ts";
import { networkAt } from "../../../../src/core/ledger/references/network.ts";

const network = networkAt("http://127.0.0.1:1");
const CREATED = `0x${"c1".repeat(20)}`;

describe("A source that knows contracts by the address at which they were created", () => {
  it("is asked for it where an address is made of a number that an id may have, and only there", async () => {
    const [lookedUp, asked]: [unknown[], unknown[]] = [[], []];
    const names = new NamesAtCreatedAddress(
      {
        certainty: "verified",
        definitions: () => Promise.resolve([]),
        contractName: ({ address }: NameScope) => {
          asked.push(address);
          return Promise.resolve({ name: "Vault" });
        },
      },
      ({ address }) => {
        lookedUp.push(address);
        return Promise.resolve({ address: CREATED } as LedgerContract);
      },
    );
    const long = (number: string) => `0x${number.padStart(40, "0")}`;
    const addresses = [long("4d2"), long("3fffffffff"), long("4000000000"), long("f".repeat(16)), CREATED];
    for (const address of addresses) await names.contractName({ network, address });
    assert.deepEqual(lookedUp, [long("4d2"), long("3fffffffff")]);
    assert.deepEqual(asked, [CREATED, CREATED, ...addresses.slice(2)]);
  });
});
