import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXAMPLE_FILE, examplePage, type MismatchExample } from "../../src/core/jobs/page/examplePage.ts";
import { repositoryRoot } from "../rig/paths.ts";
import { startChain } from "../sandbox/chain.ts";
import { exampleMismatch } from "../sandbox/exampleMismatch.ts";

describe("The example of a mismatch that the walkthrough shows", () => {
  const example = JSON.parse(readFileSync(join(repositoryRoot, ...EXAMPLE_FILE), "utf8")) as MismatchExample;

  it("is what the engine says of the sample, deployed and then changed as its README says", async () => {
    assert.deepEqual(example, await exampleMismatch(), "run npm run example");
  });

  it("is at no address that a first deployment to a local chain has everywhere", async () => {
    const chain = await startChain();
    try {
      // Nothing but the sender and the number of the deployment makes an address.
      const first = await chain.deploy("0x00");
      assert.equal(example.chainId, chain.chainId);
      assert.notEqual(example.address, first.address);
    } finally {
      await chain.stop();
    }
  });

  it("is explained by the value and its line, and has no button that would need a job or a folder", async () => {
    const page = await examplePage(example);
    assert.equal(page.headline, "Example: Counter does not match");
    const [cause] = page.causes;
    assert.match(
      cause?.evidence ?? "",
      /^A value differs: 10 deployed, 11 compiled, in LARGEST_STEP \(Counter\.sol:6\)/,
    );
    assert.equal(page.lead, undefined);
    const buttons = [
      ...page.buttons,
      page.codeButton,
      ...page.sentButtons,
      ...page.causes.map(({ button }) => button),
    ];
    assert.deepEqual(
      buttons.flatMap((button) => button?.label ?? []),
      ["Show Bytecode Difference", "Compiler Input"],
    );
    assert.deepEqual(
      page.sent?.files.map(({ name }) => name),
      ["src/Counter.sol"],
    );
  });
});
