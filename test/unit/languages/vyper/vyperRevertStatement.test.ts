import assert from "node:assert/strict";
import { posix } from "node:path";
import { describe, it } from "node:test";
import { vyperRules } from "../../../../src/core/languages/vyper/vyperRules.ts";
import { vyperRevertStatement } from "../../../../src/core/languages/vyper/vyperRevertStatement.ts";

const OWNED = `
owner: address

@internal
def _only_owner():
    assert msg.sender == self.owner, "not the owner"  # HERE

@internal
def _stop():
    raise 'stopped'
`;

const VAULT = `# pragma version ^0.4.0
from ethereum.ercs import IERC20
from modules import owned

initializes: owned

TOO_LITTLE: constant(String[16]) = "too little"
token: IERC20

@external
def sweep(amount: uint256):
    """
    assert amount > 0, "nothing"
    """
    owned._only_owner()
    # assert amount > 0, "nothing"
    assert amount > 0, (
        "nothing"
    )
    assert amount > 9, TOO_LITTLE
    assert extcall self.token.transfer(msg.sender, amount), "not sent, sorry"

@external
def check(amount: uint256):
    self._twice(amount)
    if amount == 7: raise "seven"

@internal
def _twice(amount: uint256):
    assert amount != 1, "odd"
    assert amount != 3, "odd"
    assert amount != 5

@external
def stop(why: String[32]):
    owned._stop()
    assert False, why

@external
def far():
    raise "far"
`;

const SOURCES: Readonly<Record<string, string>> = { "vault.vy": VAULT, "modules/owned.vy": OWNED };

async function found(name: string, reason: string, sources = SOURCES): Promise<string | undefined> {
  const line = (sources["vault.vy"] ?? "").split("\n").findIndex((one) => one.startsWith(`def ${name}(`));
  const place = await vyperRevertStatement(
    { called: { path: "/vault.vy", line, character: 4 } },
    { kind: "reason", reason },
    {
      read: (path) => Promise.resolve(sources[path.slice(1)]),
      resolve: (written, importer) => {
        const paths = vyperRules.importedPaths?.(written) ?? [];
        const folders = [posix.dirname(importer), "/"];
        return Promise.resolve(
          folders
            .flatMap((folder) => paths.map((path) => posix.join(folder, path)))
            .find((path) => path.slice(1) in sources),
        );
      },
    },
  );
  return place && sources[place.path.slice(1)]?.split("\n")[place.line]?.trim();
}

describe("The statement that reverted a Vyper contract", () => {
  it("is found by its reason: over several lines, as a constant, on one line with its condition", async () => {
    assert.equal(await found("sweep", "nothing"), "assert amount > 0, (");
    assert.equal(await found("sweep", "too little"), "assert amount > 9, TOO_LITTLE");
    assert.match((await found("sweep", "not sent, sorry")) ?? "", /^assert extcall self\.token/);
    assert.equal(await found("check", "seven"), 'if amount == 7: raise "seven"');
  });

  it("is found in a function of a module that was called", async () => {
    assert.match((await found("sweep", "not the owner")) ?? "", /# HERE$/);
  });

  it("is not told where several could be it, or where the reason is made at run time", async () => {
    assert.equal(await found("check", "odd"), undefined);
    assert.equal(await found("stop", "stopped"), undefined);
    assert.equal(await found("sweep", "far"), undefined);
  });

  it("is not told where a module that was called can't be read", async () => {
    assert.equal(await found("sweep", "nothing", { "vault.vy": VAULT }), undefined);
    assert.equal(await found("far", "far", { "vault.vy": VAULT }), 'raise "far"');
  });
});
