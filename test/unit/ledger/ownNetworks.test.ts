import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { baseAddress, joinedAddress } from "../../../src/core/http/joinedAddress.ts";
import { explorerLink } from "../../../src/core/ledger/references/explorerLinks.ts";
import {
  networkAt,
  networkOfId,
  publicNetworkOf,
  selectableNetwork,
} from "../../../src/core/ledger/references/network.ts";
import { ownNetworkOf, ownNetworks } from "../../../src/core/ledger/references/ownNetworks.ts";
import { statusError } from "../../../src/core/ledger/requests/ledgerError.ts";

const KEY = "k3y0123456789abcdef";
const EXAMPLE = {
  name: "Example",
  ledgerUrl: `https://mirror.example.com/v1/?apikey=${KEY}`,
  verificationUrl: "https://verify.example.com/server/",
  chainId: 1234,
  explorerUrl: "https://explorer.example.com/",
  headerName: "X-API-Key",
};

describe("Networks that a person set up", () => {
  it("are read as they are written, without those that can't be one", () => {
    const bad = [
      null,
      "https://mirror.example.com",
      { name: "No address" },
      { name: "Script", ledgerUrl: "javascript:alert(1)" },
      { name: "Spaces", ledgerUrl: "https://mirror.example.com/ x" },
      { ...EXAMPLE, headerName: "Host" },
      { ...EXAMPLE, headerName: "X-Key: a\r\nX-Other" },
      { ...EXAMPLE, chainId: "0x12" },
      { ...EXAMPLE, name: "x".repeat(500) },
    ];
    const [read, ...others] = ownNetworks([...bad, EXAMPLE]);
    assert.deepEqual(others, []);
    assert.equal(read?.chainId, "1234");
    assert.deepEqual(ownNetworks("nonsense"), []);
    // As the setting of the ledger's address reads it.
    for (const ledgerUrl of [" https://mirror.example.com/v1 ", "https:mirror.example.com/v1"]) {
      const [pasted] = ownNetworks([{ name: "Pasted", ledgerUrl }]);
      assert.equal(networkAt(pasted?.ledgerUrl ?? "").ledgerUrl, networkAt(ledgerUrl).ledgerUrl);
    }
  });

  it("are found again by the id of what was loaded from them, as the public ones are", () => {
    const own = ownNetworks([EXAMPLE]);
    const { id } = selectableNetwork("Example", own);
    assert.deepEqual(networkOfId(id, own), { name: "Example", selection: "Example" });
    assert.deepEqual(networkOfId("testnet", own), { name: "Hedera Testnet", selection: "testnet" });
    assert.equal(networkOfId(id, []), undefined);
  });

  it("are of the public network that their chain id tells, so that its status is told", () => {
    const at = (chainId: number) => {
      const [own] = ownNetworks([{ ...EXAMPLE, chainId }]);
      assert.ok(own);
      return publicNetworkOf(selectableNetwork("Example", [own]))?.id;
    };
    assert.deepEqual([at(295), at(296), at(297), at(298)], ["mainnet", "testnet", "previewnet", undefined]);
    assert.equal(publicNetworkOf(selectableNetwork("testnet"))?.id, "testnet");
  });

  it("name what is at their address, with its chain and its explorer", () => {
    const own = ownNetworks([EXAMPLE]);
    const network = selectableNetwork("Example", own);
    assert.equal(network.name, "Example");
    assert.equal(network.chainId, "1234");
    assert.equal(
      explorerLink(network, { kind: "token", canonical: "0.0.5" }),
      "https://explorer.example.com/token/0.0.5",
    );
    const [queried] = ownNetworks([{ ...EXAMPLE, explorerUrl: "https://explorer.example.com/?cluster=own" }]);
    assert.ok(queried);
    assert.equal(
      explorerLink(selectableNetwork("Example", [queried]), { kind: "token", canonical: "0.0.5" }),
      "https://explorer.example.com/token/0.0.5?cluster=own",
    );
    assert.deepEqual(networkAt(`https://mirror.example.com/v1?apikey=${KEY}`, own), network);
    // The key belongs to the address that is asked, and to nothing that is shown or kept.
    assert.ok(network.ledgerUrl.endsWith(KEY));
    assert.ok(!network.id.includes(KEY));
    assert.match(statusError(401, undefined, "token 0.0.5", network).message, /key for X-API-Key again\.$/);
  });

  it("can't pass for a public one", () => {
    const own = ownNetworks([{ name: " hedera mainnet ", ledgerUrl: "https://mirror.example.com" }]);
    assert.equal(networkAt("https://mirror.example.com", own).name, "mirror.example.com");
    for (const name of [
      "Mainnet",
      "Hedera\u00a0Mainnet",
      "Hedera  Mainnet",
      "\uff28edera Mainnet",
      "Hed\u0435ra Mainnet",
    ]) {
      const alike = ownNetworks([{ name, ledgerUrl: "https://mirror.example.com" }]);
      assert.equal(networkAt("https://mirror.example.com", alike).name, "mirror.example.com", name);
    }
    const taken = ownNetworks([{ name: "Mine", ledgerUrl: "https://mainnet.mirrornode.hedera.com" }]);
    assert.equal(networkAt("https://mainnet.mirrornode.hedera.com/api/v1", taken).id, "mainnet");
    assert.throws(() => selectableNetwork("Nobody's", own), { code: "invalid_parameter" });
  });

  it("are told by what is asked of them: the same server, at their path or below it", () => {
    const own = ownNetworks([EXAMPLE]);
    for (const [url, isOwn] of [
      ["https://mirror.example.com/v1/api/v1/tokens/0.0.5", true],
      ["https://verify.example.com/server/v2/contract/1/0x0", true],
      ["https://mirror.example.com/v10/api/v1/tokens/0.0.5", false],
      ["https://mirror.example.com:8443/v1/api/v1/tokens/0.0.5", false],
      ["http://mirror.example.com/v1/api/v1/tokens/0.0.5", false],
      ["https://mirror.example.com.evil.example/v1/", false],
    ] as const)
      assert.equal(ownNetworkOf(own, url) !== undefined, isOwn, url);
  });

  it("have their key go to the node of their chain where that is on their server, and to no other", () => {
    const own = ownNetworks([EXAMPLE, { ...EXAMPLE, name: "No chain", chainId: undefined }]);
    const node = (url: string, nodes: Readonly<Record<string, string>>) =>
      ownNetworkOf(own, url, nodes)?.name;
    const onServer = "https://verify.example.com/rpc";
    assert.equal(node(onServer, { "1234": onServer }), "Example");
    assert.equal(node(onServer, { "1": onServer }), undefined, "another chain's node");
    assert.equal(node(onServer, {}), undefined);
    assert.equal(node("https://verify.example.com/other", { "1234": onServer }), undefined);
    for (const elsewhere of ["https://rpc.example.com/", "http://verify.example.com/rpc"])
      assert.equal(node(elsewhere, { "1234": elsewhere }), undefined, elsewhere);
  });
});

describe("The address of something at a service", () => {
  it("has the path and the query of both", () => {
    for (const [base, target, joined] of [
      ["https://a.example", "/api/v1/x", "https://a.example/api/v1/x"],
      ["https://a.example/p/?k=1", "/api/v1/x?limit=2", "https://a.example/p/api/v1/x?limit=2&k=1"],
      ["https://a.example/?k=1#top", "/x", "https://a.example/x?k=1"],
      [" https://a.example// ", "/x", "https://a.example/x"],
    ] as const)
      assert.equal(joinedAddress(base, target), joined);
    assert.equal(baseAddress("https://a.example/api/v1/?k=1", "/api/v1"), "https://a.example?k=1");
  });
});
