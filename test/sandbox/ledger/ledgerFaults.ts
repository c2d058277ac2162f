import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Makes another body of the one that the ledger would have sent. */
export type BodyChange = (body: string) => string;

/** What is done to a request before the ledger sees it. */
export type LedgerFault = (
  request: IncomingMessage,
  response: ServerResponse,
) => FaultOutcome | Promise<FaultOutcome>;

/** True when the request has been answered, false when the ledger shall answer, or what to make of its answer. */
export type FaultOutcome = boolean | BodyChange;

/** A firewall in front of the ledger refuses, in HTML. */
export function forbiddenPage(): LedgerFault {
  const page =
    '<!doctype html><meta charset="utf-8"><meta name=viewport content="width=device-width, initial-scale=1"><title>403</title>403 Forbidden';
  return (_request, response) => send(response, 403, "text/html; charset=UTF-8", page);
}

/** A load balancer has no server behind it. */
export function badGateway(): LedgerFault {
  const page =
    "<html><head><title>502 Server Error</title></head><body><h1>Error: Server Error</h1></body></html>";
  return (_request, response) => send(response, 502, "text/html; charset=UTF-8", page);
}

/** A query ran into the statement timeout of the database. */
export function databaseTimeout(milliseconds = 0): LedgerFault {
  return async (_request, response) => {
    await delay(milliseconds);
    return sendMessage(response, 503, "Service unavailable");
  };
}

/** @param retryAfter seconds or a date; the header is missing without it */
export function tooManyRequests(retryAfter?: string): LedgerFault {
  return (_request, response) => {
    if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
    return sendMessage(response, 429, "Too Many Requests");
  };
}

/** A proxy on the way ends the body early, with a length that fits what is left. */
export function truncatedBody(share = 0.5): LedgerFault {
  return changedBody((body) => body.slice(0, Math.floor(body.length * share)));
}

/** The connection breaks in the middle of the body. */
export function brokenConnection(): LedgerFault {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": 1000 });
    response.write('{"actions":[', () => response.destroy());
    return true;
  };
}

/** The ledger answers late. */
export function slow(milliseconds: number): LedgerFault {
  return async () => {
    await delay(milliseconds);
    return false;
  };
}

/** The ledger names a next page elsewhere, as one does that believes to have another host. */
export function foreignNextPage(origin: string): LedgerFault {
  return changedBody((body) => body.replace('"next":"/', `"next":"${origin}/`));
}

/** Anything else that may happen to a body. */
export function changedBody(change: BodyChange): LedgerFault {
  return () => change;
}

/** For so many requests, and never again: a burst. */
export function atFirst(times: number, fault: LedgerFault): LedgerFault {
  let left = times;
  return (request, response) => (left-- > 0 ? fault(request, response) : false);
}

/** For paths with queries that match. */
export function onlyFor(target: RegExp, fault: LedgerFault): LedgerFault {
  return (request, response) => (target.test(request.url ?? "") ? fault(request, response) : false);
}

function sendMessage(response: ServerResponse, status: number, message: string): true {
  return send(
    response,
    status,
    "application/json; charset=utf-8",
    JSON.stringify({ _status: { messages: [{ message }] } }),
  );
}

function send(response: ServerResponse, status: number, type: string, body: string): true {
  response.writeHead(status, { "content-type": type }).end(body);
  return true;
}
