import { generate, type GenerateResult } from "selfsigned";

/** Key and certificate of a server, PEM. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority that no client trusts by default. */
export interface PrivateCa {
  /** Its own certificate, PEM. */
  readonly certificate: string;
  /** A certificate for a host name, and for loopback too unless told otherwise. */
  issue(host: string, options?: CertificateOptions): Promise<ServerCertificate>;
}

/** What is wrong with a certificate. */
export interface CertificateOptions {
  /** The end of its time; a year from now without one. */
  readonly until?: Date;
  /** Whether it counts for 127.0.0.1. */
  readonly isOnLoopback?: boolean;
  /** No authority has signed it. */
  readonly signsItself?: boolean;
}

const DAY_MS = 86_400_000;

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
    issue: async (host, { until, isOnLoopback = true, signsItself = false } = {}) => {
      const issued: GenerateResult = await generate([{ name: "commonName", value: host }], {
        keyType: "ec",
        algorithm: "sha256",
        ...(!signsItself && { ca: { key: authority.private, cert: authority.cert } }),
        ...(until && { notBeforeDate: new Date(until.getTime() - 30 * DAY_MS), notAfterDate: until }),
        extensions: [
          { name: "basicConstraints", cA: false },
          {
            name: "subjectAltName",
            altNames: [
              { type: 2, value: host },
              ...(isOnLoopback ? [{ type: 7 as const, ip: "127.0.0.1" }] : []),
            ],
          },
        ],
      });
      return { key: issued.private, cert: issued.cert };
    },
  };
}
