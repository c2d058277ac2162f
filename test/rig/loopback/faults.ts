import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Exchange, ProxiedAnswer, ProxyFault } from "./faultProxy.ts";

/** What may become of a request that meets a fault. */
export interface NamedFault {
  /** As the name of a cell continues: "the connection is refused". */
  readonly name: string;
  readonly fault: ProxyFault;
  /**
   * What the sender of a submission can know: `no` when it certainly did not arrive, `maybe` otherwise. Reading faults
   * leave a usable answer, so that a command may well succeed.
   */
  readonly arrives: "no" | "maybe";
}

/** Bytes at a time, as slowly as one in a second where time-outs are minutes. */
const DRIP_MS = 40;
const ENOUGH_BYTES = 4 * 1024 * 1024;

/** Sends bytes that need not be HTTP, and hangs up. */
const raw =
  (...parts: readonly (string | Buffer)[]) =>
  ({ socket }: Exchange) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };

/** Answers by itself; the service is not told. */
const instead =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
  ({ response }: Exchange) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

/** Lets the service answer, and says something else. */
const after =
  (say: (exchange: Exchange, answer: ProxiedAnswer) => unknown) =>
  async (exchange: Exchange): Promise<void> => {
    await say(exchange, await exchange.forward());
  };

/** The service's own status with another body. */
const rewritten = (change: (body: string) => string) =>
  after(({ response }, { status, headers, body }) =>
    response.writeHead(status, headers).end(change(body.toString("utf8"))),
  );

const PAGE = '<!doctype html><html><head><title>Gateway</title></head><body><h1>{"Sorry"}</h1></body></html>';
const html = { "content-type": "text/html; charset=utf-8" };

async function drip({ socket, signal }: Exchange, text: string): Promise<void> {
  for (const character of text) {
    if (signal.aborted) return;
    socket.write(character);
    await sleep(DRIP_MS, undefined, { signal }).catch(() => undefined);
  }
  socket.end();
}

async function flood({ response, signal }: Exchange): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, " ");
  for (let sent = 0; sent < ENOUGH_BYTES && !signal.aborted; sent += chunk.length) {
    if (!response.write(chunk)) {
      await new Promise<void>((resolve) => {
        response.once("drain", resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }
  response.end("{}");
}

/** Kinds that are not the documented one somewhere. */
const KINDS: Readonly<Record<string, unknown>> = {
  null: null,
  "a list": [],
  "an object": {},
  "a number": 42,
  "a negative number": -1.5,
  "a huge number": 1e308,
  "a text": "x",
  "an empty text": "",
  "a text of 200,000 characters": "x".repeat(200_000),
  "hostile text": "[Sign in](command:evil) $(bug)\u202e\u0000\n</script>",
  true: true,
  "a list of lists": [[], [[]]],
  "an object with odd keys": { constructor: 1, length: -1, toString: null, then: 1 },
};

/** Every value that is no list and no object replaced; the lists and objects themselves too when `whole`. */
function withValues(value: unknown, replacement: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withValues(one, replacement));
  if (typeof value !== "object" || value === null) return replacement;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withValues(one, replacement)]));
}

/** Every member of the outermost object replaced. */
function withMembers(value: unknown, replacement: unknown): unknown {
  if (Array.isArray(value)) return value.map(() => replacement);
  if (typeof value !== "object" || value === null) return replacement;
  return Object.fromEntries(Object.keys(value).map((key) => [key, replacement]));
}

const json = (change: (value: unknown) => unknown) =>
  rewritten((body) => {
    try {
      return JSON.stringify(change(JSON.parse(body)));
    } catch {
      return body;
    }
  });

/** JSON whose objects have a key twice: first a wrong value, then the right one, or the other way round. */
function twice(value: unknown, isRightLast: boolean): string {
  if (Array.isArray(value)) return `[${value.map((one) => twice(one, isRightLast)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}:${twice(one, isRightLast)}`,
  );
  const wrong = Object.keys(value).map((key) => `${JSON.stringify(key)}:null`);
  return `{${(isRightLast ? [...wrong, ...members] : [...members, ...wrong]).join(",")}}`;
}

/** JSON in which every object has keys that name parts of every object. */
function poisoned(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(poisoned).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${poisoned(one)}`);
  const evil = '{"polluted":"yes","isJobCompleted":true}';
  return `{${[...members, `"__proto__":${evil}`, `"constructor":{"prototype":${evil}}`, `"prototype":${evil}`].join(",")}}`;
}

const parsed = (change: (value: unknown) => string) =>
  rewritten((body) => {
    try {
      return change(JSON.parse(body));
    } catch {
      return body;
    }
  });

const soon = () => new Date(Date.now() + 2_000).toUTCString();

/** Every fault that one request can meet. */
export const FAULTS: readonly NamedFault[] = [
  // The connection.
  { name: "the connection is refused", arrives: "no", fault: { connection: "refused" } },
  { name: "the connection is reset at once", arrives: "maybe", fault: { connection: "reset" } },
  ...maybe({
    "the connection is reset after the request": ({ socket }) => socket.resetAndDestroy(),
    "the connection is reset after the service took the request": after(({ socket }) =>
      socket.resetAndDestroy(),
    ),
    "the connection is closed without a word": after(({ socket }) => socket.end()),
    // The answer's time.
    "no answer comes": ({ signal }) => once(signal),
    "no answer comes though the service took the request": after(({ signal }) => once(signal)),
    "the headers come a byte at a time": after((exchange) =>
      drip(
        exchange,
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-slow: ${"y".repeat(5_000)}\r\n\r\n{}`,
      ),
    ),
    "the body comes a byte at a time": after(async (exchange, { status, body }) => {
      exchange.socket.write(`HTTP/1.1 ${status} OK\r\ncontent-length: ${body.length + 5_000}\r\n\r\n`);
      await drip(exchange, body.toString("utf8") + " ".repeat(5_000));
    }),
    "interim answers come without end": async ({ socket, signal }) => {
      while (!signal.aborted) {
        socket.write("HTTP/1.1 100 Continue\r\n\r\n");
        await sleep(DRIP_MS, undefined, { signal }).catch(() => undefined);
      }
    },
    // The answer's form.
    "the body breaks off": after(({ socket }, { body }) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length + 10}\r\n\r\n`,
      );
      socket.write(body.subarray(0, Math.ceil(body.length / 2)));
      setTimeout(() => socket.destroy(), 10);
    }),
    "a chunked body breaks off": after(({ socket }, { body }) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
      socket.write(`${body.length.toString(16)}\r\n${body.toString("utf8")}`);
      setTimeout(() => socket.destroy(), 10);
    }),
    "the body is longer than it may be": flood,
    "the length is too short": after(({ socket }, { body }) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length >> 1}\r\n\r\n`,
      );
      socket.end(body);
    }),
    "the length is no number": raw("HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n{}"),
    "there are two lengths": raw("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}"),
    "a chunk's size is no number": raw(
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    ),
    "the body says gzip and is not": after(({ response }, { status, body }) =>
      response.writeHead(status, { "content-encoding": "gzip" }).end(body),
    ),
    "the packed body breaks off": after(({ response }, { status, body }) => {
      const packed = gzipSync(body);
      response.writeHead(status, { "content-encoding": "gzip" }).end(packed.subarray(0, packed.length >> 1));
    }),
    "the packed body is damaged": after(({ response }, { status, body }) => {
      const packed = gzipSync(body);
      packed.fill(0xff, 12, 20);
      response.writeHead(status, { "content-encoding": "gzip" }).end(packed);
    }),
    "the packed body is a bomb": after(({ response }, { status }) =>
      response
        .writeHead(status, { "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(8 * 1024 * 1024, " "))),
    ),
    "another protocol answers": raw("SSH-2.0-OpenSSH_9.6\r\n"),
    "the headers are too large": raw(`HTTP/1.1 200 OK\r\nx-large: ${"x".repeat(100_000)}\r\n\r\n{}`),
    "a header has no name": raw("HTTP/1.1 200 OK\r\n: nothing\r\n\r\n{}"),
    "the status is no status": raw("HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}"),
    "the protocol is switched": raw(
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
    ),
    // The answer's content.
    "a page comes with status 200": after(({ response }) => response.writeHead(200, html).end(PAGE)),
    "a page comes with status 202": after(({ response }) => response.writeHead(202, html).end(PAGE)),
    "a page comes with status 500": after(({ response }) => response.writeHead(500, html).end(PAGE)),
    "a page comes with status 502": after(({ response }) => response.writeHead(502, html).end(PAGE)),
    "a page comes with status 504": after(({ response }) => response.writeHead(504, html).end(PAGE)),
    "the body is empty": after(({ response }) => response.writeHead(200).end()),
    "status 204 comes": after(({ response }) => response.writeHead(204).end()),
    "the body is no UTF-8": after(({ response }) =>
      response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x7b, 0x7d])),
    ),
    "the body begins with a byte order mark": rewritten((body) => `\ufeff${body}`),
    "the body is followed by more": rewritten((body) => `${body}\n${body}`),
    "the body has comments": rewritten((body) => `// a comment\n${body}`),
    ...Object.fromEntries(
      ["[]", "null", "42", '"text"', "true", "{}", "[{}]", "[null]"].map((body) => [
        `the body is ${body}`,
        after(({ response }, { status }) =>
          response.writeHead(status, { "content-type": "application/json" }).end(body),
        ),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(KINDS).flatMap(([kind, value]) => [
        [`every value is ${kind}`, json((body) => withValues(body, value))],
        [`every member is ${kind}`, json((body) => withMembers(body, value))],
      ]),
    ),
    "the body is nested 100,000 deep": after(({ response }, { status }) =>
      response.writeHead(status).end("[".repeat(100_000) + "]".repeat(100_000)),
    ),
    "members are nested 20,000 deep": parsed((body) => {
      const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
      const members = typeof body === "object" && body !== null ? Object.keys(body) : ["a"];
      return `{${members.map((key) => `${JSON.stringify(key)}:${deep}`).join(",")}}`;
    }),
    "every key comes twice, the right value last": parsed((body) => twice(body, true)),
    "every key comes twice, the right value first": parsed((body) => twice(body, false)),
    "every object has the keys of prototypes": parsed(poisoned),
    // Refusals that may come from a gateway behind which the service works.
    "status 503 comes": instead(503, "{}"),
    "status 503 asks for a second": instead(503, "{}", { "retry-after": "1" }),
    "status 503 asks to wait until a date": (exchange) =>
      instead(503, PAGE, { ...html, "retry-after": soon() })(exchange),
    "status 500 comes": instead(500, '{"message":"Internal"}'),
    "status 502 comes with an empty body": instead(502, ""),
  }),
  ...no({
    "a page comes with status 403": instead(403, PAGE, html),
    "a page comes with status 404": instead(404, PAGE, html),
    "a page comes with status 407": instead(407, PAGE, html),
    "status 401 comes": instead(401, "{}"),
    "status 413 comes": instead(413, PAGE, html),
    "status 429 asks for a second": instead(429, "{}", { "retry-after": "1" }),
    "status 429 asks to wait until a date": (exchange) =>
      instead(429, "{}", { "retry-after": soon() })(exchange),
    "status 429 asks for an hour": instead(429, "{}", { "retry-after": "3600" }),
    "status 429 asks for nothing": instead(429, PAGE, html),
    "status 429 asks for nonsense": instead(429, "{}", { "retry-after": "soon; maybe" }),
    "a redirect leads to another host": instead(302, "", { location: "http://localhost:9/elsewhere" }),
    "a redirect leads in a circle": ({ request, response }) =>
      response.writeHead(302, { location: request.target }).end(),
    "a redirect goes on without end": ({ request, response }) =>
      response
        .writeHead(302, { location: `${request.target}${request.target.includes("?") ? "&" : "?"}more=1` })
        .end(),
    "a redirect leads nowhere": instead(302, ""),
    "a redirect leads to a file": instead(302, "", { location: "file:///etc/passwd" }),
    "a redirect leads to TLS": ({ proxyUrl, request, response }) =>
      response.writeHead(301, { location: proxyUrl.replace("http:", "https:") + request.target }).end(),
  }),
];

/** The connection is closed with every second request that comes on it, before the service has that one. */
export function closedKeepAlive(): ProxyFault {
  const used = new WeakSet<object>();
  return {
    async answer({ socket, response, forward }) {
      if (used.has(socket)) {
        socket.resetAndDestroy();
        return;
      }
      used.add(socket);
      const { status, headers, body } = await forward();
      response.writeHead(status, { ...headers, connection: "keep-alive" }).end(body);
    },
  };
}

type Answers = Readonly<Record<string, (exchange: Exchange) => unknown>>;

function maybe(answers: Answers): NamedFault[] {
  return Object.entries(answers).map(([name, answer]) => ({ name, arrives: "maybe", fault: { answer } }));
}

function no(answers: Answers): NamedFault[] {
  return Object.entries(answers).map(([name, answer]) => ({ name, arrives: "no", fault: { answer } }));
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
