import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { parseLedgerReference } from "../../../src/core/ledger/references/ledgerReference.ts";
import {
  networkNameInLink,
  networkOfLink,
  publicNetworks,
  selectableNetwork,
} from "../../../src/core/ledger/references/network.ts";
import { checkVerificationId } from "../../../src/core/service/parameters.ts";
import { readUriLink } from "../../../src/editor/uriLinks.ts";

const [mainnet] = publicNetworks;
assert.ok(mainnet);

/** What following a link comes to before anything is asked: its sentence, or what it names. */
function followed(path: string, query: string): string {
  try {
    const link = readUriLink({ path, query });
    if (link.kind === "job") return `job ${checkVerificationId(link.id)}`;
    if (link.network !== undefined) selectableNetwork(link.network);
    const wanted = link.kind === "address" ? undefined : link.kind;
    assert.ok(mainnet);
    const reference = parseLedgerReference(link.id, mainnet, wanted);
    return "error" in reference ? reference.error : `${reference.kind} ${reference.canonical}`;
  } catch (error) {
    assert.ok(error instanceof LedgerLensError);
    return error.message;
  }
}

describe("A link that somebody else wrote", () => {
  it("comes to one readable sentence, whatever stands in it", () => {
    const ids = [
      "../../v2/contract/1",
      "0.0.5/../../x",
      "0.0.5\u202e1",
      "\u0000\u0007",
      "0.0.5\n0.0.6",
      "x".repeat(200),
      "x".repeat(100_000),
      "9".repeat(200),
      "%2e%2e%2f",
      "command:workbench.action.closeWindow",
      "[Open](command:workbench.action.closeWindow)",
      "https://evil.example/token/0.0.5",
      "__proto__",
    ];
    for (const kind of ["transaction", "token", "schedule", "address", "job"])
      for (const id of ids) {
        const said = followed(`/${kind}`, String(new URLSearchParams({ id })));
        assert.match(said, /\.$/, `${kind} ${id.slice(0, 40)}: ${said}`);
        assert.doesNotMatch(said, /[\p{Cc}\p{Cf}]|\]\(/u, `${kind}: ${JSON.stringify(said)}`);
        assert.ok(said.length < 500, `${kind}: ${said.length} characters`);
      }
  });

  it("names one thing on one network, by a path that is ours", () => {
    assert.equal(followed("/token", "id=0.0.5"), "token 0.0.5");
    for (const [path, query] of [
      ["/token", "id=0.0.5&id=0.0.6"],
      ["/token", "id=0.0.5&network=mainnet&network=testnet"],
      ["/transaction/../token", "id=0.0.5"],
      ["//token", "id=0.0.5"],
      ["/__proto__", "id=0.0.5"],
    ] as const)
      assert.match(followed(path, query), /^This link names nothing/, `${path}?${query}`);
    // The editor hands over a query that it has decoded: no plus sign of a hash in base64 is a blank.
    const hash = Buffer.alloc(48, 0xfb).toString("base64");
    assert.ok(hash.includes("+"));
    assert.deepEqual(readUriLink({ path: "/transaction", query: `id=${hash}` }), {
      kind: "transaction",
      id: hash,
    });
    for (const network of ["https://evil.example", "__proto__", "n".repeat(100_000)])
      assert.match(followed("/token", `id=0.0.5&network=${network}`), /^There is no such network/);
  });

  it("says its network by the id of the chain, too, and opens nothing where that is another chain", () => {
    const address = `0x${"9d".repeat(20)}`;
    const own = [{ name: "Ours", ledgerUrl: "https://ledger.example", chainId: "7001" }];
    const networkOf = (query: string) => {
      const link = readUriLink({ path: "/address", query: `id=${address}&${query}` });
      assert.ok(link.kind === "address" && link.id === address);
      return networkOfLink(link, mainnet, own);
    };
    for (const query of [
      "",
      "utm_source=chat",
      "chainId=295",
      "chainId=0295&x=1",
      "network=mainnet&chainId=295",
    ])
      assert.equal(networkOf(query), undefined, query);
    assert.equal(networkOf("chainId=296"), "testnet");
    assert.equal(networkOf("chainId=296&network=testnet"), "testnet");
    assert.equal(networkOf("chainId=7001"), "Ours");
    for (const [query, message] of [
      ["chainId=1", /^This link is of Ethereum Mainnet \(1\), which is no network/],
      ["network=testnet&chainId=295", /^This link names Hedera Testnet and Hedera Mainnet \(295\)/],
      ["network=evilnet&chainId=295", /^There is no such network/],
    ] as const)
      assert.throws(() => networkOf(query), { code: "invalid_parameter", message });
    for (const chainId of ["", "0x127", "295/..", "-1", "295&chainId=296", "1".repeat(21)])
      assert.throws(() => networkOf(`chainId=${chainId}`), { code: "invalid_link" }, chainId);
  });

  const named = (...names: readonly string[]) =>
    names.map((name) => ({ name, ledgerUrl: "https://ledger.example" }));
  /** What the editor makes of a link, and which network that means. */
  const meant = (network: string, ...names: readonly string[]) => {
    const query = decodeURIComponent(`id=0.0.5&network=${network}`);
    const link = readUriLink({ path: "/token", query });
    assert.ok(link.kind !== "job" && link.network !== undefined);
    const own = named(...names);
    const name = networkNameInLink(link.network, own);
    selectableNetwork(name, own);
    return name;
  };

  it("names a network of one's own, however its blanks and plus signs are written", () => {
    for (const written of ["A%2BB", "A+B"]) assert.equal(meant(written, "A+B", "A B"), "A+B", written);
    for (const written of ["My%20Ledger", "My+Ledger"])
      assert.equal(meant(written, "My Ledger"), "My Ledger", written);
    for (const name of ["A+B My Ledger", "My Ledger+"])
      for (const written of [
        encodeURIComponent(name),
        String(new URLSearchParams({ name })).replace("name=", ""),
      ])
        assert.equal(meant(written, name), name, written);
    assert.equal(meant("testnet", "A+B"), "testnet");
    assert.equal(meant("testnet&utm_source=chat", "A+B"), "testnet");
    // Of two that may be meant nobody can say which one is.
    assert.throws(() => meant("a+b+c", "a b+c", "a+b c"), { code: "invalid_parameter" });
  });

  it("names a network of one's own whatever signs its name has, encoded once or twice", () => {
    for (const name of [
      "R&D",
      "a=b",
      "C# 1",
      "50 %",
      "100%25",
      "%",
      "%26",
      "A+B & C=D #1 100% +",
      "testnet&more",
      "Übung / 東",
      "?x",
    ]) {
      const once = encodeURIComponent(name);
      assert.equal(meant(once, name, "Another", "R", "A"), name, once);
      assert.equal(meant(encodeURIComponent(once), name), name, `${once} twice`);
      const form = String(new URLSearchParams({ name })).replace("name=", "");
      assert.equal(meant(form, name), name, form);
      // In another order, and with something beside it that we do not read.
      const query = decodeURIComponent(`network=${once}&id=0.0.5`);
      assert.deepEqual(readUriLink({ path: "/token", query }), { kind: "token", id: "0.0.5", network: name });
    }
    // A name that holds another value of a link has to be encoded twice.
    const strange = "x&id=0.0.6";
    assert.equal(meant(encodeURIComponent(encodeURIComponent(strange)), strange), strange);
    assert.throws(() => meant(encodeURIComponent(strange), strange), { code: "invalid_link" });
  });
});
