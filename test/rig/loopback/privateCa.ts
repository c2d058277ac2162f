import { generate, type GenerateResult } from "selfsigned";

/** Key and certificate of a server, PEM. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority that nobody trusts by default. */
export interface PrivateCa {
  /** Its own certificate, PEM. */
  readonly certificate: string;
  /** A certificate for a host name. */
  issue(host: string): Promise<ServerCertificate>;
}

/** Makes an authority of its own for a test. */
export async function createPrivateCa(): Promise<PrivateCa> {
  const authority = await generate([{ name: "commonName", value: "Ledger Lens Test Authority" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    certificate: authority.cert,
    issue: async (host) => {
      const issued: GenerateResult = await generate([{ name: "commonName", value: host }], {
        keyType: "ec",
        algorithm: "sha256",
        ca: { key: authority.private, cert: authority.cert },
        extensions: [
          { name: "basicConstraints", cA: false },
          {
            name: "subjectAltName",
            altNames: [
              { type: 2, value: host },
              { type: 7, ip: "127.0.0.1" },
            ],
          },
        ],
      });
      return { key: issued.private, cert: issued.cert };
    },
  };
}
