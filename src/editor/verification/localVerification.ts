import { availableParallelism } from "node:os";
import * as vscode from "vscode";
import type { DownloadProgress } from "../../core/compilers/compilerDownloads.ts";
import type { DeployedContract } from "../../core/compilers/compilerQuestions.ts";
import type { KeptCompiler } from "../../core/compilers/compilerStore.ts";
import type { LocalInput, LocalVerdict } from "../../core/compilers/localVerifier.ts";
import type { OfficialBuild } from "../../core/compilers/officialBuilds.ts";
import { isVyperRelease, type VyperProgram } from "../../core/compilers/vyperPrograms.ts";
import { LedgerLensError } from "../../core/errors.ts";
import type { KnownCompilers } from "../../core/languages/compilerLists.ts";
import type { JsonClient } from "../../core/http/jsonClient.ts";
import { megabytes } from "../../core/text/counted.ts";
import { foreign, shown, type ShownText } from "../../core/text/shownText.ts";
import { shortVersion } from "../../core/versions.ts";
import { late } from "../late.ts";
import { settings } from "../settings.ts";
import { UserCancelled } from "../ui/action.ts";
import { mayAsk } from "../ui/asking.ts";
import { pick } from "../ui/multiStep.ts";
import { uriOf, workspaceFolders } from "../workspaceFiles.ts";

/** What compiling here is made with. */
interface LocalVerificationNeeds {
  /** The compilers that are known. */
  readonly compilers: () => KnownCompilers;
  readonly http: JsonClient;
  /** Where compilers are kept, for all windows. */
  readonly folder: vscode.Uri;
  /** State of all windows. */
  readonly memory: vscode.Memento;
}

/** How a verdict is asked for. */
interface VerdictOptions {
  /** Of the command that may ask a person for a download; without one nothing is asked. */
  readonly title?: ShownText | undefined;
  readonly onProgress?: ((message: ShownText) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** That a person let compilers be downloaded, and an installed Vyper be run. */
const DOWNLOADS_AGREED = "ledgerLens.compilerDownloadsAgreed";
const VYPER_AGREED = "ledgerLens.vyperAgreed";

/** Of all compilers that are kept: some fifty releases. */
const MAX_STORE_BYTES = 512 * 1024 * 1024;

/**
 * Verifies on this machine, within what the user allows: `ledgerLens.localCompiler` says whether compilers run here and
 * may be downloaded, the first download and the first run of an installed Vyper are asked for.
 */
export class LocalVerification implements vscode.Disposable {
  readonly #needs: LocalVerificationNeeds;
  #end: () => void = () => undefined;
  readonly #machinery = late(() => this.#made());

  constructor(needs: LocalVerificationNeeds) {
    this.#needs = needs;
  }

  /**
   * What an input, compiled here, comes to at a deployed contract.
   *
   * @throws LedgerLensError `local_compiler_off`, `compiler_not_here`, `vyper_not_allowed`, and those of the compilers
   */
  async verdict(
    input: LocalInput,
    deployed: DeployedContract,
    { title, onProgress = () => undefined, signal }: VerdictOptions = {},
  ): Promise<LocalVerdict> {
    if (settings.localCompiler === "off") {
      throw new LedgerLensError(
        "local_compiler_off",
        "Compiling on this machine is switched off. Set ledgerLens.localCompiler to compile here.",
      );
    }
    const { verifier, downloads } = await this.#machinery();
    const version = shortVersion(input.compilerVersion);
    const progress = new CompilingProgress(version, onProgress);
    try {
      const verdict = await verifier.verify(input, deployed, {
        mayDownload: (build) => this.#mayDownload(build, downloads, title),
        onDownload: (of) => progress.downloading(of),
        vyper: (release) => this.#vyper(release, title, signal),
        signal,
      });
      if (verdict) return verdict;
    } catch (error) {
      if (signal?.aborted) throw new UserCancelled();
      throw error;
    } finally {
      progress.end();
    }
    throw new LedgerLensError(
      "compiler_not_here",
      settings.localCompiler === "cached"
        ? `solc ${version} is not on this machine, and ledgerLens.localCompiler lets none be downloaded. Set it to "download", or compile with your own tool.`
        : `solc ${version} is not on this machine. Run Verify Locally once to download it.`,
    );
  }

  /** The compilers that are kept, the one that was used last first. */
  async kept(): Promise<readonly (KeptCompiler & { readonly version: string | undefined })[]> {
    const { store, releaseOf } = await this.#machinery();
    const { solcHashes } = this.#needs.compilers();
    return (await store.list()).map((kept) => ({ ...kept, version: releaseOf(kept.sha256, solcHashes) }));
  }

  /** Removes the compilers that are kept; the number of bytes that became free. */
  async removeKept(): Promise<number> {
    return (await this.#machinery()).store.empty();
  }

  dispose(): void {
    this.#end();
  }

  async #made() {
    const [{ CompilerStore }, { CompilerDownloads }, { LocalCompilers }, { LocalVerifier }, builds, tools] =
      await Promise.all([
        import("../../core/compilers/compilerStore.ts"),
        import("../../core/compilers/compilerDownloads.ts"),
        import("../../core/compilers/localCompilers.ts"),
        import("../../core/compilers/localVerifier.ts"),
        import("../../core/compilers/officialBuilds.ts"),
        import("../../core/compilers/otherTools.ts"),
      ]);
    const { http, folder, compilers } = this.#needs;
    const store = new CompilerStore(vscode.Uri.joinPath(folder, "compilers").fsPath, MAX_STORE_BYTES);
    const downloads = new CompilerDownloads(http, store, () => settings.compilerListUrls.solc);
    const local = new LocalCompilers({
      store,
      downloads,
      buildOf: (version) => builds.officialBuild(version, compilers().solcHashes),
      placesOf: (version) => {
        const projects = workspaceFolders().map((path) => uriOf(path).fsPath);
        return tools.placesOfOtherTools(version, projects, tools.machineFolders());
      },
      maxThreads: Math.max(1, availableParallelism() - 1),
    });
    this.#end = () => local.dispose();
    return { store, downloads, verifier: new LocalVerifier(local), releaseOf: builds.releaseOf };
  }

  /** The first download is asked for, with its size; later ones follow from that. */
  async #mayDownload(
    build: OfficialBuild,
    downloads: { readonly host: string; sizeOf(build: OfficialBuild): Promise<number | undefined> },
    title: ShownText | undefined,
  ): Promise<boolean> {
    if (settings.localCompiler !== "download") return false;
    const { memory } = this.#needs;
    if (memory.get(DOWNLOADS_AGREED) === true) return true;
    if (title === undefined || !mayAsk()) return false;
    const bytes = await downloads.sizeOf(build);
    const version = foreign(shortVersion(build.longVersion));
    const size = bytes === undefined ? shown`size unknown` : foreign(megabytes(bytes));
    const isAgreed = await pick(
      { title, step: 1, totalSteps: 1, canGoBack: false },
      {
        placeholder: shown`solc ${version} is not on this machine. Download it to compile here?`,
        choices: [
          {
            icon: "cloud-download",
            label: shown`Download solc ${version}`,
            description: size,
            detail: shown`From ${downloads.host}; later ones without asking. Only official files run; nothing of yours is sent`,
            value: true,
          },
          { icon: "close", label: shown`Do Not Download`, value: false },
        ],
      },
    );
    if (!isAgreed) throw new UserCancelled();
    await memory.update(DOWNLOADS_AGREED, true);
    return true;
  }

  /** The installed Vyper of a release, where the workspace is trusted and a person agreed that it runs. */
  async #vyper(
    release: string,
    title: ShownText | undefined,
    signal: AbortSignal | undefined,
  ): Promise<VyperProgram> {
    const version = shortVersion(release);
    if (!vscode.workspace.isTrusted) {
      throw new LedgerLensError(
        "vyper_not_allowed",
        "Vyper runs only in a workspace that is trusted. Trust the workspace to compile here.",
      );
    }
    const { vyperFiles, vyperVersion } = await import("../../core/compilers/vyperPrograms.ts");
    const path = settings.vyperPath;
    const files = await vyperFiles({
      path,
      searchPath: process.env["PATH"],
      workspace: workspaceFolders().map((folder) => uriOf(folder).fsPath),
    });
    const [first] = files;
    if (first !== undefined) await this.#agreeToVyper(first, title);
    const said: string[] = [];
    for (const file of files) {
      const found = await vyperVersion(file, signal);
      if (found === undefined) continue;
      if (isVyperRelease(found, release)) return { file, version: found };
      said.push(shortVersion(found));
    }
    const others = said.length === 0 ? "" : ` (${foreign(said.join(", "))} is)`;
    throw new LedgerLensError(
      "compiler_not_here",
      `Vyper ${foreign(version)} is not installed on this machine${others}. Install it with "pip install vyper==${foreign(version)}", or set ledgerLens.vyperPath.`,
    );
  }

  async #agreeToVyper(file: string, title: ShownText | undefined): Promise<void> {
    const { memory } = this.#needs;
    if (memory.get(VYPER_AGREED) === true) return;
    if (title === undefined || !mayAsk()) {
      throw new LedgerLensError(
        "vyper_not_allowed",
        "Vyper is not run before a person agreed to it once. Run Verify Locally from the command palette.",
      );
    }
    const isAgreed = await pick(
      { title, step: 1, totalSteps: 1, canGoBack: false },
      {
        placeholder: shown`Run the installed Vyper to compile here?`,
        choices: [
          {
            icon: "play",
            label: shown`Run Vyper`,
            detail: shown`${file}, and what ledgerLens.vyperPath names`,
            value: true,
          },
          { icon: "close", label: shown`Do Not Run`, value: false },
        ],
      },
    );
    if (!isAgreed) throw new UserCancelled();
    await memory.update(VYPER_AGREED, true);
  }
}

/** Says what a compilation is at, and for how long already. */
class CompilingProgress {
  readonly #version: string;
  readonly #tell: (message: ShownText) => void;
  readonly #timer: NodeJS.Timeout;
  #started = Date.now();
  #said: ShownText | undefined;

  constructor(version: string, tell: (message: ShownText) => void) {
    this.#version = version;
    this.#tell = tell;
    this.#say(shown`Compiling with ${version}…`);
    this.#timer = setInterval(() => {
      const seconds = Math.round((Date.now() - this.#started) / 1000);
      if (seconds > 0) this.#say(shown`Compiling with ${version}… ${seconds} s`);
    }, 1_000);
    this.#timer.unref();
  }

  downloading({ done, of }: DownloadProgress): void {
    // What is compiled begins behind it.
    this.#started = Date.now();
    this.#say(
      of === undefined
        ? shown`Downloading solc ${this.#version}: ${megabytes(done)}`
        : shown`Downloading solc ${this.#version}: ${megabytes(done)} of ${megabytes(of)}`,
    );
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #say(message: ShownText): void {
    if (message === this.#said) return;
    this.#said = message;
    this.#tell(message);
  }
}
