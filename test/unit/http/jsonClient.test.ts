import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import type { Clock } from "../../../src/core/concurrency/clock.ts";
import { HttpError } from "../../../src/core/http/httpError.ts";
import { JsonClient, type JsonRequest } from "../../../src/core/http/jsonClient.ts";
import { type NetworkSettings } from "../../../src/core/http/networkSettings.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A clock whose waits pass at once and are remembered. */
function hastyClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => Date.parse("2026-01-01T00:00:00Z"),
    sleep: (milliseconds, signal) => {
      waits.push(milliseconds);
      return signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve();
    },
  };
}

/** A clock whose hands a test moves. */
function movedClock(): Clock & { pass(milliseconds: number): void } {
  const hasty = hastyClock();
  let passed = 0;
  return { ...hasty, now: () => hasty.now() + passed, pass: (milliseconds) => void (passed += milliseconds) };
}

function client(
  network: NetworkSettings = DIRECT_NETWORK,
  clock: Clock = hastyClock(),
  askedAt: () => number | undefined = () => undefined,
): JsonClient {
  const made = new JsonClient({
    network: () => network,
    userAgent: "test/1",
    clock,
    random: () => 0.5,
    askedAt,
  });
  stops.push(() => made.dispose());
  return made;
}

async function server(listener: RequestListener): Promise<LoopbackServer> {
  const started = await startServer(listener);
  stops.push(() => started.stop());
  return started;
}

const json =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  };

/** Answers each request with the next of the listeners, the last one from then on. */
function inTurn(...listeners: readonly RequestListener[]): RequestListener {
  let at = 0;
  return (request, response) => listeners[Math.min(at++, listeners.length - 1)]?.(request, response);
}

async function failure(request: Promise<unknown>): Promise<HttpError> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof HttpError, `expected a failure, got ${String(error)}`);
  return error;
}

const get = (url: string, rest: Partial<JsonRequest> = {}): JsonRequest => ({
  url,
  service: "The service",
  ...rest,
});
const post = (url: string, rest: Partial<JsonRequest> = {}): JsonRequest =>
  get(url, { method: "POST", body: { a: 1 }, ...rest });

describe("Asking for JSON", () => {
  it("answers status, headers, exact body and the text as it came", async () => {
    const { url } = await server(json(404, '{"n": 12345678901234567890}', { "x-a": "b" }));
    const { status, headers, body, text } = await client().request(get(`${url}/x`));
    assert.equal(status, 404);
    assert.equal(headers["x-a"], "b");
    assert.deepEqual(body, { n: "12345678901234567890" });
    assert.equal(text, '{"n": 12345678901234567890}');
  });

  it("leaves the process's own dispatcher alone", async () => {
    const { url } = await server(json(200, "{}"));
    await fetch(url);
    const slots = Object.getOwnPropertySymbols(globalThis).filter((symbol) =>
      symbol.description?.startsWith("undici.globalDispatcher"),
    );
    const before = slots.map((symbol) => (globalThis as Record<symbol, unknown>)[symbol]);
    assert.ok(slots.length > 0);
    await client().request(get(url));
    assert.deepEqual(
      Object.getOwnPropertySymbols(globalThis).filter((symbol) =>
        symbol.description?.startsWith("undici.globalDispatcher"),
      ),
      slots,
    );
    for (const [at, symbol] of slots.entries())
      assert.equal((globalThis as Record<symbol, unknown>)[symbol], before[at]);
  });

  it("reads 304 and empty answers", async () => {
    const { url } = await server((_request, response) => response.writeHead(304, { etag: '"1"' }).end());
    const { status, body } = await client().request(get(url, { headers: { "if-none-match": '"1"' } }));
    assert.deepEqual({ status, body }, { status: 304, body: undefined });
  });

  it("unpacks gzip", async () => {
    const { url } = await server((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"a":1}')),
    );
    assert.deepEqual((await client().request(get(url))).body, { a: 1 });
  });
});

describe("Trying again", () => {
  it("waits as long as the service asks, in seconds or until a date", async () => {
    // A date is one of the service's clock, whatever the one here shows.
    for (const [value, date] of [
      ["7", "Thu, 01 Jan 2026 00:00:00 GMT"],
      ["Thu, 01 Jan 2026 00:00:07 GMT", "Thu, 01 Jan 2026 00:00:00 GMT"],
      ["Mon, 02 Feb 2026 00:00:07 GMT", "Mon, 02 Feb 2026 00:00:00 GMT"],
      ["Thu, 01 Jan 2026 00:00:07 GMT", "soon"],
    ] as const) {
      const clock = hastyClock();
      const { url, asked } = await server(
        inTurn(json(429, "{}", { "retry-after": value, date }), json(200, '{"ok":true}')),
      );
      assert.deepEqual((await client(DIRECT_NETWORK, clock).request(get(url))).body, { ok: true });
      assert.deepEqual(clock.waits, [7000]);
      assert.equal(asked.length, 2);
    }
  });

  it("waits the longest of several times that are said, and as ever where what is said is no time", async () => {
    for (const [value, waits] of [
      ["5, 7", [7000]],
      ["-5", [375]],
      ["+10", [375]],
      ["1.5", [375]],
      ["10;", [375]],
      ["soon", [375]],
    ] as const) {
      const clock = hastyClock();
      const { url } = await server(
        inTurn(json(429, "{}", { "retry-after": value }), json(200, '{"ok":true}')),
      );
      assert.deepEqual((await client(DIRECT_NETWORK, clock).request(get(url))).body, { ok: true });
      assert.deepEqual(clock.waits, waits, value);
    }
  });

  it("pauses as ever before a service that says no more than to come back at once", async () => {
    for (const value of ["0", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
      const clock = hastyClock();
      const { url } = await server(json(429, "{}", { "retry-after": value }));
      assert.equal((await client(DIRECT_NETWORK, clock).request(get(url))).status, 429);
      assert.deepEqual(clock.waits, [375, 750, 1500]);
    }
  });

  it("says the same of a service that is left alone, however much it said", async () => {
    const said = JSON.stringify({ message: "x".repeat(9_000) });
    const { url, asked } = await server(json(429, said, { "retry-after": "3600" }));
    const http = client();
    for (let time = 0; time < 2; time++) {
      const { status, retryAfterMs } = await http.request(get(url));
      assert.equal(status, 429);
      assert.ok((retryAfterMs ?? 0) > 3_500_000);
    }
    assert.equal(asked.length, 1);
  });

  it("does not wait for longer than a minute", async () => {
    const clock = hastyClock();
    const { url } = await server(json(503, "{}", { "retry-after": "3600" }));
    assert.equal((await client(DIRECT_NETWORK, clock).request(get(url))).status, 503);
    assert.deepEqual(clock.waits, []);
  });

  it("leaves a service alone for as long as it asks, whatever address is wanted there", async () => {
    for (const status of [429, 503]) {
      const clock = movedClock();
      const { url, asked } = await server(json(status, '{"customCode":"busy"}', { "retry-after": "3600" }));
      const http = client(DIRECT_NETWORK, clock);
      const answers = [await http.request(get(`${url}/contracts/0`))];
      for (let hover = 1; hover < 10; hover++) {
        clock.pass(60_000);
        answers.push(await http.request(get(`${url}/contracts/${hover}`)));
      }
      assert.deepEqual(asked, ["/contracts/0"]);
      assert.deepEqual(
        answers.map(({ status: told, body, retryAfterMs }) => [told, body, retryAfterMs]),
        answers.map((_, hover) => [status, { customCode: "busy" }, (60 - hover) * 60_000]),
      );
      clock.pass(60 * 60_000);
      await http.request(get(`${url}/contracts/10`));
      assert.equal(asked.length, 2);
    }
  });

  it("waits first where the service is to be asked in less than a minute, and tells so", async () => {
    const clock = movedClock();
    const { url, asked } = await server(
      inTurn(json(429, "{}", { "retry-after": "42" }), json(200, '{"ok":true}')),
    );
    const http = client(DIRECT_NETWORK, clock);
    assert.equal((await http.request(get(url, { retries: 0 }))).status, 429);
    clock.pass(2_000);
    const told: unknown[] = [];
    const { body } = await http.request(get(`${url}/other`, { onWait: (wait) => told.push(wait) }));
    assert.deepEqual([body, told, asked.length], [{ ok: true }, [{ status: 429, ms: 40_000 }], 2]);
  });

  it("asks all the same for a person who asked for it since, and for all once it is answered", async () => {
    const clock = movedClock();
    const { url, asked } = await server(
      inTurn(
        json(429, "{}", { "retry-after": "3600" }),
        json(429, "{}", { "retry-after": "3600" }),
        json(200, "{}"),
      ),
    );
    let askedAt: number | undefined;
    const http = client(DIRECT_NETWORK, clock, () => askedAt);
    const status = async () => (await http.request(get(url))).status;
    const tryAgain = async (work: () => Promise<void>) => {
      clock.pass(1_000);
      askedAt = clock.now();
      await work();
      askedAt = undefined;
    };
    assert.equal(await status(), 429);
    // What it says now holds for the rest of what the person asked for.
    await tryAgain(async () => assert.deepEqual([await status(), await status()], [429, 429]));
    assert.equal(asked.length, 2);
    await tryAgain(async () => assert.equal(await status(), 200));
    assert.equal(await status(), 200);
    assert.equal(asked.length, 4);
  });

  it("lets every submission go: its refusal is the service's own", async () => {
    const { url, asked } = await server(
      inTurn(json(503, "{}", { "retry-after": "3600" }), json(202, '{"verificationId":"1"}')),
    );
    const http = client();
    assert.equal((await http.request(get(url))).status, 503);
    assert.equal((await http.request(post(`${url}/v2/verify`))).status, 202);
    assert.equal((await http.request(post(url, { isRead: true }))).status, 503);
    assert.deepEqual(asked, ["/", "/v2/verify"]);
  });

  it("believes no service that wants to be left alone for a year, and asks another one meanwhile", async () => {
    const clock = movedClock();
    const { url, asked } = await server(json(429, "{}", { "retry-after": "31536000" }));
    const other = await server(json(200, "{}"));
    const http = client(DIRECT_NETWORK, clock);
    await http.request(get(url));
    assert.equal((await http.request(get(other.url))).status, 200);
    clock.pass(86_400_000);
    await http.request(get(url));
    assert.equal(asked.length, 2);
    // Nor is it left alone for longer where the clock was set back.
    clock.pass(-86_400_000);
    await http.request(get(url));
    assert.equal(asked.length, 3);
  });

  it("is not held back once more by what was said before the clock was set back", async () => {
    const clock = movedClock();
    const { url, asked } = await server(inTurn(json(429, "{}", { "retry-after": "3600" }), json(200, "{}")));
    const http = client(DIRECT_NETWORK, clock);
    assert.equal((await http.request(get(url))).status, 429);
    clock.pass(-3_600_000);
    assert.equal((await http.request(get(url))).status, 200);
    clock.pass(3_700_000);
    assert.equal((await http.request(get(url))).status, 200);
    assert.equal(asked.length, 3);
  });

  it("repeats no key of one address to who asks with another", async () => {
    const { url } = await server((request, response) => {
      response.writeHead(429, { "content-type": "application/json", "retry-after": "3600" });
      response.end(JSON.stringify({ said: `no more for ${request.url ?? ""}` }));
    });
    const http = client();
    const first = `${url}/v3/0123456789abcdef0123456789abcdef`;
    await http.request(get(first, { base: first }));
    const { text } = await http.request(get(`${url}/v3/other`, { base: `${url}/v3/other` }));
    assert.match(text, /no more for/);
    assert.doesNotMatch(text, /0123456789abcdef/);
  });

  it("backs off and gives up after three more tries", async () => {
    for (const status of [429, 502, 503, 504]) {
      const clock = hastyClock();
      const { url, asked } = await server(json(status, "{}"));
      assert.equal((await client(DIRECT_NETWORK, clock).request(get(url))).status, status);
      assert.deepEqual(clock.waits, [375, 750, 1500]);
      assert.equal(asked.length, 4);
    }
  });

  it("tries no more often than the request allows", async () => {
    const clock = hastyClock();
    const { url, asked } = await server(json(503, "{}", { "retry-after": "7" }));
    const response = await client(DIRECT_NETWORK, clock).request(get(url, { retries: 0 }));
    assert.deepEqual([response.status, response.headers["retry-after"]], [503, "7"]);
    const error = await failure(
      client(DIRECT_NETWORK, clock).request(get("http://127.0.0.1:9", { retries: 1 })),
    );
    assert.equal(error.code, "unreachable");
    assert.deepEqual([asked.length, clock.waits], [1, [375]]);
  });

  it("asks again after a connection that broke off", async () => {
    const { url, asked } = await server(inTurn((request) => request.socket.destroy(), json(200, "{}")));
    assert.equal((await client().request(get(url))).status, 200);
    assert.equal(asked.length, 2);
  });

  it("never sends a submission again that may have been accepted", async () => {
    const breaks: readonly RequestListener[] = [
      (request) => request.socket.destroy(),
      (request) => request.resume().on("end", () => request.socket.destroy()),
      (_request, response) => {
        response.writeHead(202, { "content-type": "application/json" }).write('{"verifica');
        setTimeout(() => response.destroy(), 20);
      },
      json(502, "{}"),
      json(504, "<html>"),
      json(503, "{}"),
      json(429, '{"customCode":"duplicate_verification_request"}'),
    ];
    for (const listener of breaks) {
      const { url, asked } = await server(listener);
      await client()
        .request(post(url))
        .catch((error: unknown) => assert.ok(error instanceof HttpError && error.sent));
      assert.equal(asked.length, 1);
    }
  });

  it("sends what waited for the first connection although the settings change meanwhile", async () => {
    const { url } = await server(json(200, "{}"));
    let settings = DIRECT_NETWORK;
    const one = new JsonClient({ network: () => settings, userAgent: "test/1", clock: hastyClock() });
    const first = one.request(get(url, { retries: 0 }));
    // By now it has asked for the settings.
    await new Promise((resolve) => setImmediate(resolve));
    settings = { ...DIRECT_NETWORK, strictTls: false };
    const second = one.request(get(url, { retries: 0 }));
    assert.deepEqual([(await first).status, (await second).status], [200, 200]);
    await one.dispose();
  });

  it("tells within a second that nothing listens on this machine", async () => {
    for (const url of ["http://127.0.0.1:9", "http://localhost:9"]) {
      const clock = hastyClock();
      const error = await failure(client(DIRECT_NETWORK, clock).request(get(url)));
      assert.deepEqual([error.code, clock.waits], ["unreachable", [375]], url);
    }
  });

  it("sends a submission again when it certainly was not accepted", async () => {
    const clock = hastyClock();
    const error = await failure(client(DIRECT_NETWORK, clock).request(post("http://127.0.0.1:9")));
    assert.deepEqual([error.code, error.sent, clock.waits.length], ["unreachable", false, 1]);
    const { url, asked } = await server(inTurn(json(429, "{}", { "retry-after": "1" }), json(202, "{}")));
    assert.equal((await client().request(post(url))).status, 202);
    assert.equal(asked.length, 2);
  });
});

describe("A submission whose connection breaks once the service has read it", () => {
  for (const code of ["EHOSTUNREACH", "ENETUNREACH", "ECONNRESET"]) {
    it(`is not sent again: ${code} while the answer is read`, async () => {
      let received = 0;
      let socket: Socket | undefined;
      const note = (message: unknown) => {
        ({ socket } = message as { readonly socket: Socket });
      };
      subscribe("undici:client:sendHeaders", note);
      const { url } = await server((request) => {
        request.resume().on("end", () => {
          received++;
          socket?.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: "read" }));
        });
      });
      try {
        const error = await failure(client().request(post(url)));
        assert.deepEqual([received, error.sent], [1, true]);
      } finally {
        unsubscribe("undici:client:sendHeaders", note);
      }
    });
  }
});

describe("Answers that are none", () => {
  const bodies: readonly (readonly [string, string, RegExp])[] = [
    ["<!DOCTYPE html><title>403", "text/html", /status 200 and an HTML page instead of JSON/],
    ["", "application/json", /an empty body/],
    ['{"a":', "application/json", /JSON that breaks off/],
    ["Alive", "text/plain", /a body of type text\/plain/],
  ];
  for (const [body, type, message] of bodies) {
    it(`says what came instead of JSON: ${JSON.stringify(body)}`, async () => {
      const { url } = await server((_request, response) =>
        response.writeHead(200, { "content-type": type }).end(body),
      );
      const error = await failure(client().request(get(url)));
      assert.equal(error.code, "not_json");
      assert.match(error.message, message);
    });
  }

  it("takes any body where only the status counts", async () => {
    const { url } = await server((_request, response) =>
      response.writeHead(503, { "content-type": "text/html", "retry-after": "7" }).end("<html>busy"),
    );
    const { status, body, text, headers } = await client().request(get(url, { anyBody: true, retries: 0 }));
    assert.deepEqual([status, body, text, headers["retry-after"]], [503, undefined, "<html>busy", "7"]);
  });

  it("reports a page that came with an error status, with the status", async () => {
    const { url } = await server((_request, response) =>
      response.writeHead(403).end("<html>forbidden</html>"),
    );
    const error = await failure(client().request(get(url)));
    assert.deepEqual([error.code, error.status], ["not_json", 403]);
  });

  it("advises no other try where what stands before a service takes no request of that size", async () => {
    const { url } = await server((_request, response) =>
      response.writeHead(413).end("<html>too large</html>"),
    );
    const { message } = await failure(client().request(post(url)));
    assert.match(
      message,
      /status 413 and an HTML page instead of JSON\. It takes no request of this size\.$/,
    );
  });

  it("stops reading a body that is too large, sent or unpacked", async () => {
    const { url } = await server((_request, response) => {
      const write = (): void => {
        if (!response.destroyed) response.write(Buffer.alloc(64 * 1024, " "), write);
      };
      write();
    });
    assert.equal((await failure(client().request(get(url, { maxBytes: 1024 * 1024 })))).code, "too_large");
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, " "));
    const bombed = await server((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    assert.equal(
      (await failure(client().request(get(bombed.url, { maxBytes: 1024 * 1024 })))).code,
      "too_large",
    );
  });

  it("gives up on a server that never answers, and on one that drips", async () => {
    const silent = await server(() => undefined);
    const dripping = await server((_request, response) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    for (const { url } of [silent, dripping]) {
      const error = await failure(client().request(get(url, { timeoutMs: 150 })));
      assert.equal(error.code, "timeout");
      assert.match(error.message, /did not answer within 0\.15 s/);
    }
  });

  it("follows a redirect within the origin, and no other", async () => {
    const other = await server(json(200, "{}"));
    const { url } = await server((request, response) => {
      if (request.url === "/here") response.writeHead(301, { location: "/there" }).end();
      else if (request.url === "/away") response.writeHead(301, { location: `${other.url}/x` }).end();
      else if (request.url === "/circle") response.writeHead(302, { location: "/circle" }).end();
      else response.writeHead(200).end('{"there":true}');
    });
    assert.deepEqual((await client().request(get(`${url}/here`))).body, { there: true });
    const away = await failure(client().request(get(`${url}/away`)));
    assert.equal(away.code, "redirect_refused");
    assert.ok(away.message.includes(`127.0.0.1:${other.port}`));
    assert.equal((await failure(client().request(get(`${url}/circle`)))).code, "redirect_refused");
    assert.equal((await failure(client().request(post(`${url}/here`)))).code, "redirect_refused");
    assert.deepEqual(other.asked, []);
  });

  it("refuses an address that is none", async () => {
    for (const url of ["", "ftp://a", "not an address"])
      assert.equal((await failure(client().request(get(url)))).code, "invalid_url");
  });
});

describe("Stopping", () => {
  it("cancels while waiting for the answer, for the body and for the next try", async () => {
    const stages: readonly RequestListener[] = [
      () => undefined,
      (_request, response) => void response.writeHead(200).write("{"),
      json(503, "{}"),
    ];
    for (const listener of stages) {
      const abort = new AbortController();
      const { url } = await server((request, response) => {
        listener(request, response);
        setTimeout(() => abort.abort(), 50);
      });
      const patient = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", random: () => 1 });
      stops.push(() => patient.dispose());
      assert.equal((await failure(patient.request(get(url, { signal: abort.signal })))).code, "cancelled");
    }
  });

  it("does not begin when it was cancelled before", async () => {
    const { url, asked } = await server(json(200, "{}"));
    const error = await failure(client().request(post(url, { signal: AbortSignal.abort() })));
    assert.deepEqual([error.code, error.sent, asked.length], ["cancelled", false, 0]);
  });

  it("ends everything with its disposal", async () => {
    const { url } = await server(() => undefined);
    const doomed = client();
    const request = failure(doomed.request(get(url)));
    setTimeout(() => void doomed.dispose(), 50);
    assert.equal((await request).code, "cancelled");
    assert.equal((await failure(doomed.request(get(url)))).code, "cancelled");
  });
});
