import { deploymentKey } from "../evm/deploymentKey.ts";
import { foldersUpwards, parentFolder } from "../files/fileReader.ts";
import type { RecordedDeployment } from "../tools/deployment.ts";
import { recorderNamed } from "../tools/tool.ts";

/** A file or folder of records that was written while it was watched. */
export interface RecordChange {
  /** Absolute. */
  readonly path: string;
  /** It was not there before. */
  readonly isNew: boolean;
}

/** What changes of records came to. */
interface RecordedNews<Found> {
  /** Deployed by runs that have ended; each is told of once. */
  readonly deployed: readonly Found[];
  /** Whether there is more whose run has not come to its end. */
  readonly isAwaited: boolean;
}

/**
 * Tells what was deployed since a time from what records said before. A record that tells when says it itself. One that
 * gathers deployments of many times without telling when has to have been looked at, or to be new: of any other nothing is
 * told, since all of it may be old.
 */
export class NewDeployments {
  readonly #since: number;
  readonly #known = new Set<string>();
  /** Records that gather, and whose deployments of before are known. */
  readonly #seen = new Set<string>();

  /** @param since in milliseconds since 1970 */
  constructor(since: number) {
    this.#since = since;
  }

  /** Takes note of what was there before, but for what has just come. */
  note(recorded: readonly RecordedDeployment[], changes: readonly RecordChange[]): void {
    const came = new ChangedPaths(changes.filter(({ isNew }) => isNew));
    for (const one of recorded) {
      if (!gathers(one) || came.touch(one.record)) continue;
      this.#seen.add(one.record);
      this.#known.add(deploymentKey(one));
    }
  }

  /**
   * What is new in records that have changed.
   *
   * @param recorded all that there is
   * @param isPatient whether a run that has not ended is waited for; what its own transaction is awaited of never counts
   */
  among<Found extends RecordedDeployment>(
    recorded: readonly Found[],
    changes: readonly RecordChange[],
    isPatient: boolean,
  ): RecordedNews<Found> {
    // What else is recorded may have come since: nothing is concluded of it before its change is told.
    const changed = new ChangedPaths(changes);
    const came = new ChangedPaths(changes.filter(({ isNew }) => isNew));
    const touched = recorded.filter(({ record }) => changed.touch(record));
    const news = touched.filter((one) => this.#isNew(one, came));
    const isAwaited = ({ awaits }: Found) => awaits === "itself" || (awaits === "others" && isPatient);
    const awaited = new Set(news.filter(isAwaited));
    const deployed = news.filter((one) => !awaited.has(one));
    for (const one of deployed) this.#known.add(deploymentKey(one));
    const open = new Set([...awaited].map(({ record }) => record));
    for (const one of touched) {
      // Of one that is waited for the rest is looked at again.
      if (!gathers(one) || open.has(one.record)) continue;
      this.#seen.add(one.record);
      this.#known.add(deploymentKey(one));
    }
    return { deployed, isAwaited: awaited.size > 0 };
  }

  #isNew(one: RecordedDeployment, came: ChangedPaths): boolean {
    if (this.#known.has(deploymentKey(one))) return false;
    if (one.when !== undefined && one.when < this.#since) return false;
    return !gathers(one) || this.#seen.has(one.record) || came.hold(one.record);
  }
}

/** Paths that have changed, of which a record is asked by the folders above it: there may be thousands of both. */
class ChangedPaths {
  readonly #paths: ReadonlySet<string>;
  readonly #folders: ReadonlySet<string>;
  readonly #held = new Map<string, boolean>();

  constructor(changes: readonly RecordChange[]) {
    this.#paths = new Set(changes.map(({ path }) => path));
    this.#folders = new Set(changes.map(({ path }) => parentFolder(path)));
  }

  /** Whether a change is one of a record, or of a folder that it is in. */
  hold(record: string): boolean {
    let held = this.#held.get(record);
    if (held === undefined)
      this.#held.set(record, (held = foldersUpwards(record).some((one) => this.#paths.has(one))));
    return held;
  }

  /** Whether a change may be one of a record: tools write several files for one. */
  touch(record: string): boolean {
    return this.#folders.has(parentFolder(record)) || this.hold(record);
  }
}

function gathers({ recordedBy }: RecordedDeployment): boolean {
  return recorderNamed(recordedBy)?.recorder.accumulatesIn !== undefined;
}
