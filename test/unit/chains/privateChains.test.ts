import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { SignatureNames } from "../../../src/core/ledger/names/signatureNames.ts";
import { VerifiedNames } from "../../../src/core/ledger/names/verifiedNames.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { isOutOfReach, mayAskListedNode } from "../../../src/core/chains/privateChains.ts";

describe("A chain of this machine", () => {
  it("can't be seen by a service of the internet, and by one that is near", () => {
    for (const chainId of ["31337", "1337", "298", "031337", "00298"]) {
      for (const host of [
        "sourcify.dev",
        "verify.example.com:8443",
        "8.8.8.8",
        "[2606:4700::1111]:443",
        "10.example.com",
        "192.168.verify.example",
        "172.16.example.com:8443",
        "169.254.dev",
        "[::ffff:8.8.8.8]",
      ])
        assert.ok(isOutOfReach(chainId, host), `${chainId} ${host}`);
      for (const host of [
        "127.0.0.1:5555",
        "localhost",
        "[::1]:80",
        "10.1.2.3",
        "192.168.0.7:5555",
        "172.20.0.2",
        "[fd00::5]:80",
        "verifier:5555",
        "host.docker.internal",
        "box.lan",
        "0.0.0.0:5555",
        "[::]:5555",
        "[::ffff:127.0.0.1]:5555",
        "[::ffff:10.0.0.1]",
        "localhost.:5555",
        "sourcify.localhost:5555",
        "ip6-localhost:5555",
      ])
        assert.ok(!isOutOfReach(chainId, host), `${chainId} ${host}`);
    }
    assert.ok(!isOutOfReach("296", "sourcify.dev"));
    assert.ok(!isOutOfReach("31338", "sourcify.dev"));
  });

  it("has no node that a service of the internet may name, and no other of it may come unprotected", () => {
    const near = [
      "http://127.0.0.1:8545",
      "https://127.0.0.1:8545",
      "https://2130706433",
      "https://[::1]:8545",
      "https://[fe80::1]:8545",
      "https://[feb0::1]",
      "https://[fd00::1]",
      "https://[::ffff:7f00:1]",
      "https://0.0.0.0:8545",
      "https://localhost:8545",
      "https://localhost.:8545",
      "https://node.localhost:8545",
      "https://192.168.0.1/setup",
      "https://169.254.169.254/latest",
      "https://router.lan",
      "https://box",
      "https://100.100.100.200/latest/meta-data",
      "https://[64:ff9b::a9fe:a9fe]",
      "https://node.corp",
      "https://198.18.0.1",
    ];
    for (const node of near) {
      assert.ok(!mayAskListedNode(node, "sourcify.dev"), node);
      assert.ok(mayAskListedNode(node, "127.0.0.1:5555"), node);
    }
    for (const host of ["sourcify.dev", "127.0.0.1:5555", "verifier:5555"]) {
      assert.ok(mayAskListedNode("https://rpc.example/v1?key=a", host));
      for (const node of ["http://rpc.example", "ws://rpc.example", "file:///etc/passwd", "rpc.example", ""])
        assert.ok(!mayAskListedNode(node, host), node);
    }
  });

  it("is not spoken of to a service that can't see it, whatever is looked up", async () => {
    const asked: string[] = [];
    const client: Pick<JsonClient, "request"> = {
      request: ({ url }) => {
        asked.push(url);
        return Promise.resolve({
          status: 404,
          body: { match: null },
          text: "",
          headers: {},
          durationMs: 1,
        });
      },
    };
    const address = `0x${"12".repeat(20)}`;
    const lookUp = async (url: string, chainId: string) => {
      const service = new VerificationService(client, url);
      const deployment = { chainId, address };
      assert.equal(await service.contract(deployment), undefined);
      assert.equal(await service.verifiedSources(deployment), undefined);
      assert.equal(await service.verifiedDetails(deployment), undefined);
      assert.equal(await service.verifiedIdentity(deployment), undefined);
    };
    for (const chainId of ["31337", "1337", "298"]) await lookUp("https://sourcify.dev/server", chainId);
    assert.deepEqual(asked, []);
    await lookUp("http://127.0.0.1:5555", "31337");
    assert.equal(asked.length, 4);
  });

  it("is not spoken of either for the names of what a ledger of it has", async () => {
    const asked: string[] = [];
    const http: Pick<JsonClient, "request"> = {
      request: ({ url }) => {
        asked.push(url);
        return Promise.resolve({ status: 404, body: {}, text: "", headers: {}, durationMs: 1 });
      },
    };
    const look = async (url: string, chainId: string, ledgerUrl = "http://127.0.0.1:5551") => {
      const names = new VerifiedNames({ http, url: () => url });
      const network = { ...networkAt(ledgerUrl), chainId };
      const scope = { network, address: `0x${"12".repeat(20)}` };
      assert.equal(await names.contractName(scope), undefined);
      assert.deepEqual(await names.definitions("function", "0x3ccfd60b", scope), []);
    };
    const service = "https://sourcify.dev/server";
    for (const chainId of ["31337", "1337", "298"]) await look(service, chainId);
    // A private ledger may have any chain id, also that of a public one, of which it may be a copy.
    for (const ledger of [
      "http://127.0.0.1:5551",
      "http://10.0.0.5:5551",
      "https://mirror.lan",
      "http://100.64.0.9",
    ])
      for (const chainId of ["296", "4242"]) await look(service, chainId, ledger);
    await look(service, "31337", "https://ledger.example");
    assert.deepEqual(asked, []);
    await look("http://127.0.0.1:5555", "298");
    await look(service, "296", "https://ledger.example");
    assert.equal(asked.length, 4, "the contract and what it forwards to, once each");
  });

  it("has no names of another ledger whose chain has the same id, nor has that one none because of it", async () => {
    const address = `0x${"12".repeat(20)}`;
    const abi = [{ type: "function", name: "withdraw", inputs: [] }];
    const testnet = networkAt("https://testnet.mirrornode.hedera.com");
    const copy = { ...networkAt("http://10.0.0.7:5551"), chainId: "296" };
    for (const order of [
      [copy, testnet],
      [testnet, copy],
    ]) {
      const asked: string[] = [];
      const http: Pick<JsonClient, "request"> = {
        request: ({ url }) => {
          asked.push(url);
          const body = { chainId: "296", address, abi, compilation: { name: "Vault" } };
          return Promise.resolve({ status: 200, body, text: "", headers: {}, durationMs: 1 });
        },
      };
      const names = new VerifiedNames({ http, url: () => "https://sourcify.dev/server" });
      for (const network of order) {
        const isPublic = network === testnet;
        const scope = { network, address };
        assert.deepEqual(await names.contractName(scope), isPublic ? { name: "Vault" } : undefined);
        const found = await names.definitions("function", "0x3ccfd60b", scope);
        assert.equal(found.length, isPublic ? 1 : 0);
      }
      assert.equal(asked.length, 1, "of the public one alone");
    }
  });

  it("has no selector that a public signature service is asked about, nor has any other ledger that is near", async () => {
    const asked: string[] = [];
    const http: Pick<JsonClient, "request"> = {
      request: ({ url }) => {
        asked.push(url);
        const body = { result: { function: {}, event: {} } };
        return Promise.resolve({ status: 200, body, text: "", headers: {}, durationMs: 1 });
      },
    };
    const look = async (url: string, ledgerUrl: string, chainId?: string) => {
      const names = new SignatureNames({ http, url: () => url, isEnabled: () => true });
      const network = { ...networkAt(ledgerUrl), ...(chainId !== undefined && { chainId }) };
      const scope = { network, address: `0x${"12".repeat(20)}` };
      await names.definitions("function", "0x3ccfd60b", scope);
      await names.definitions("error", "0x3ccfd60b", scope);
      await names.definitions("event", `0x${"12".repeat(32)}`, scope);
    };
    const service = "https://api.4byte.sourcify.dev";
    for (const host of [
      "127.0.0.1:5551",
      "localhost",
      "[::1]:80",
      "192.168.0.7:5551",
      "mirror:5551",
      "box.lan",
    ])
      await look(service, `http://${host}`);
    for (const chainId of ["31337", "1337", "298"]) await look(service, "https://ledger.example", chainId);
    await look(service, "http://127.0.0.1:5551", "296");
    assert.deepEqual(asked, []);
    await look("http://127.0.0.1:4000", "http://127.0.0.1:5551", "298");
    assert.equal(asked.length, 2, "one of this machine is asked");
    await look(service, "https://ledger.example", "296");
    assert.equal(asked.length, 4);
  });
});
