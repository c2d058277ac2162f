// A window of the editor without the editor: a process of its own that does what its parent asks, on the folder that
// the parent names.
import { LedgerLensError } from "../../../src/core/errors.ts";
import { systemClock } from "../../../src/core/concurrency/clock.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { JobFiles } from "../../../src/editor/verification/jobFiles.ts";
import { submitTo } from "../../unit/jobs/agreed.ts";
import { SUBMISSION } from "../../unit/jobs/jobWorld.ts";

/** What a window is asked to do. */
export type WindowRequest = { readonly folder: string; readonly url: string; readonly afterMs: number } & (
  | { readonly kind: "submit"; readonly address: string }
  | { readonly kind: "retry"; readonly id: string }
  | { readonly kind: "load" }
  | { readonly kind: "remove"; readonly id: string }
  | { readonly kind: "update"; readonly id: string; readonly times: number }
);

/** What it answers. */
export interface WindowAnswer {
  readonly ids: readonly string[];
  readonly error?: string;
}

const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
/** Pauses pass ten times as fast. */
const clock = {
  now: () => systemClock.now(),
  sleep: (milliseconds: number, signal?: AbortSignal) => systemClock.sleep(milliseconds / 10, signal),
};
/** A window keeps what it knows of a folder. */
const stores = new Map<string, JobStore>();

process.on("message", (request: WindowRequest) => {
  void answer(request).then(
    (ids) => process.send?.({ ids } satisfies WindowAnswer),
    (error: unknown) => {
      const code = error instanceof LedgerLensError ? error.code : String(error);
      process.send?.({ ids: [], error: code } satisfies WindowAnswer);
    },
  );
});
process.send?.({ ids: ["ready"] } satisfies WindowAnswer);

async function answer(request: WindowRequest): Promise<string[]> {
  const { folder, url, afterMs } = request;
  const store = stores.get(folder) ?? new JobStore(new JobFiles({ fsPath: folder }));
  stores.set(folder, store);
  const jobs = new VerificationJobs({
    store,
    service: (at = url) => new VerificationService(http, at),
    clock,
    random: Math.random,
    newId: () => crypto.randomUUID(),
  });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  switch (request.kind) {
    case "submit": {
      await store.load();
      const record = await submitTo(url, jobs, { ...SUBMISSION, address: request.address });
      return [(await jobs.wait(record.id, { limitMs: 30_000 })).id];
    }
    case "retry":
      await store.load();
      return [(await jobs.retry(request.id)).id];
    case "load":
      await store.load();
      return store.all().map(({ id }) => id);
    case "remove":
      await store.remove(request.id);
      return [];
    case "update":
      for (let time = 1; time <= request.times; time++) await store.update(request.id, { checkedAt: time });
      return [];
  }
}
