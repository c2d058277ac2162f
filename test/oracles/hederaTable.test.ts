// The functions of the network's own contracts, compared with the network's own program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FunctionFragment, id } from "ethers";
import { HEDERA_TABLE } from "../../src/core/ledger/names/hederaTable.ts";
import { expanded } from "../../src/core/ledger/names/shippedTables.ts";
import { repositoryRoot } from "../rig/paths.ts";

/** What reads the program. */
interface Generator {
  hederaModule(): Promise<string>;
  declaredFunctions(): Promise<{
    readonly declared: ReadonlyMap<string, readonly { readonly signature: string }[]>;
    /** `0x` and 8 hex digits each. */
    readonly selectors: ReadonlyMap<string, readonly string[]>;
  }>;
}

const hasMaven = spawnSync("mvn", ["--version"]).status === 0;
const skip = hasMaven ? false : "mvn, which gets the network's program, is not on this machine";

describe("The table of the network's own contracts", () => {
  const generator = import(join(repositoryRoot, "hederaTable.mjs")) as Promise<Generator>;

  it("is what the program declares", { skip }, async () => {
    const text = await (await generator).hederaModule();
    assert.ok(text.includes(HEDERA_TABLE), "run node hederaTable.mjs");
  });

  it("has every selector of the program, and no other", { skip }, async () => {
    const { declared, selectors } = await (await generator).declaredFunctions();
    const signatures = [...declared.values()].flat().map(({ signature }) => id(signature).slice(0, 10));
    const wanted = new Set([...signatures, ...[...selectors.values()].flat()]);
    const shipped = new Set(
      expanded(HEDERA_TABLE).flatMap((line) =>
        line.startsWith("# ") ? [] : [FunctionFragment.from(`function ${line}`).selector],
      ),
    );
    console.log(`${shipped.size} selectors are shipped, ${wanted.size} are declared`);
    assert.ok(wanted.size > 100);
    assert.deepEqual([...shipped].sort(), [...wanted].sort());
  });
});
