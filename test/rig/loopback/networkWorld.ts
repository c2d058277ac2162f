import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "./httpServer.ts";
import { createPrivateCa } from "./privateCa.ts";
import { startProxy } from "./proxyServer.ts";

/** Addresses of a world with proxies and a private authority, for tests inside the extension host. */
export interface NetworkAddresses {
  readonly proxy: string;
  /** A proxy that demands credentials, with them. */
  readonly lockedProxy: string;
  /** Answers, as JSON, what the proxies were asked for since the last call. */
  readonly proxyLog: string;
  /** A service that only the proxies know by name. */
  readonly plainHost: string;
  /** The same behind TLS, its certificate signed by the private authority. */
  readonly secureHost: string;
  /** A service on loopback with a certificate of the private authority. */
  readonly secureLoopback: string;
  /** A host that `NO_PROXY` names. */
  readonly environmentHost: string;
}

/** The world with what the editor's process needs in its environment. */
export interface NetworkWorld {
  readonly addresses: NetworkAddresses;
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the services, the proxies and the authority. */
export async function startNetworkWorld(): Promise<NetworkWorld> {
  const plainHost = "verify.ledger-lens.test";
  const secureHost = "secure.ledger-lens.test";
  const environmentHost = "direct.ledger-lens.test";
  const ca = await createPrivateCa();
  const plain = await startServer(answerJob);
  const secure = await startServer(answerJob, await ca.issue(secureHost));
  const hosts = { [plainHost]: plain.port, [secureHost]: secure.port, [environmentHost]: plain.port };
  const proxy = await startProxy({ hosts });
  const lockedProxy = await startProxy({ hosts, credentials: "me:secret" });
  let told = 0;
  const log = await startServer((_request, response) => {
    const lines = [...proxy.asked, ...lockedProxy.asked];
    response.end(JSON.stringify(lines.slice(told)));
    told = lines.length;
  });
  // The system's list with one more authority, as an administrator would install it.
  const folder = await mkdtemp(join(tmpdir(), "ledger-lens-ca-"));
  const bundle = join(folder, "ca-certificates.crt");
  const system = await readFile("/etc/ssl/certs/ca-certificates.crt", "utf8").catch(() => "");
  await writeFile(bundle, `${system}\n${ca.certificate}\n`);
  return {
    addresses: {
      proxy: proxy.url,
      lockedProxy: lockedProxy.url,
      proxyLog: log.url,
      plainHost,
      secureHost,
      secureLoopback: secure.url,
      environmentHost,
    },
    environment: {
      SSL_CERT_FILE: bundle,
      SSL_CERT_DIR: folder,
      NODE_EXTRA_CA_CERTS: "",
      HTTP_PROXY: proxy.url,
      NO_PROXY: `localhost,127.0.0.1,${environmentHost}`,
      // The lower-case forms would go before, and a machine may have them.
      http_proxy: "",
      https_proxy: "",
      no_proxy: "",
    },
    async stop() {
      await Promise.all([plain, secure, proxy, lockedProxy, log].map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A finished job for whatever id is asked for. */
const answerJob: RequestListener = (request, response) => {
  const verificationId = request.url?.split("/").at(-1);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ isJobCompleted: true, verificationId, contract: { match: "exact_match" } }));
};
