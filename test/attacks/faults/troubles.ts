import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setDefaultCACertificates, getCACertificates } from "node:tls";
import type { FaultPlace, FaultProxy, ProxiedRequest } from "../../rig/loopback/faultProxy.ts";
import { closedKeepAlive, FAULTS } from "../../rig/loopback/faults.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { createPrivateCa, type PrivateCa } from "../../rig/loopback/privateCa.ts";
import type { Cell, Target, Trouble } from "./cell.ts";

const everything = { meets: () => true };
const isLookUp = ({ method, target }: ProxiedRequest) => method === "GET" && target.includes("/v2/contract/");
const isSubmission = ({ method, target }: ProxiedRequest) =>
  method === "POST" && target.includes("/v2/verify/");
const isLook = ({ method, target }: ProxiedRequest) => method === "GET" && target.includes("/v2/verify/");
const SUBMITTING = ["verifyContract", "verifyBySimilarity", "verifyAllDeployments"];

const target = (command: string, service: Target["service"], at: string, place: FaultPlace = everything) =>
  ({ command, service, at, place }) satisfies Target;

/** Every command with every request at which something can go wrong. */
export const TARGETS: readonly Target[] = [
  ...SUBMITTING.flatMap((command) => [
    target(command, "verification", "every request"),
    target(command, "verification", "the look-up", { meets: isLookUp }),
    target(command, "verification", "the submission", { meets: isSubmission, after: isLookUp }),
    target(command, "verification", "the job", { meets: isLook, after: isSubmission }),
  ]),
  target("checkJob", "verification", "the job"),
  target("predictMatch", "node", "the node"),
  target("predictMatch by a listed node", "verification", "the list of chains"),
  target("showToken", "ledger", "the ledger"),
  target("showToken", "ledger", "the token that its fees are paid in", {
    meets: ({ target }) => target.endsWith("/0.0.5002"),
    after: ({ target }) => target.includes("/tokens/"),
  }),
  target("showTransactionActions", "ledger", "the ledger"),
  target("showTransactionActions", "verification", "the names of its contracts"),
  target("showSchedules", "ledger", "the ledger"),
  target("showSchedule", "ledger", "the ledger"),
  target("showSchedule", "ledger", "what was executed", {
    meets: ({ target }) => target.includes("/transactions"),
    after: ({ target }) => target.includes("/schedules/"),
  }),
  target("showStatus", "status", "the page"),
  target("showStatus", "verification", "the verification service's health"),
  target("showStatus", "ledger", "the ledger's health"),
  target("refreshCompilerList", "solcList", "the list of solc"),
  target("refreshCompilerList", "vyperList", "the list of Vyper"),
];

/** The authority that the tests' process trusts, so that a certificate is refused for the reason that is meant. */
export async function trustedAuthority(): Promise<PrivateCa> {
  const ca = await createPrivateCa();
  setDefaultCACertificates([...getCACertificates("default"), ca.certificate]);
  return ca;
}

/** Every trouble, whatever the command. */
export function troubles(ca: PrivateCa): Trouble[] {
  const tls = async (certificate: { key: string; cert: string }) => {
    const server = await startServer((_request, response) => response.end("{}"), certificate);
    return { url: server.url, stop: () => server.stop() };
  };
  const nothing = (url: string) => () => Promise.resolve({ url, stop: () => Promise.resolve() });
  return [
    ...FAULTS.map((fault): Trouble => ({ kind: "request", fault })),
    {
      kind: "address",
      name: "the name of the host is unknown",
      open: nothing("http://ledger-lens.invalid"),
    },
    { kind: "address", name: "the address is none", open: nothing("not an address") },
    { kind: "address", name: "the address is empty", open: nothing("") },
    { kind: "address", name: "the address is of another kind", open: nothing("ftp://127.0.0.1") },
    {
      kind: "address",
      name: "the certificate signs itself",
      open: async () => tls(await (await createPrivateCa()).issue("127.0.0.1", { signsItself: true })),
    },
    {
      kind: "address",
      name: "the certificate is of an unknown authority",
      open: async () => tls(await (await createPrivateCa()).issue("127.0.0.1")),
    },
    {
      kind: "address",
      name: "the certificate has expired",
      open: async () => tls(await ca.issue("127.0.0.1", { until: new Date(Date.now() - 86_400_000) })),
    },
    {
      kind: "address",
      name: "the certificate is of another host",
      open: async () => tls(await ca.issue("elsewhere.example", { isOnLoopback: false })),
    },
    {
      kind: "address",
      name: "TLS is spoken to what speaks none",
      open: ({ url }: FaultProxy) => nothing(url.replace("http:", "https:"))(),
    },
    {
      kind: "address",
      name: "TLS is wanted where none is spoken",
      open: async () => {
        const { url, stop } = await tls(await ca.issue("127.0.0.1"));
        return { url: url.replace("https:", "http:"), stop };
      },
    },
    {
      kind: "address",
      name: "TLS redirects to what has none",
      open: async () => {
        const server = await startServer(
          (request, response) =>
            response
              .writeHead(302, { location: `http://${request.headers.host ?? ""}${request.url ?? ""}` })
              .end(),
          await ca.issue("127.0.0.1"),
        );
        return { url: server.url, stop: () => server.stop() };
      },
    },
    {
      kind: "address",
      name: "connections are taken and nothing is said",
      isHeard: true,
      open: async () => {
        const server = createServer(() => undefined).listen(0, "127.0.0.1");
        await once(server, "listening");
        return {
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          async stop() {
            server.closeAllConnections();
            await new Promise((resolve) => server.close(resolve));
          },
        };
      },
    },
    ...clockJumps(),
  ];
}

const HOUR = 3_600_000;

function clockJumps(): Trouble[] {
  const counted = (name: string, jump: (now: number, asked: number) => number): Trouble => {
    let asked = 0;
    return { kind: "clock", name, jump: (now) => jump(now, asked++) };
  };
  return [
    counted("the clock jumps an hour ahead at every look", (now, asked) => now + asked * HOUR),
    counted("the clock jumps an hour back at every look", (now, asked) => now - asked * HOUR),
    counted("the clock jumps to and fro", (now, asked) => now + (asked % 2 === 0 ? HOUR : -HOUR)),
    counted("the clock jumps a year ahead in the middle", (now, asked) =>
      asked < 3 ? now : now + 365 * 24 * HOUR,
    ),
    counted("the clock stands still", () => Date.parse("2026-01-01T00:00:00Z")),
    counted("the clock begins in 1970", (_now, asked) => asked),
  ];
}

/** Every cell: each target with each trouble that can meet it. */
export function cells(ca: PrivateCa): Cell[] {
  const keepAlive = (): Trouble => ({
    kind: "request",
    fault: {
      name: "a kept connection is closed at its second request",
      arrives: "maybe",
      fault: closedKeepAlive(),
    },
  });
  return TARGETS.flatMap((target) => {
    const isWhole = target.place === everything;
    // An address and a clock belong to all requests, and breaking connections need a request before them.
    const met = troubles(ca).filter(
      (trouble) =>
        isWhole ||
        (trouble.kind === "request" && ("answer" in trouble.fault.fault || target.place.after !== undefined)),
    );
    return [...met, ...(isWhole && SUBMITTING.includes(target.command) ? [keepAlive()] : [])].map(
      (trouble) => ({ target, trouble }),
    );
  });
}
