import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chainIdOf, writtenChainId } from "../../../src/core/chainId.ts";
import { deploymentKey } from "../../../src/core/evm/deploymentKey.ts";
import { readAs } from "../../../src/core/json/shape.ts";
import { storedJob } from "../../../src/core/jobs/storedJob.ts";
import { ownNetworks } from "../../../src/core/ledger/references/ownNetworks.ts";
import { verifiedContract } from "../../../src/core/service/job.ts";
import { checkChainId } from "../../../src/core/service/parameters.ts";
import { FULL } from "../jobs/fullRecord.ts";

describe("A chain id", () => {
  it("has one form, however a person writes it", () => {
    for (const written of ["296", " 296 ", "0296", "000296", 296]) assert.equal(chainIdOf(written), "296");
    for (const other of ["", "0", "000", "0x128", "-296", "296.0", 1e21, NaN, "1".repeat(21)])
      assert.equal(chainIdOf(other), undefined, String(other));
  });

  it("has the same form, however a program writes it", () => {
    for (const written of ["296", "0296", "0x128", "0X0128", 296, 296n, " 0x128\n"])
      assert.equal(writtenChainId(written), "296");
    for (const other of ["", "0x", "0x0", 0, -1, 1.5, 2 ** 53, null, undefined, {}, "0x" + "f".repeat(20)])
      assert.equal(writtenChainId(other), undefined);
  });

  it("is the same at every entry: an argument, a setting, a stored job, an answer", () => {
    const address = `0x${"Ab".repeat(20)}`;
    const network = { name: "Ours", ledgerUrl: "https://ledger.example", chainId: "0296" };
    const stored = readAs(storedJob, { ...FULL, chainId: "0296", address });
    assert.ok(stored);
    assert.equal(checkChainId("0296"), "296");
    assert.equal(ownNetworks([network])[0]?.chainId, "296");
    assert.equal(deploymentKey(stored), deploymentKey({ chainId: "296", address: address.toLowerCase() }));
    assert.equal(readAs(verifiedContract, { chainId: "0x128" })?.chainId, "296");
  });
});
