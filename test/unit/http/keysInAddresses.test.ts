import assert from "node:assert/strict";
import type { IncomingMessage, RequestListener } from "node:http";
import { afterEach, describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import {
  mayHoldKeyInPath,
  shownAddress,
  shownHost,
  withoutKeys,
} from "../../../src/core/http/shownAddress.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { contentRow } from "../../../src/core/ledger/itemRows.ts";
import { LedgerItems } from "../../../src/core/ledger/ledgerItems.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { VerifiedNames } from "../../../src/core/ledger/names/verifiedNames.ts";
import { HealthProbe } from "../../../src/core/status/serviceHealth.ts";
import { StatusPage } from "../../../src/core/status/statusPage.ts";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { random } from "../random.ts";
import { submissionRequestInPieces } from "../../../src/core/service/submissionRequest.ts";
import { fakeClock, INPUT } from "../jobs/jobWorld.ts";

const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const { below } = random("keys in addresses");
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** A key as providers issue them: 16 to 40 characters that a path takes as they are. */
function newKey(): string {
  return Array.from({ length: 16 + below(25) }, () => ALPHABET.charAt(below(ALPHABET.length))).join("");
}

/** Where the addresses of providers have their customers' keys. */
const PLACES: Readonly<Record<string, (origin: string, key: string) => string>> = {
  "the path": (origin, key) => `${origin}/v3/${key}`,
  "the middle of the path": (origin, key) => `${origin}/${key}/mainnet`,
  "the query": (origin, key) => `${origin}/rpc?apikey=${key}`,
  "the password": (origin, key) => `${origin.replace("//", `//someone:${key}@`)}/rpc`,
  "the name": (origin, key) => origin.replace("//", `//${key}@`),
};

/** What services say to an address that they do not like: they repeat it as it was asked for. */
const ANSWERS: Readonly<Record<string, RequestListener>> = {
  "a JSON refusal that repeats it": (request, response) => {
    const said = `Cannot use ${asked(request)}`;
    response.writeHead(400, { "content-type": "application/json" }).end(
      JSON.stringify({
        customCode: "invalid_parameter",
        message: said,
        error: { message: said },
        _status: { messages: [{ message: said, detail: said }] },
      }),
    );
  },
  "a page that repeats it": (request, response) =>
    response.writeHead(404, { "content-type": "text/html" }).end(`<html>Cannot GET ${asked(request)}`),
  "a page with status 200": (request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(`<html>Welcome to ${asked(request)}`),
  "an error of a node": (request, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ error: { message: `invalid project id in ${asked(request)}` } })),
  "a redirect elsewhere": (request, response) =>
    response.writeHead(301, { location: asked(request).replace("127.0.0.1", "localhost") }).end(),
  "a failure": (_request, response) => response.writeHead(500).end("{}"),
  "a broken connection": (request) => request.socket.destroy(),
  "an empty object": (_request, response) => response.writeHead(200).end("{}"),
};

function asked({ headers, url }: IncomingMessage): string {
  return `http://${headers.host ?? ""}${url ?? ""}`;
}

/** Everything that a run at these addresses writes to the log, answers as an error, shows or keeps. */
async function everythingSaid(address: string): Promise<string> {
  const said: string[] = [];
  const clock = fakeClock();
  const http = new JsonClient({
    network: () => DIRECT_NETWORK,
    userAgent: "test/1",
    clock,
    log: (line) => said.push(line),
  });
  stops.push(() => http.dispose());
  const service = new VerificationService(http, address);
  const deployment = { chainId: "296", address: ADDRESS };
  const network = () => networkAt(address);
  const ledger = new LedgerService({ client: http, network, clock });
  const items = new LedgerItems({
    service: ledger,
    network,
    memory: {
      get: () => undefined,
      update: (...kept) => Promise.resolve(void said.push(JSON.stringify(kept))),
    },
    namer: (of) => new ActionNamer(of, []),
    titleOf: (canonical, content) => contentRow(canonical, content, 0),
  });
  stops.push(() => items.dispose());
  const probes = (["verification", "ledger"] as const).map(
    (name) => new HealthProbe({ client: http, clock, service: name, url: address }),
  );
  const page = new StatusPage({ client: http, clock, url: address });
  const names = new VerifiedNames({ http, url: () => address, clock });
  const works: readonly (() => Promise<unknown>)[] = [
    () => new JsonRpc(http, address).code(ADDRESS),
    () => service.chains(),
    () => service.contract(deployment),
    () => service.job("11111111-2222-4333-8444-555555555555"),
    () => service.submit(atOnce(submissionRequestInPieces({ ...deployment, ...INPUT }))),
    () => ledger.token("0.0.5"),
    () => items.open({ kind: "token", tokenId: "0.0.5" }),
    () => items.open({ kind: "schedules" }),
    () => page.read(),
    () => names.contractName({ network: { ...network(), chainId: "296" }, address: ADDRESS }),
    ...probes.map((probe) => () => probe.check()),
  ];
  for (const work of works) {
    await work().catch((error: unknown) => {
      for (let at = error; at instanceof Error; at = at.cause) {
        const { detail } = at as { detail?: string };
        said.push(at.stack ?? "", at.message, detail ?? "");
      }
    });
  }
  said.push(
    JSON.stringify([network().id, network().name, service.host, page.host]),
    ...items
      .visible()
      .flatMap(({ id, label, description, problem }) => [id, label, description, String(problem)]),
    JSON.stringify(probes.map(({ health }) => health)),
  );
  return said.join("\n");
}

describe("A key in an address", () => {
  for (const [place, addressWith] of Object.entries(PLACES)) {
    it(`in ${place} is neither logged nor shown nor kept, whatever the service answers`, async () => {
      for (const [what, listener] of Object.entries(ANSWERS)) {
        const key = newKey();
        const server = await startServer(listener);
        stops.push(() => server.stop());
        const said = await everythingSaid(addressWith(server.url, key));
        assert.ok(said.includes("127.0.0.1"), "something was said");
        assert.ok(
          !said.includes(key),
          `${what}:\n${said
            .split("\n")
            .filter((line) => line.includes(key))
            .join("\n")}`,
        );
      }
    });
  }

  it("is not told by an address that can't be read either", async () => {
    const key = newKey();
    for (const address of [`htps//node/v3/${key}`, `someone:${key}@node.example/rpc`, `ftp://node/${key}`]) {
      const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
      stops.push(() => http.dispose());
      await assert.rejects(new JsonRpc(http, address).code(ADDRESS), (error: Error) => {
        assert.equal(
          error.message,
          "The chain's node has no http or https address. Check the settings of Ledger Lens.",
        );
        return true;
      });
      assert.ok(!shownHost(address).includes(key));
      assert.ok(!shownAddress(address).includes(key));
      assert.ok(!new VerificationService(http, address).host.includes(key));
    }
  });

  it("before the host is in no link that is opened or copied", () => {
    const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    stops.push(() => http.dispose());
    const service = new VerificationService(http, "https://me:0123456789abcdef@verify.example/server");
    const deployment = { chainId: "296", address: ADDRESS };
    assert.equal(service.contractPage(deployment), `https://verify.example/server/repo-ui/296/${ADDRESS}`);
    assert.equal(service.jobPage("1"), "https://verify.example/server/verify-ui/jobs/1");
    assert.equal(service.url, "https://me:0123456789abcdef@verify.example/server", "which is asked with it");
  });

  it("leaves readable what is ours of an address", () => {
    const base = "https://ledger.example:8443/v1/0123456789abcdef";
    assert.equal(
      shownAddress(`${base}/api/v1/tokens/0.0.1?timestamp=1`, base),
      "https://ledger.example:8443/…/api/v1/tokens/0.0.1",
    );
    assert.equal(
      shownAddress("https://mainnet.example/api/v1/tokens/0.0.1", "https://mainnet.example"),
      "https://mainnet.example/api/v1/tokens/0.0.1",
    );
    assert.equal(shownAddress("https://node.example/v3/0123456789abcdef"), "https://node.example/…");
    assert.equal(shownAddress("https://node.example/"), "https://node.example");
    assert.equal(
      withoutKeys("Cannot GET /server/v2/chains", "https://a.example/server"),
      "Cannot GET /server/v2/chains",
    );
  });

  it("in a path is told from the plain words of one, whose links may be handed on", () => {
    assert.equal(mayHoldKeyInPath("https://verify.example/v3/0123456789abcdef"), true);
    assert.equal(mayHoldKeyInPath("https://sourcify.dev/server"), false);
    assert.equal(mayHoldKeyInPath("no address"), false);
  });

  it("keeps two ledgers of one host apart", () => {
    const [one, other] = ["/first0123456789abc", "/other0123456789abc"].map(
      (path) => networkAt(`https://ledger.example${path}`).id,
    );
    assert.notEqual(one, other);
    assert.equal(networkAt("https://ledger.example").id, "ledger.example");
  });
});
