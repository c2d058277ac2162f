import { t } from "@vscode/l10n";
import { availableParallelism } from "node:os";
import * as vscode from "vscode";
import type { CompilerDownloads, CompilerPlace } from "../../core/compilers/compilerDownloads.ts";
import { CompilingProgress } from "../../core/compilers/compilingProgress.ts";
import type { DeployedContract } from "../../core/compilers/compilerQuestions.ts";
import type { KeptCompiler } from "../../core/compilers/compilerStore.ts";
import type { LocalInput, LocalVerdict } from "../../core/compilers/localVerifier.ts";
import type { CompilerWish } from "../../core/compilers/localCompilers.ts";
import type { OfficialBuild } from "../../core/compilers/officialBuilds.ts";
import type { VyperProgram } from "../../core/compilers/vyperPrograms.ts";
import { LedgerLensError } from "../../core/errors.ts";
import type { KnownCompilers } from "../../core/languages/compilerLists.ts";
import type { Submittable } from "../../core/matching/resubmission.ts";
import { percentEqual } from "../../core/evm/codeDistance.ts";
import type {
  SettingsSearchOptions,
  SettingsSearchResult,
  TriedSettings,
} from "../../core/settingsSearch/settingsSearch.ts";
import type { JsonClient } from "../../core/http/jsonClient.ts";
import { grouped, megabytes } from "../../core/text/counted.ts";
import { foreign, shown, type ShownText } from "../../core/text/shownText.ts";
import { shortVersion } from "../../core/versions.ts";
import { late } from "../late.ts";
import { settings } from "../settings.ts";
import { UserCancelled } from "../ui/action.ts";
import { mayAsk } from "../ui/asking.ts";
import { storedValue } from "../storedValue.ts";
import { uriOf, workspaceFolders } from "../workspaceFiles.ts";
import { Agreements, type AskingCommand } from "./agreements.ts";

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
export interface VerdictOptions {
  /** Of the command that may ask a person for a download, or to run a Vyper; without one nothing is asked. */
  readonly title?: ShownText | undefined;
  /** When a person started the command, by `performance.now()`; what was refused since is refused for it, too. */
  readonly started?: number | undefined;
  /** Whether the codes of a mismatch are wanted, too. */
  readonly needsCodes?: boolean | undefined;
  readonly onProgress?: ((message: ShownText) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Of all compilers that are kept: some fifty releases. */
const MAX_STORE_BYTES = 512 * 1024 * 1024;

/**
 * Verifies on this machine, within what the user allows: `ledgerLens.localCompiler` says whether compilers run here and
 * may be downloaded, the first download and the first run of an installed Vyper are asked for.
 */
export class LocalVerification implements vscode.Disposable {
  readonly #needs: LocalVerificationNeeds;
  readonly #agreements: Agreements;
  #end: () => void = () => undefined;
  readonly #machinery = late(() => this.#made());

  constructor(needs: LocalVerificationNeeds) {
    this.#needs = needs;
    this.#agreements = new Agreements(storedValue(needs.memory, "ledgerLens.localAgreements"));
  }

  /**
   * What an input, compiled here, comes to at a deployed contract.
   *
   * @throws LedgerLensError `local_compiler_off`, `compiler_not_here`, `vyper_not_allowed`, and those of the compilers
   */
  async verdict(
    input: LocalInput,
    deployed: DeployedContract,
    {
      title,
      started = performance.now(),
      needsCodes,
      onProgress = () => undefined,
      signal,
    }: VerdictOptions = {},
  ): Promise<LocalVerdict> {
    checkCompilingIsOn();
    const asking = title && { title, started };
    const { verifier, downloads } = await this.#machinery();
    const version = shortVersion(input.compilerVersion);
    const progress = new CompilingProgress(version, onProgress);
    try {
      const verdict = await verifier.verify(input, deployed, {
        mayDownload: (build, place) =>
          progress.uncounted(() => this.#mayDownload(build, downloads, place, asking, signal)),
        onDownload: (of) => progress.downloading(of),
        vyper: (release) => progress.uncounted(() => this.#vyper(release, asking, signal)),
        needsCodes,
        signal,
      });
      if (verdict) return verdict;
    } catch (error) {
      if (signal?.aborted) throw new UserCancelled();
      throw error;
    } finally {
      progress.end();
    }
    throw compilerNotHere(version);
  }

  /**
   * Searches for the settings of a deployed contract by compiling, within what the user allows.
   *
   * @throws LedgerLensError `local_compiler_off`, `compiler_not_here`, and those of the compilers
   */
  async searchSettings(
    given: Submittable,
    deployed: DeployedContract,
    {
      title,
      started = performance.now(),
      onProgress = () => undefined,
      signal,
      limitSeconds,
      namingClues,
    }: VerdictOptions & Pick<SettingsSearchOptions, "limitSeconds" | "namingClues">,
  ): Promise<SettingsSearchResult> {
    checkCompilingIsOn();
    const asking = title && { title, started };
    const { searchSettings } = await import("../../core/settingsSearch/settingsSearch.ts");
    const { verifier, downloads, local, threads } = await this.#machinery();
    const wish = (stop: AbortSignal): CompilerWish => ({
      mayDownload: (build, place) => this.#mayDownload(build, downloads, place, asking, stop),
      onDownload: ({ done }) => onProgress(shown`downloading a compiler: ${megabytes(done)}`),
      signal: stop,
    });
    try {
      const result = await searchSettings(given, deployed.runtimeCode, {
        compile: async (version, input, stop) =>
          (await local.ask(version, { kind: "compile", input }, wish(stop)))?.answer,
        prove: (submission, stop) => verifier.verify(submission, deployed, wish(stop)),
        threads,
        limitSeconds,
        namingClues,
        onProgress: ({ tried, best }) => onProgress(searchProgress(tried, best)),
        signal,
      });
      if (result.missing !== undefined) throw compilerNotHere(shortVersion(result.missing));
      return result;
    } catch (error) {
      if (signal?.aborted) throw new UserCancelled();
      throw error;
    }
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
    const [
      { CompilerStore },
      { CompilerDownloads },
      { LocalCompilers },
      { LocalVerifier },
      { KeptVerdicts },
      builds,
      tools,
    ] = await Promise.all([
      import("../../core/compilers/compilerStore.ts"),
      import("../../core/compilers/compilerDownloads.ts"),
      import("../../core/compilers/localCompilers.ts"),
      import("../../core/compilers/localVerifier.ts"),
      import("../../core/compilers/keptVerdicts.ts"),
      import("../../core/compilers/officialBuilds.ts"),
      import("../../core/compilers/otherTools.ts"),
    ]);
    const { http, folder, compilers } = this.#needs;
    const store = new CompilerStore(vscode.Uri.joinPath(folder, "compilers").fsPath, MAX_STORE_BYTES);
    const downloads = new CompilerDownloads(http, store, () => settings.compilerListUrls.solc);
    const threads = Math.max(1, availableParallelism() - 1);
    const local = new LocalCompilers({
      store,
      downloads,
      buildOf: (version) => builds.officialBuild(version, compilers().solcHashes),
      placesOf: (version) => {
        const projects = workspaceFolders().map((path) => uriOf(path).fsPath);
        return tools.placesOfOtherTools(version, projects, tools.machineFolders());
      },
      maxThreads: threads,
    });
    this.#end = () => local.dispose();
    const kept = new KeptVerdicts(vscode.Uri.joinPath(folder, "verdicts").fsPath);
    const verifier = new LocalVerifier(local, kept);
    return { store, downloads, local, threads, verifier, releaseOf: builds.releaseOf };
  }

  /** The first download from a host is asked for, with its size; later ones follow from that. */
  async #mayDownload(
    build: OfficialBuild,
    downloads: CompilerDownloads,
    place: CompilerPlace,
    asking: AskingCommand | undefined,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (allowed() !== "download") return false;
    const { host } = place;
    const subject = `download from ${host}`;
    if (!this.#agreements.cover(subject)) {
      if (!asking || !mayAsk()) return false;
      const question = async (ends: AbortSignal) => {
        const bytes = await downloads.sizeOf(build, ends, place);
        const version = foreign(shortVersion(build.longVersion));
        return {
          placeholder: shown`solc ${version} is not on this machine. Download it to compile here?`,
          yes: {
            icon: "cloud-download",
            label: shown`Download solc ${version}`,
            description: bytes === undefined ? shown`size unknown` : foreign(megabytes(bytes)),
            detail: shown`From ${host}; later ones unasked. Official files only; nothing is sent`,
          },
          no: shown`Do Not Download`,
        };
      };
      await this.#agreements.ask(asking, [subject], question, signal);
    }
    return allowed() === "download";
  }

  /** The installed Vyper of a release, where the workspace is trusted and a person agreed that it runs. */
  async #vyper(
    release: string,
    asking: AskingCommand | undefined,
    signal: AbortSignal | undefined,
  ): Promise<VyperProgram> {
    const version = shortVersion(release);
    if (!vscode.workspace.isTrusted) {
      throw new LedgerLensError(
        "vyper_not_allowed",
        t`Vyper runs only in a workspace that is trusted. Trust the workspace to compile here.`,
      );
    }
    const { installedRelease, vyperFiles } = await import("../../core/compilers/vyperPrograms.ts");
    const files = await vyperFiles({
      path: settings.vyperPath,
      searchPath: process.env["PATH"],
      workspace: workspaceFolders().map((folder) => uriOf(folder).fsPath),
    });
    const found = await installedRelease(await this.#agreedToRun(files, asking, signal), release, signal);
    if ("file" in found) return found;
    const others = found.length === 0 ? "" : t` (${foreign(found.map(shortVersion).join(", "))} is)`;
    throw new LedgerLensError(
      "compiler_not_here",
      t`Vyper ${foreign(version)} is not installed on this machine${others}. Install it with "pip install vyper==${foreign(version)}", or set ledgerLens.vyperPath.`,
      { remedy: { setting: "ledgerLens.vyperPath" } },
    );
  }

  /** Those that can be read: agreed to is a file at its place, and what lies there later is another program. */
  async #agreedToRun(
    files: readonly string[],
    asking: AskingCommand | undefined,
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]> {
    const { programHash } = await import("../../core/compilers/vyperPrograms.ts");
    for (;;) {
      const hashed = await Promise.all(
        files.map(async (file) => ({ file, hash: await programHash(file, signal) })),
      );
      const programs = hashed.flatMap(({ file, hash }) =>
        hash === undefined ? [] : [{ file, subject: `run ${file} ${hash}` }],
      );
      const open = programs.filter(({ subject }) => !this.#agreements.cover(subject));
      if (open.length === 0) return programs.map(({ file }) => file);
      if (!asking || !mayAsk()) {
        throw new LedgerLensError(
          "vyper_not_allowed",
          t`Vyper is not run before a person agreed to it once. Run Verify Locally from the command palette.`,
        );
      }
      const question = {
        placeholder: shown`Run the installed Vyper to compile here?`,
        yes: {
          icon: "play",
          label: shown`Run Vyper`,
          detail: foreign(open.map(({ file }) => file).join(", ")),
        },
        no: shown`Do Not Run`,
      };
      const subjects = open.map(({ subject }) => subject);
      await this.#agreements.ask(asking, subjects, () => Promise.resolve(question), signal);
    }
  }
}

/** What the user allows at this moment: it may be another thing after a person was asked. */
function allowed(): typeof settings.localCompiler {
  return settings.localCompiler;
}

function checkCompilingIsOn(): void {
  if (allowed() !== "off") return;
  throw new LedgerLensError(
    "local_compiler_off",
    t`Compiling on this machine is switched off. Set ledgerLens.localCompiler to compile here.`,
  );
}

function compilerNotHere(version: string): LedgerLensError {
  checkCompilingIsOn();
  const name = foreign(version);
  const isSetSo = allowed() === "cached";
  return new LedgerLensError(
    "compiler_not_here",
    isSetSo
      ? t`solc ${name} is not on this machine, and ledgerLens.localCompiler lets none be downloaded. Set it to "download", or compile with your own tool.`
      : t`solc ${name} is not on this machine. Run Verify Locally once to download it.`,
    isSetSo ? { remedy: { setting: "ledgerLens.localCompiler" } } : {},
  );
}

/** "12 tried, best 98.4 % equal: runs 1,000". */
function searchProgress(tried: number, best: TriedSettings | undefined): ShownText {
  if (!best) return shown`${grouped(tried)} tried`;
  return shown`${grouped(tried)} tried, best ${percentEqual(best.distance)} equal: ${best.what}`;
}
