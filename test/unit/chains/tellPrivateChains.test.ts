import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { isOutOfReach, useConfiguredChains } from "../../../src/core/chains/privateChains.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DeploymentStates } from "../../../src/core/jobs/deploymentStates.ts";
import { AddressLooks } from "../../../src/core/ledger/accounts/addressLooks.ts";
import { networkAt, type LedgerNetwork } from "../../../src/core/ledger/references/network.ts";
import { ChainSupport } from "../../../src/core/service/chainSupport.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { standInForEditor } from "../../rig/editorStandIn.ts";
import { fakeClock } from "../jobs/jobWorld.ts";

standInForEditor(`
  export const editor = { settings: {}, changed: [], run: [] };
  export const QuickInputButtons = {}, QuickPickItemKind = {};
  export const commands = { executeCommand: (...call) => Promise.resolve(editor.run.push(call)) };
  const configuration = {
    get: (name, fallback) => editor.settings[name] ?? fallback,
    inspect: () => undefined,
  };
  export const workspace = {
    isTrusted: true,
    getConfiguration: () => configuration,
    onDidChangeConfiguration: (listener) => {
      editor.changed.push(listener);
      return { dispose: () => editor.changed.splice(editor.changed.indexOf(listener), 1) };
    },
  };
`);
const { editor } = (await import("vscode")) as unknown as {
  readonly editor: {
    settings: Record<string, unknown>;
    /** The commands that were begun. */
    readonly run: unknown[];
    readonly changed: ((change: { affectsConfiguration: () => boolean }) => void)[];
  };
};
const { openSourceOf, verifyContractOf } = await import("../../../src/editor/ledger/ledgerRows.ts");
const { ownNode, ownNodes } = await import("../../../src/editor/ownNode.ts");
const { tellPrivateChains } = await import("../../../src/editor/tellPrivateChains.ts");

const ADDRESS = `0x${"12".repeat(20)}`;
const PUBLIC = "https://sourcify.dev/server";
const HOST = "sourcify.dev";
const NODE = "https://rpc.example.com";
const OWN_LEDGER = { networks: [{ name: "Ours", ledgerUrl: "http://10.0.0.7:5551", chainId: "12345" }] };
const OWN_NODE = { rpcUrls: { 12345: "http://localhost:8545" } };

/** A person's settings as they are from now on. */
function set(settings: Record<string, unknown>): void {
  editor.settings = settings;
  for (const listener of editor.changed) listener({ affectsConfiguration: () => true });
}

const noLedger = () => assert.fail("no ledger is asked");

/** A service that has everything verified, and lists some chains. */
function service(listed: readonly number[] = [], url = PUBLIC) {
  const asked: string[] = [];
  const client: Pick<JsonClient, "request"> = {
    request: (request) => {
      asked.push(request.url.replace(url, ""));
      const isList = request.url.endsWith("/chains");
      const chains = listed.map((chainId) => ({ name: "Ember", chainId, supported: true, rpc: [NODE] }));
      const contract = { match: "match", chainId: "12345", address: ADDRESS };
      return Promise.resolve({
        status: 200,
        body: isList ? chains : contract,
        text: "",
        headers: {},
        durationMs: 1,
      });
    },
  };
  return { asked, service: new VerificationService(client, url) };
}

describe("A chain of a private network", () => {
  let end: { dispose(): unknown };
  beforeEach(() => {
    editor.settings = {};
    end = tellPrivateChains();
  });
  afterEach(async () => {
    end.dispose();
    useConfiguredChains(() => ({ ledgers: [], nodes: new Map() }));
    // What a service listed is known for longer than a test.
    await service().service.chains();
  });

  it("is one whose ledger or node the settings have at a private address, and none elsewhere", () => {
    assert.ok(!isOutOfReach("12345", HOST), "nothing is known of it");
    for (const settings of [
      OWN_LEDGER,
      OWN_NODE,
      { ...OWN_LEDGER, ...OWN_NODE },
      { ledgerUrl: "https://mirror.corp", ledgerChainId: "12345" },
      { rpcUrls: { 12345: "node:8545" } },
      { rpcUrls: { 12345: "10.0.0.7:8545" } },
      { rpcUrls: { 12345: "http://[fe80::1%25eth0]:8545" } },
      { ...OWN_LEDGER, rpcUrls: { 12345: "todo" } },
    ]) {
      set(settings);
      assert.ok(isOutOfReach("12345", HOST), JSON.stringify(settings));
      assert.ok(isOutOfReach("012345", HOST));
      assert.ok(!isOutOfReach("12345", "10.0.0.9:5555"), "a service of the same network");
      assert.ok(!isOutOfReach("12346", HOST), "another chain");
    }
    for (const settings of [
      { ...OWN_LEDGER, rpcUrls: { 12345: "https://rpc.example.com" } },
      { ...OWN_NODE, ledgerUrl: "https://mirror.example.com", ledgerChainId: "12345" },
      { rpcUrls: { 12345: "" } },
      { rpcUrls: { 12345: 8545 } },
      { rpcUrls: { 12345: "todo" } },
      { rpcUrls: { 12345: "   " } },
      { rpcUrls: { 12345: "https://<key>.rpc.example.com/" } },
      { rpcUrls: { 12345: "https://rpc.example.com:99999" } },
      { rpcUrls: null, networks: null, ledgerUrl: "no address", ledgerChainId: "12345" },
    ]) {
      set(settings);
      assert.ok(!isOutOfReach("12345", HOST), JSON.stringify(settings));
    }
  });

  it("is known by its id however the settings spell it, and its node is used and offered by that id", () => {
    const near = "http://10.0.0.5:8545";
    const http = { request: noLedger } as unknown as Parameters<typeof ownNode>[0];
    for (const key of ["424242", "0424242", " 424242 ", "0x67932", " 0X67932"]) {
      set({ rpcUrls: { [key]: near, "our chain": near, "": near, 7: 8545 } });
      assert.ok(isOutOfReach("424242", HOST), key);
      assert.ok(ownNode(http, "424242"), key);
      assert.deepEqual(ownNodes(), { 424242: near }, key);
    }
    set({ rpcUrls: { "0x67932": near, " 424242": near, 424242: NODE } });
    assert.deepEqual(ownNodes(), { 424242: NODE }, "the plain spelling counts");
    assert.ok(!isOutOfReach("424242", HOST));
  });

  it("is none that is known by name, though a person has a node or a copy of it", () => {
    const near = "http://127.0.0.1:8545";
    set({
      rpcUrls: { 1: near, 296: near, 297: near, 11155111: near },
      networks: [{ name: "Copy", ledgerUrl: "http://10.0.0.7:5551", chainId: "296" }],
    });
    for (const chainId of ["1", "296", "297", "11155111"]) assert.ok(!isOutOfReach(chainId, HOST), chainId);
  });

  it("is told to no public service by an address that the pointer rests on or by an open view", async () => {
    for (const settings of [OWN_LEDGER, OWN_NODE]) {
      set(settings);
      const { asked, service: one } = service();
      const looks = new AddressLooks({
        ledger: { contract: noLedger, account: noLedger, token: noLedger },
        verified: async (place, signal) => {
          await one.verifiedIdentity(place, signal);
          return { state: "none" };
        },
        verifiedBy: () => PUBLIC,
        node: () => ({ code: () => Promise.resolve("0x6001") }),
        clock: { now: () => 0 },
      });
      const look = await looks.onChain(ADDRESS, "12345", new AbortController().signal, "Vault");
      assert.equal(look?.text, "Vault, a contract on chain 12345");
      const states = new DeploymentStates(() => one);
      const deployment = { chainId: "12345", address: ADDRESS };
      await states.ask([deployment]);
      assert.equal(states.of(deployment, []), undefined);
      assert.ok(states.isOutOfReach(deployment));
      assert.equal(await one.contract(deployment), undefined);
      assert.equal(await one.verifiedSources(deployment), undefined);
      assert.deepEqual(asked, []);
      await assert.rejects(new ChainSupport(fakeClock()).checkReach(one, "12345", undefined), {
        code: "local_chain",
      });
      assert.deepEqual(new Set(asked), new Set(settings === OWN_NODE ? ["/chains"] : []));
      const near = service([], "http://127.0.0.1:5555");
      await new DeploymentStates(() => near.service).ask([deployment]);
      assert.equal(near.asked.length, 1);
    }
  });

  it("is a public one that a person runs a node of, where the service lists it, which is looked up first", async () => {
    set(OWN_NODE);
    const { asked, service: one } = service([12345]);
    const support = new ChainSupport(fakeClock());
    assert.ok(!(await support.learnPublic(one, ["1", "31337", "7"], undefined)), "none is in doubt");
    assert.deepEqual(asked, []);
    assert.equal(await support.obstacle(one, "12345", undefined), undefined);
    assert.deepEqual(asked, ["/chains"]);
    assert.ok(!isOutOfReach("12345", HOST));
    assert.equal(await support.listedNode(one, "12345", undefined), NODE);
    assert.ok(isOutOfReach("12345", "verify.example.com"), "another service may not have it");
    assert.ok(!(await support.learnPublic(one, ["12345", "7"], undefined)), "it is known by now");
    const { asked: told, service: other } = service([1], "https://verify.example.com");
    assert.equal(await new ChainSupport(fakeClock()).obstacle(other, "12345", undefined), "local");
    await assert.rejects(new ChainSupport(fakeClock()).checkReach(other, "12345", undefined), {
      code: "local_chain",
    });
    assert.deepEqual(new Set(told), new Set(["/chains"]));
  });

  it("is not said to be private where the list that could call it public can't be read, and is told to no service", async () => {
    set({ rpcUrls: { 12345: "http://192.168.1.5:8545" } });
    const { asked, service: one } = service([12345]);
    const away = new LedgerLensError("unreachable", "sourcify.dev can't be reached.");
    let isAway = true;
    const failing = Object.assign(Object.create(one) as VerificationService, {
      chains: () => (isAway ? Promise.reject(away) : one.chains()),
    });
    const support = new ChainSupport(fakeClock());
    assert.ok(!(await support.learnPublic(failing, ["12345"], undefined)), "a look in passing tells nothing");
    for (const ask of [
      () => support.obstacle(failing, "12345", undefined),
      () => support.checkReach(failing, "12345", undefined),
      () => support.check(failing, "12345", undefined),
    ])
      await assert.rejects(ask(), away);
    assert.deepEqual(asked, []);
    isAway = false;
    assert.equal(await support.obstacle(failing, "12345", undefined), undefined, "trying again asks again");
  });

  it("stays private where a ledger of it is near, though a service lists another one of that number", async () => {
    set({ ...OWN_LEDGER, ...OWN_NODE });
    const { asked, service: one } = service([12345]);
    await one.chains();
    assert.equal(await new ChainSupport(fakeClock()).obstacle(one, "12345", undefined), "local");
    assert.equal(await one.contract({ chainId: "12345", address: ADDRESS }), undefined);
    const node = await new ChainSupport(fakeClock()).listedNode(one, "12345", undefined);
    assert.equal(node, undefined, "it has another chain");
    assert.deepEqual(new Set(asked), new Set(["/chains"]));
  });

  it("is refused with what its settings can say otherwise, and one of this machine without that", async () => {
    const { service: one } = service([25]);
    const refusal = async (chainId: string) => {
      const error: unknown = await new ChainSupport(fakeClock())
        .check(one, chainId, undefined)
        .catch((failure: unknown) => failure);
      assert.ok(error instanceof LedgerLensError);
      return [error.message, error.remedy?.setting];
    };
    const copy = [{ name: "Copy", ledgerUrl: "http://localhost:5551", chainId: "25" }];
    set({ networks: copy });
    assert.deepEqual(await refusal("25"), [
      "Chain 25 is set up only on this machine or its network, where sourcify.dev can't see it, so nothing was sent. Use Verify Locally, or name a public node of it in ledgerLens.rpcUrls.",
      "ledgerLens.rpcUrls",
    ]);
    const [message, setting] = await refusal("31337");
    assert.match(message ?? "", /runs on this machine .* Use Verify Locally\.$/);
    assert.equal(setting, undefined);
    set({ networks: copy, rpcUrls: { 25: NODE } });
    await new ChainSupport(fakeClock()).check(one, "25", undefined);
  });

  it("has no contract of which a row asks as of one of the public chain that it is a copy of", async () => {
    const copy = { ...networkAt("http://10.0.0.7:5551"), chainId: "296" };
    const testnet = networkAt("https://testnet.mirrornode.hedera.com");
    const press = async (
      button: typeof verifyContractOf,
      network: LedgerNetwork,
      verificationUrl = PUBLIC,
    ) => {
      set({ verificationUrl });
      editor.run.length = 0;
      const item = { content: { kind: "account", account: { address: ADDRESS, network } } };
      const items = { get: () => item } as unknown as Parameters<typeof verifyContractOf>[0]["items"];
      await button({ items }, { itemId: "account" } as Parameters<typeof verifyContractOf>[1]);
      return editor.run.length;
    };
    for (const button of [verifyContractOf, openSourceOf]) {
      await assert.rejects(press(button, copy), {
        code: "local_chain",
        message:
          "10.0.0.7:5551 runs on this machine or its network, where sourcify.dev can't see it, so nothing was sent. Use Verify Locally.",
      });
      assert.deepEqual(editor.run, []);
      assert.equal(await press(button, copy, "http://10.0.0.9:5555"), 1, "a service of the same network");
      assert.equal(await press(button, testnet), 1);
      assert.equal(await press(button, { ...copy, chainId: "298" }), 1, "what is begun refuses it there");
    }
  });
});
