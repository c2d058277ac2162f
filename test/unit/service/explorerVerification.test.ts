import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { explorersAreDone, explorerVerifications } from "../../../src/core/service/explorerVerification.ts";

const job = (externalVerifications: unknown) => ({
  isJobCompleted: true,
  verificationId: "11111111-2222-4333-8444-555555555555",
  externalVerifications,
});

describe("What explorers did with a verification", () => {
  it("is told for each, with its state and a link", () => {
    const found = explorerVerifications(
      job({
        etherscan: {
          verificationId: "abc",
          statusUrl: "https://api.etherscan.io/status?guid=abc",
          explorerUrl: "https://etherscan.io/address/0x1#code",
        },
        blockscout: { verificationId: "VERIFIER_ALREADY_VERIFIED" },
        routescan: { error: "Max rate limit reached" },
        newscan: {},
      }),
    );
    assert.deepEqual(found, [
      { explorer: "Etherscan", state: "submitted", link: "https://etherscan.io/address/0x1#code" },
      { explorer: "Blockscout", state: "verified" },
      { explorer: "Routescan", state: "failed", reason: "Max rate limit reached" },
      { explorer: "newscan", state: "waiting" },
    ]);
  });

  it("never leads anywhere but to https, and never hides what it says", () => {
    for (const link of [
      "javascript:alert(1)",
      "command:workbench.action.terminal.new",
      "http://etherscan.io/x",
      "file:///etc/passwd",
      "vscode://x",
      "https://etherscan.io@evil.example/",
      "https://user:secret@etherscan.io/",
      "//etherscan.io",
      "",
      7,
      null,
    ]) {
      const [found] = explorerVerifications(job({ etherscan: { explorerUrl: link } }));
      assert.equal(found?.link, undefined, String(link));
    }
    const [found] = explorerVerifications(
      job({ ["evil\u202e$(zap)" + "x".repeat(500)]: { error: `no\n\u0007${"y".repeat(9000)}` } }),
    );
    assert.match(found?.explorer ?? "", /^evil\\u\{202e\}\$ \(zap\)/);
    assert.ok((found?.explorer.length ?? 0) <= 30 && (found?.reason?.length ?? 0) <= 200);
    assert.match(found?.reason ?? "", /^no \\u\{7\}/);
  });

  it("is nothing where a service says something else", () => {
    for (const value of [undefined, null, [], "etherscan", 5, { etherscan: "ok" }, { etherscan: null }])
      assert.deepEqual(explorerVerifications(job(value)), []);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`scan${at}`, {}]));
    assert.equal(explorerVerifications(job(many)).length, 10);
  });

  it("is waited for until each has answered; a first failure may pass", () => {
    const answered = { etherscan: { explorerUrl: "https://etherscan.io/x" } };
    assert.equal(explorersAreDone(job(undefined), 60_000), false);
    assert.equal(explorersAreDone(job(answered), 0), true);
    assert.equal(explorersAreDone(job({ ...answered, routescan: {} }), 60_000), false);
    const failed = { routescan: { error: "not indexed yet" } };
    assert.equal(explorersAreDone(job(failed), 10_000), false);
    assert.equal(explorersAreDone(job(failed), 60_000), true);
  });
});
