import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { LedgerLensError } from "../../core/errors.ts";
import type { MeasuredService } from "../../core/status/serviceHealth.ts";
import { runAction } from "./action.ts";
import type { Log } from "./log.ts";

/** An argument object, as keybindings, tasks, other extensions and agents give it. */
export type CommandArguments = Readonly<Record<string, unknown>>;

/** What a command is declared to be; its title stands in the manifest. */
interface CommandTraits {
  /** The service that it fails with: an error of it is told with what the status page knows of the reason. */
  readonly failsWith?: MeasuredService;
  /** For a command that the manifest does not list: the one whose title it has. */
  readonly titleOf?: string;
}

/** A command of a subject, which is what its commands work with. */
export interface Command<Subject> extends CommandTraits {
  /** What a call with this argument does, and whether it may ask and show. */
  readonly call: (argument: unknown) => {
    readonly interactive: boolean;
    readonly isForProgram?: boolean;
    readonly run: (subject: Subject) => unknown;
  };
}

/** The commands of a subject by their ids. */
export type Commands<Subject> = Readonly<Record<string, Command<Subject>>>;

/**
 * A command that a person calls without, and others with, an argument object, which is part of the product's contract.
 *
 * @param work is also given the file in whose menu the command was chosen
 */
export function withArguments<Subject>(
  work: (subject: Subject, args: CommandArguments, file?: vscode.Uri) => unknown,
  traits: CommandTraits = {},
): Command<Subject> {
  return {
    ...traits,
    call: (argument) => {
      // A menu hands over a file or a row, which are not meant as arguments.
      const isFromMenu =
        argument instanceof vscode.Uri ||
        (isRecord(argument) && "row" in argument && isRecord(argument["row"]));
      const args = isRecord(argument) && !isFromMenu ? argument : undefined;
      const file = argument instanceof vscode.Uri ? argument : undefined;
      return { interactive: args === undefined, run: (subject) => work(subject, args ?? {}, file) };
    },
  };
}

/** A command that a program calls and a person answers: what it may not do by itself. */
export function forProgram<Subject>(
  work: (subject: Subject, args: CommandArguments) => unknown,
  traits: CommandTraits = {},
): Command<Subject> {
  return {
    ...traits,
    call: (argument) => ({
      interactive: true,
      isForProgram: true,
      run: (subject) => work(subject, isRecord(argument) ? argument : {}),
    }),
  };
}

/** A command of a view as a whole, or of what a button or a link of ours hands over: only a person calls it. */
export function onRow<Subject>(
  work: (subject: Subject, row: never) => unknown,
  traits: CommandTraits = {},
): Command<Subject> {
  return {
    ...traits,
    call: (row) => ({ interactive: true, run: (subject) => work(subject, row as never) }),
  };
}

/**
 * A command in the menu of a row, which the editor calls without one where the row has gone since the menu was opened.
 */
export function ofRow<Subject>(
  work: (subject: Subject, row: never) => unknown,
  traits: CommandTraits = {},
): Command<Subject> {
  return onRow((subject: Subject, row: object | null | undefined) => {
    if (row === undefined || row === null)
      throw new LedgerLensError("not_found", t`This entry is no longer in the list.`);
    return work(subject, row as never);
  }, traits);
}

/** What commands are run with. */
export interface CommandRunner {
  readonly log: Log;
  /** The titles of the manifest, by the ids of its commands. */
  readonly titles: ReadonlyMap<string, string>;
  /** Told of every command that came to its end. */
  readonly walkthrough: Pick<Walkthrough, "ran">;
  /** Called for every command, with what it is called with. */
  readonly begin: (argument: unknown) => void;
  /** An error of a service with what the status page knows of its reason. */
  readonly explained: (service: MeasuredService, error: LedgerLensError) => Promise<LedgerLensError>;
}

/** The settings of the addresses at which services are asked. */
const ADDRESSES: Readonly<Record<MeasuredService, string>> = {
  verification: "ledgerLens.verificationUrl",
  ledger: "ledgerLens.ledgerUrl",
};

/** Registers the commands of a subject, which is there when the first of them runs. */
export function registerCommands<Subject>(
  commands: Commands<Subject>,
  subject: () => Promise<Subject>,
  { log, titles, walkthrough, begin, explained }: CommandRunner,
): vscode.Disposable {
  const registered = Object.entries(commands).map(([id, { call, failsWith, titleOf = id }]) =>
    // The editor hands on as it is what an extension calls its own command with; menus have a second argument, too.
    vscode.commands.registerCommand(id, (argument: unknown, stop?: unknown) => {
      const { interactive, isForProgram, run } = call(argument);
      begin(argument);
      // Outside of the call: what is built now serves the next one, too, which may ask where this one may not.
      const loading = subject();
      const caller = {
        interactive,
        isForProgram,
        again: () => vscode.commands.executeCommand(id, argument),
        stop: stop instanceof AbortSignal ? stop : undefined,
        addressSetting: failsWith && ADDRESSES[failsWith],
      };
      return runAction(log, titles.get(titleOf) ?? titleOf, caller, async () => {
        try {
          const result: unknown = await run(await loading);
          // A step is done by what came to its end, and not by what was begun and left.
          walkthrough.ran(id);
          return result;
        } catch (error) {
          if (!(error instanceof LedgerLensError) || failsWith === undefined) throw error;
          throw await explained(failsWith, error);
        }
      });
    }),
  );
  return vscode.Disposable.from(...registered);
}

/** The titles of the commands that a manifest lists, without the dots of those that ask. */
export function commandTitles(manifest: unknown): ReadonlyMap<string, string> {
  const { contributes } = manifest as {
    readonly contributes: {
      // In another language than English the editor hands over both titles (localizeManifest in VS Code's
      // extensionNls.ts).
      readonly commands: readonly {
        readonly command: string;
        readonly title: string | { readonly value: string };
      }[];
    };
  };
  return new Map(
    contributes.commands.map(({ command, title }) => [
      command,
      (typeof title === "string" ? title : title.value).replace(/…$/, ""),
    ]),
  );
}

/** The steps of the walkthrough that a command ends, by the ids of the commands: a step says so by `onContext:<id>.done`. */
export function walkthroughSteps(manifest: unknown): ReadonlyMap<string, readonly string[]> {
  const { contributes } = manifest as {
    readonly contributes: {
      readonly walkthroughs: readonly {
        readonly steps: readonly { readonly id: string; readonly completionEvents: readonly string[] }[];
      }[];
    };
  };
  const ended = contributes.walkthroughs.flatMap(({ steps }) =>
    steps.flatMap(({ id, completionEvents }) =>
      completionEvents.flatMap((event) => {
        const command = /^onContext:(.+)\.done$/.exec(event)?.[1];
        return command === undefined ? [] : [{ command, step: id }];
      }),
    ),
  );
  return new Map(
    ended.map(({ command }) => [
      command,
      ended.filter((one) => one.command === command).map(({ step }) => step),
    ]),
  );
}

/** Under this name the steps are kept that are done. */
const DONE_STEPS = "walkthroughSteps";

/**
 * The steps of the walkthrough, which are done whether it was looked at before or not. The editor counts what happens only
 * while it knows the walkthrough, and never a key that is true already when it comes to know it: a step therefore also waits
 * for `ledgerLens.walkthrough.<step> && activeEditor == gettingStartedPage`, which becomes true when the walkthrough is opened
 * (`registerDoneListeners` in VS Code's gettingStartedService.ts).
 */
export class Walkthrough {
  readonly #steps: ReadonlyMap<string, readonly string[]>;
  readonly #memory: vscode.Memento;
  readonly #done: Set<string>;

  /**
   * @param steps those that a command ends, by its id
   * @param memory of all windows
   */
  constructor(steps: ReadonlyMap<string, readonly string[]>, memory: vscode.Memento) {
    this.#steps = steps;
    this.#memory = memory;
    const kept = memory.get<unknown>(DONE_STEPS);
    this.#done = new Set(Array.isArray(kept) ? kept.filter((step) => typeof step === "string") : []);
    for (const step of this.#done) tellOfStep(step);
  }

  /** A command came to its end. */
  ran(command: string): void {
    const steps = this.#steps.get(command);
    if (!steps) return;
    void vscode.commands.executeCommand("setContext", `${command}.done`, true);
    for (const step of steps) this.end(step);
  }

  /** A step is done. */
  end(step: string): void {
    if (this.#done.has(step)) return;
    this.#done.add(step);
    tellOfStep(step);
    void this.#memory.update(DONE_STEPS, [...this.#done]);
  }
}

function tellOfStep(step: string): void {
  void vscode.commands.executeCommand("setContext", `ledgerLens.walkthrough.${step}`, true);
}

/** A list is an object without any argument: a program handed it over, and is told what it lacks. */
function isRecord(value: unknown): value is CommandArguments {
  return typeof value === "object" && value !== null;
}
