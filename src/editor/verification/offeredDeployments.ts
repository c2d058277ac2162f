import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { withFolderLock } from "../../core/files/folderLock.ts";
import { createOwnFile } from "../../core/files/ownFile.ts";
import { newSession } from "../../core/files/processSession.ts";
import type { RecordedDeployment } from "../../core/tools/deployment.ts";

/** A window is seldom open for longer, and nothing that was recorded before it is offered. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** Says of a deployment once, to one of all windows, that it is to be offered: an empty file for each that was. */
export class OfferedDeployments {
  readonly #folder: string;
  readonly #session = newSession();

  /** @param folder of all windows, of ours alone */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Those of them that no window has taken; they are taken now. Of what one run deployed all goes to one window.
   *
   * @throws errors of the file system
   */
  async take<Found extends RecordedDeployment>(deployments: readonly Found[]): Promise<Found[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return withFolderLock(this.#folder, this.#session, async () => {
      await this.#forgetOld();
      const taken: Found[] = [];
      for (const one of deployments)
        if (await createOwnFile(join(this.#folder, nameOf(one)), "")) taken.push(one);
      return taken;
    });
  }

  async #forgetOld(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!/^[0-9a-f]{64}$/.test(name)) continue;
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > KEPT_MS) await rm(path, { force: true });
    }
  }
}

function nameOf(deployment: RecordedDeployment): string {
  return createHash("sha256").update(deploymentKey(deployment)).digest("hex");
}
