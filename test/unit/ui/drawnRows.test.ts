import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import {
  jobFacts,
  olderJobRows,
  verificationRows,
  type VerificationRow,
} from "../../../src/core/jobs/verificationRows.ts";
import type { ViewRow } from "../../../src/core/rows/viewRow.ts";
import { DrawnRows } from "../../../src/editor/ui/drawnRows.ts";
import { nodesOf, renewNode, type ViewNode } from "../../../src/editor/ui/viewNode.ts";
import { random, type Random } from "../random.ts";
import { EditorTree } from "./editorTree.ts";
import { foreign, shown } from "../../../src/core/text/shownText.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = new Date(2026, 10, 21, 12).getTime();

const wordsOf = ({ label, description = shown`` }: ViewRow) => `${label} · ${description}`;

/** A view over rows that the test holds. */
function viewOf(
  rows: () => readonly ViewRow[],
  isUnfolded: (node: ViewNode<ViewRow>) => boolean,
  ready: () => Promise<void> = () => Promise.resolve(),
) {
  const drawn = new DrawnRows<ViewNode<ViewRow>, string>(
    {
      async childrenOf(node) {
        await ready();
        return nodesOf(node ? (node.row.children ?? []) : rows(), node);
      },
      draw: ({ row }) => ({ item: wordsOf(row) }),
      renew: renewNode,
    },
    (one, other) => one === other,
  );
  return { drawn, tree: new EditorTree(drawn, isUnfolded) };
}

/** Every row that can be seen. */
function allLines(rows: readonly ViewRow[], isUnfolded: (id: string) => boolean, above = ""): string[] {
  return rows.flatMap((row) => {
    const id = `${above}/${row.id}`;
    const below = isUnfolded(id) ? allLines(row.children ?? [], isUnfolded, id) : [];
    return [wordsOf(row), ...below.map((line) => `  ${line}`)];
  });
}

function finishedJob(number: number, submittedAt: number): JobRecord {
  return {
    id: String(number),
    stage: "submitted",
    service: "https://service.example",
    chainId: "296",
    address: `0x${number.toString(16).padStart(40, "0")}`,
    verificationId: "7b2f0000-0000-4000-8000-000000000000",
    submittedAt,
    job: {
      isJobCompleted: true,
      verificationId: "7b2f0000-0000-4000-8000-000000000000",
      contract: { match: "exact_match" },
    },
  };
}

/** The verification view over these jobs, at a time that the test tells. */
function jobsView(jobs: { records: readonly JobRecord[] }, clock: { now: number }, newestJobs?: number) {
  const picture = () => ({
    records: jobs.records,
    deployments: [],
    stateOf: () => undefined,
    isWaitedFor: () => false,
    now: clock.now,
    ...(newestJobs !== undefined && { newestJobs }),
  });
  const below = ({ isJob, record, olderJobs }: VerificationRow) =>
    isJob && record ? jobFacts(record) : olderJobRows(olderJobs ?? [], picture());
  const unfolded = new Set<string>();
  const drawn = new DrawnRows<ViewNode<VerificationRow>, string>(
    {
      childrenOf: (node) => nodesOf(node ? below(node.row) : verificationRows(picture()), node),
      draw: ({ row }) => ({ item: wordsOf(row), changesAt: row.changesAt }),
      renew: renewNode,
    },
    (one, other) => one === other,
  );
  return { drawn, unfolded, tree: new EditorTree(drawn, ({ id }) => unfolded.has(id)) };
}

describe("A view with a thousand finished jobs", () => {
  it("creates no row while nothing happens, from noon to midnight", async () => {
    const clock = { now: NOON };
    const records = Array.from({ length: 1000 }, (_, at) => finishedJob(at, NOON - HOUR - at * 5 * MINUTE));
    const { drawn, tree } = jobsView({ records }, clock);
    await tree.show();
    assert.equal(tree.created, 1000);
    tree.created = 0;
    let looks = 0;
    while (drawn.nextChange < NOON + 12 * HOUR) {
      clock.now = drawn.nextChange;
      await tree.refresh();
      looks++;
    }
    assert.equal(tree.created, 0);
    assert.equal(looks, 0, "and nothing is looked at either");
  });

  it("creates the rows whose words change, at the moment when they do, and no others", async () => {
    const clock = { now: NOON };
    // Ten are younger than an hour; the day of the others turns at midnight.
    const records = Array.from({ length: 40 }, (_, at) => finishedJob(at, NOON - at * 6.5 * MINUTE));
    const { drawn, tree } = jobsView({ records }, clock);
    await tree.show();
    let lines = await tree.lines((line) => line);
    let created = 0;
    while (drawn.nextChange <= NOON + 13 * HOUR) {
      // A moment before, the words are still the same.
      clock.now = Math.max(clock.now, drawn.nextChange - 1);
      tree.created = 0;
      await tree.refresh();
      assert.equal(tree.created, 0, `words changed before ${new Date(clock.now).toISOString()}`);
      clock.now++;
      await tree.refresh();
      const now = await tree.lines((line) => line);
      const changed = now.filter((line, at) => line !== lines[at]).length;
      assert.equal(tree.created, changed);
      assert.deepEqual(
        now,
        verificationRows({
          records,
          deployments: [],
          stateOf: () => undefined,
          isWaitedFor: () => false,
          now: clock.now,
        }).map(wordsOf),
      );
      created += changed;
      lines = now;
    }
    assert.ok(created > 200, `${created} rows`);
  });

  it("creates one row for a job that comes to an end, and keeps its object", async () => {
    const clock = { now: NOON };
    const jobs = { records: Array.from({ length: 1000 }, (_, at) => finishedJob(at, NOON - HOUR)) };
    const { drawn, tree } = jobsView(jobs, clock);
    await tree.show();
    tree.created = 0;
    const before = drawn.known("/job 500");
    const { job, ...running } = jobs.records[500] ?? assert.fail("no job");
    assert.ok(job);
    jobs.records = jobs.records.with(500, running);
    await tree.refresh();
    assert.equal(tree.created, 1);
    assert.equal(drawn.known("/job 500"), before);
    assert.equal(before?.row.record, running, "it has what the job is now");
  });

  it("creates a short list for a job that comes, since the older ones are put together", async () => {
    const clock = { now: NOON };
    const jobs = { records: Array.from({ length: 1000 }, (_, at) => finishedJob(at, NOON - HOUR)) };
    const { drawn, unfolded, tree } = jobsView(jobs, clock, 20);
    await tree.show();
    assert.equal((await tree.lines((line) => line)).at(-1), "Older jobs · 980");
    tree.created = 0;
    jobs.records = [finishedJob(1000, NOON), ...jobs.records];
    await tree.refresh();
    assert.equal(tree.created, 21);

    unfolded.add("/older");
    await tree.unfold(drawn.known("/older") ?? assert.fail("no older jobs"));
    const groups = (await tree.lines((line) => line)).slice(21);
    assert.deepEqual(groups, ["  Older jobs · 81", ...Array<string>(9).fill("  Older jobs · 100")]);
    tree.created = 0;
    jobs.records = jobs.records.slice(0, 1001);
    clock.now += MINUTE;
    await tree.refresh();
    assert.equal(tree.created, 1, "one is younger than an hour");
  });
});

describe("What is drawn of a tree", () => {
  it("leaves alone what is below a folded row until it is unfolded", async () => {
    let words = "before";
    const rows = () => [{ id: "a", label: shown`A`, children: [{ id: "b", label: foreign(words) }] }];
    const { drawn, tree } = viewOf(rows, () => true);
    await tree.show();
    const a = drawn.known("/a") ?? assert.fail("no row");
    tree.created = 0;
    drawn.fold(a, true);
    words = "after";
    await tree.refresh();
    assert.equal(tree.created, 0);
    await tree.unfold(a);
    assert.equal(tree.created, 1);
    assert.deepEqual(await tree.lines((line) => line), ["A · ", "  after · "]);
  });

  it("does not take a row for drawn because it was revealed by another object", async () => {
    let words = "before";
    const rows = () => [{ id: "a", label: foreign(words) }];
    const { drawn, tree } = viewOf(rows, () => true);
    await tree.show();
    words = "after";
    const [other] = nodesOf(rows(), undefined);
    tree.reveal(other ?? assert.fail("no row"));
    assert.notEqual(other, drawn.known("/a"));
    await tree.refresh();
    assert.deepEqual(await tree.lines((line) => line), ["after · "]);
  });

  it("is always what the rows say, whatever changes, with no row created that did not have to be", async () => {
    const source = random("drawn rows");
    for (let round = 0; round < 40; round++) {
      let rows = someRows(source, 3);
      const isUnfolded = (id: string) => id.length % 5 !== 0;
      const { drawn, tree } = viewOf(
        () => rows,
        ({ id }) => isUnfolded(id),
      );
      await tree.show();
      for (let change = 0; change < 25; change++) {
        tree.created = 0;
        await tree.refresh();
        assert.equal(tree.created, 0, "nothing changed");
        rows = changed(rows, source);
        await tree.refresh();
        assert.deepEqual(await tree.lines((line) => line), allLines(rows, isUnfolded));
        assert.equal(drawn.isAwaiting, false, "the editor took all that it was told of");
      }
    }
  });

  it("knows of a refresh that the editor lost, and is right again once the editor is told of everything", async () => {
    const source = random("lost refreshes");
    let lost = 0;
    for (let round = 0; round < 200; round++) {
      let rows = someRows(source, 2);
      const { drawn, tree } = viewOf(
        () => rows,
        () => true,
      );
      await tree.show();
      rows = changed(rows, source);
      const told = await drawn.changes();
      assert.equal(drawn.isAwaiting, told.length > 0);
      if (told.length === 0) continue;
      lost++;
      // More changes come to nothing where the editor has to ask for the roots.
      rows = changed(rows, source);
      await drawn.changes();
      assert.ok(drawn.isAwaiting);
      drawn.begun();
      await tree.show();
      assert.deepEqual(
        await tree.lines((line) => line),
        allLines(rows, () => true),
      );
      assert.equal(drawn.isAwaiting, false);
    }
    assert.ok(lost > 100, `${lost} lost`);
  });

  it("knows of a list that the editor asked for twice at the same time, and is told of again", async () => {
    let words = "before";
    const answers: (() => void)[] = [];
    let isSlow = false;
    const rows = () => [{ id: "a", label: shown`A`, children: [{ id: "b", label: foreign(words) }] }];
    const { drawn, tree } = viewOf(
      rows,
      () => true,
      () => (isSlow ? new Promise((resolve) => answers.push(resolve)) : Promise.resolve()),
    );
    await tree.show();
    const a = drawn.known("/a") ?? assert.fail("no row");
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      words = `after ${order.join()}`;
      a.row = rows()[0] ?? a.row;
      isSlow = true;
      // One question of the view, and one for a row that is revealed meanwhile.
      const asked = [drawn.children(a), drawn.children(a)];
      for (const one of order) {
        answers[one]?.();
        await asked[one];
      }
      isSlow = false;
      answers.length = 0;
      assert.ok(drawn.isLost(a));
      assert.deepEqual(await drawn.changes(a), [a]);
      assert.ok(!drawn.isLost(a), "it is told of once");
      await tree.draw([a]);
      assert.deepEqual(await tree.lines((line) => line), ["A · ", `  after ${order.join()} · `]);
      assert.equal(drawn.isAwaiting, false);
      assert.ok(!drawn.isLost(a), "one question after the other loses nothing");
    }
  });

  it("keeps nothing of a list whose row goes while it is made", async () => {
    let rows: ViewRow[] = [{ id: "a", label: shown`A`, children: [{ id: "b", label: shown`B` }] }];
    const held = Promise.withResolvers<undefined>();
    let isHeld = false;
    const { drawn, tree } = viewOf(
      () => rows,
      () => false,
      async () => {
        if (isHeld) await held.promise;
      },
    );
    await tree.show();
    const a = drawn.known("/a") ?? assert.fail("no row");
    isHeld = true;
    const asked = drawn.children(a);
    isHeld = false;
    rows = [];
    await drawn.children(undefined);
    held.resolve(undefined);
    await asked;
    assert.equal(drawn.known("/a/b"), undefined);
    assert.equal(drawn.isAwaiting, false);
  });

  it("does not tell of a row whose list is asked for anyway, where the editor would lose it", async () => {
    let words = "before";
    const rows = () => [{ id: "a", label: foreign(words), children: [{ id: "b", label: foreign(words) }] }];
    const { drawn, tree } = viewOf(rows, () => true);
    await tree.show();
    const [a, b] = ["/a", "/a/b"].map((id) => drawn.known(id) ?? assert.fail(id));
    assert.ok(a && b);
    words = "after";
    assert.deepEqual(await drawn.changes(), [a]);
    assert.deepEqual(drawn.redrawn([b]), []);
    await tree.draw([a]);
    assert.deepEqual(await tree.lines((line) => line), ["after · ", "  after · "]);
    words = "later";
    // Only what a row says now counts, which comes with its list.
    b.row = rows()[0]?.children[0] ?? b.row;
    assert.deepEqual(drawn.redrawn([b]), [b], "once the list was asked for, it is told of");
  });

  it("tells of a row that looks as before where that is wanted, but of none with an unfolded list", async () => {
    const rows: ViewRow[] = [
      { id: "a", label: shown`A`, children: [{ id: "b", label: shown`B` }] },
      { id: "c", label: shown`C` },
    ];
    const { drawn, tree } = viewOf(
      () => rows,
      () => true,
    );
    await tree.show();
    const [a, b, c] = ["/a", "/a/b", "/c"].map((id) => drawn.known(id) ?? assert.fail(id));
    assert.ok(a && b && c);
    assert.deepEqual([drawn.told(a), drawn.told(b), drawn.told(c)], [false, true, true]);
    assert.ok(drawn.isAwaiting);
    tree.created = 0;
    await tree.draw([b, c]);
    assert.equal(tree.created, 2);
    assert.equal(drawn.isAwaiting, false);
    drawn.fold(a, true);
    assert.equal(drawn.told(a), true);
    assert.equal(drawn.told(b), false, "its list is asked for anyway");
  });

  it("knows that the editor has not asked for the list below an unfolded row that it drew", async () => {
    let words = "before";
    const rows = () => [{ id: "a", label: foreign(words), children: [{ id: "b", label: shown`B` }] }];
    const { drawn, tree } = viewOf(rows, () => true);
    await tree.show();
    const a = drawn.known("/a") ?? assert.fail("no row");
    words = "after";
    assert.deepEqual(await drawn.changes(), [a]);
    drawn.item(a);
    assert.ok(drawn.isAwaiting, "the list below it is not asked for");
    drawn.fold(a, true);
    assert.equal(drawn.isAwaiting, false, "of a folded row none is");
    await tree.unfold(a);
    assert.equal(drawn.isAwaiting, false);
  });

  it("knows of rows that the editor asked for and threw away before it drew them", async () => {
    const { drawn, tree } = viewOf(
      () => [{ id: "a", label: shown`A` }],
      () => true,
    );
    await drawn.children(undefined);
    assert.ok(drawn.isAwaiting);
    await tree.show();
    assert.equal(drawn.isAwaiting, false);
  });
});

function someRows({ below }: Random, depth: number): ViewRow[] {
  return Array.from({ length: below(5) }, (_, at) => ({
    id: String(at),
    label: shown`${below(100)}`,
    ...(depth > 0 && { children: someRows({ below } as Random, depth - 1) }),
  }));
}

/** The same rows with one change somewhere: a word, a row more or less, another order. */
function changed(rows: readonly ViewRow[], source: Random): ViewRow[] {
  const at = source.below(rows.length);
  const row = rows[at];
  if (row?.children && source.below(2) === 0)
    return rows.with(at, { ...row, children: changed(row.children, source) });
  switch (source.below(4)) {
    case 0:
      return row ? rows.with(at, { ...row, label: shown`${source.below(100)}` }) : [...rows];
    case 1:
      return [...rows, { id: `new ${source.below(1e9)}`, label: shown`new`, children: someRows(source, 1) }];
    case 2:
      return rows.toSpliced(at, 1);
    default:
      return rows.toReversed();
  }
}
