import { setTimeout as sleep } from "node:timers/promises";

/** An answer of the service as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A job as the interface tells it. */
export interface RawJob {
  readonly isJobCompleted: boolean;
  readonly verificationId: string;
  readonly jobStartTime: string;
  readonly jobFinishTime?: string;
  readonly compilationTime?: string;
  readonly error?: {
    readonly customCode: string;
    readonly message: string;
    readonly errorId: string;
    readonly creationTransactionHash?: string;
    readonly onchainRuntimeCode?: string;
    readonly errorData?: {
      readonly compilerErrorMessage?: string;
      readonly compilerErrors?: readonly {
        readonly message: string;
        readonly formattedMessage?: string;
        readonly sourceLocation?: object;
      }[];
    };
  };
  readonly contract: {
    readonly match: string | null;
    readonly creationMatch: string | null;
    readonly runtimeMatch: string | null;
    readonly verifiedAt?: string;
    readonly matchId?: string;
  };
}

/** Talks to a verification service as any program could, with nothing of the extension. */
export class ServiceClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async get(path: string): Promise<RawAnswer> {
    return read(await fetch(this.#url + path));
  }

  async post(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
  ): Promise<RawAnswer> {
    // Bytes, since a text would bring a header of its own.
    return read(
      await fetch(this.#url + path, { method: "POST", headers, body: new TextEncoder().encode(body) }),
    );
  }

  /** Submits what the service takes; the answer is the job's id. */
  async submit(path: string, body: object): Promise<string> {
    const answer = await this.post(path, JSON.stringify(body));
    if (answer.status !== 202) throw new Error(`${answer.status}: ${answer.body}`);
    return (JSON.parse(answer.body) as { verificationId: string }).verificationId;
  }

  async job(verificationId: string): Promise<RawJob> {
    return JSON.parse((await this.get(`/v2/verify/${verificationId}`)).body) as RawJob;
  }

  /** The job once it has ended. */
  async ended(verificationId: string): Promise<RawJob> {
    for (const deadline = Date.now() + 120_000; ;) {
      const job = await this.job(verificationId);
      if (job.isJobCompleted) return job;
      if (Date.now() > deadline) throw new Error(`The job ${verificationId} does not end.`);
      await sleep(20);
    }
  }

  /** Submits, and waits for the job's end. */
  async verify(path: string, body: object): Promise<RawJob> {
    return this.ended(await this.submit(path, body));
  }
}

async function read(response: Response): Promise<RawAnswer> {
  return {
    status: response.status,
    contentType: response.headers.get("content-type") ?? "",
    body: await response.text(),
  };
}

/** The code of a refusal. */
export function codeOf({ body }: RawAnswer): string {
  return (JSON.parse(body) as { customCode: string }).customCode;
}

/** The sentence of a refusal. */
export function messageOf({ body }: RawAnswer): string {
  return (JSON.parse(body) as { message: string }).message;
}
