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
      const isFromMenu = argument instanceof vscode.Uri || (isRecord(argument) && "row" in argument);
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
  /** The ids of those that end a step of the walkthrough. */
  readonly steps: ReadonlySet<string>;
  /** Called for every command. */
  readonly begin: () => void;
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
  { log, titles, steps, begin, explained }: CommandRunner,
): vscode.Disposable {
  const registered = Object.entries(commands).map(([id, { call, failsWith, titleOf = id }]) =>
    // The editor hands on as it is what an extension calls its own command with; menus have a second argument, too.
    vscode.commands.registerCommand(id, (argument: unknown, stop?: unknown) => {
      const { interactive, isForProgram, run } = call(argument);
      begin();
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
          if (steps.has(id)) void vscode.commands.executeCommand("setContext", `${id}.done`, true);
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

/** The ids of the commands of whose end a step of the walkthrough is told by `onContext:<id>.done`. */
export function walkthroughCommands(manifest: unknown): ReadonlySet<string> {
  const { contributes } = manifest as {
    readonly contributes: {
      readonly walkthroughs: readonly {
        readonly steps: readonly { readonly completionEvents: readonly string[] }[];
      }[];
    };
  };
  const events = contributes.walkthroughs.flatMap(({ steps }) =>
    steps.flatMap(({ completionEvents }) => completionEvents),
  );
  return new Set(events.flatMap((event) => /^onContext:(.+)\.done$/.exec(event)?.[1] ?? []));
}

/** As `isObject`, whose module activation does not load. */
function isRecord(value: unknown): value is CommandArguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
