import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { keptAddress, wholeAddress } from "../../../src/core/http/keptAddress.ts";
import { hostOf } from "../../../src/core/jobs/jobWords.ts";
import { PublishConsent } from "../../../src/core/jobs/publishConsent.ts";
import { random } from "../random.ts";
import { submitTo } from "./agreed.ts";
import { codeOf, finished, ID, pending, stopWorlds, SUBMISSION, world } from "./jobWorld.ts";
import { MemoryStorage } from "./memoryStorage.ts";

afterEach(stopWorlds);

const { below } = random("kept keys");
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const newKey = () => `9${Array.from({ length: 20 }, () => ALPHABET.charAt(below(ALPHABET.length))).join("")}`;

/** Where the addresses of services have their customers' keys. */
const PLACES: readonly (readonly [place: string, (origin: string, key: string) => string])[] = [
  ["the path", (origin, key) => `${origin}/v3/${key}`],
  ["the middle of the path", (origin, key) => `${origin}/${key}/verify`],
  ["the query", (origin, key) => `${origin}/server?apikey=${key}`],
  ["a query without a name", (origin, key) => `${origin}/server?${key}`],
  ["the password", (origin, key) => `${origin.replace("//", `//someone:${key}@`)}/server`],
];

/** All that is kept, as it would be read from the disk. */
function keptText(storage: MemoryStorage): string {
  return [...storage.files]
    .map(([name, bytes]) => {
      const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
      return `${name} ${isCompressed ? gunzipSync(bytes).toString() : new TextDecoder().decode(bytes)}`;
    })
    .join("\n");
}

describe("A job at a service whose address holds a key", () => {
  for (const [place, addressWith] of PLACES)
    it(`is kept without the key in ${place}, and goes on once that address is in the settings again`, async () => {
      const storage = new MemoryStorage();
      let isDone = false;
      const answer = (request: {
        readonly method?: string | undefined;
        readonly url?: string | undefined;
      }) => {
        if (request.method === "POST") return { verificationId: ID };
        if ((request.url ?? "").includes("/contract/")) return { match: null };
        if ((request.url ?? "").includes("/chains"))
          return [{ chainId: 296, supported: true, name: "x", rpc: [] }];
        return isDone ? finished("exact_match") : pending;
      };
      const first = await world(answer, storage);
      const key = newKey();
      const address = addressWith(first.server.url, key);
      first.configure(address);
      const job = await submitTo(address, first.jobs, SUBMISSION);
      await first.jobs.check(job.id);
      const kept = keptText(storage);
      assert.ok(kept.includes(job.id));
      assert.ok(!kept.includes(key), kept.slice(0, 2000));
      assert.equal(hostOf(job), new URL(first.server.url).host);

      // The editor is started again, with another address in the settings.
      isDone = true;
      const second = await world(answer, new MemoryStorage(storage.files));
      await second.jobs.store.load();
      second.configure("https://other.example/server");
      assert.equal(await codeOf(second.jobs.check(job.id)), "key_missing");
      assert.match(second.jobs.store.get(job.id)?.problem?.message ?? "", /held a key/);
      second.configure(address);
      const { job: ended, problem } = await second.jobs.check(job.id);
      assert.equal(ended?.contract?.match, "exact_match");
      assert.equal(problem, undefined);
    });

  it("is sent to no other address of the same host", async () => {
    const first = await world((request) =>
      request.method === "POST" ? { customCode: "invalid_parameter" } : { match: null },
    );
    const address = `${first.server.url}/v3/${newKey()}`;
    first.configure(address);
    const { id } = await submitTo(address, first.jobs, SUBMISSION).catch(() => {
      const [refused] = first.jobs.store.all();
      assert.ok(refused);
      return refused;
    });
    first.configure(`${first.server.url}/v3/${newKey()}`);
    assert.equal(await codeOf(first.jobs.retry(id)), "service_changed");
  });

  it("that an earlier version kept with its key is kept without it from the next change on", async () => {
    const storage = new MemoryStorage();
    const { jobs, server, configure } = await world(() => pending, storage);
    const key = newKey();
    const address = `${server.url}/v3/${key}`;
    const record = {
      id: "old",
      stage: "submitted",
      service: address,
      chainId: "296",
      address: "0x",
      verificationId: ID,
    };
    storage.put("old.job.json", JSON.stringify({ ...record, submittedAt: 0 }));
    configure(address);
    await jobs.store.load();
    await jobs.check("old");
    assert.ok(!keptText(storage).includes(key), keptText(storage));
  });
});

describe("What is kept for an address", () => {
  it("is the address itself where nothing in it may be a key, and the same when it is kept again", () => {
    for (const plain of ["https://sourcify.dev/server", "http://127.0.0.1:5555", "no address"])
      assert.equal(keptAddress(plain), plain);
    for (const [, addressWith] of PLACES) {
      const address = addressWith("https://node.example.com", newKey());
      const kept = keptAddress(address);
      assert.equal(keptAddress(kept), kept);
      assert.equal(wholeAddress(kept, ["https://sourcify.dev/server", address]), address);
      assert.notEqual(keptAddress(addressWith("https://node.example.com", newKey())), kept);
    }
  });

  it("is without a key in what a person agreed to, which covers that address and no other", async () => {
    let stored: unknown;
    const consent = new PublishConsent({ get: () => stored, set: (value) => void (stored = value) });
    const key = newKey();
    const scope = { kinds: ["solidity"], isUnremarkable: true };
    await consent.give(`https://node.example.com/v3/${key}`, scope);
    assert.ok(!JSON.stringify(stored).includes(key));
    assert.ok(consent.covers(`https://node.example.com/v3/${key}/`, scope));
    assert.ok(!consent.covers(`https://node.example.com/v3/${newKey()}`, scope));
  });
});
