import * as vscode from "vscode";
import type { ShownText } from "../../core/text/shownText.ts";
import { checkMayAsk } from "./asking.ts";

/** An offer of a pick, with what it stands for. */
export interface Choice<T> {
  /** A codicon's name, without `$(…)`. */
  readonly icon?: string | undefined;
  readonly label: ShownText;
  readonly description?: ShownText;
  readonly detail?: ShownText;
  /** Whether it stays when what is typed does not match. */
  readonly alwaysShow?: boolean;
  /** Whether it is ticked in the beginning, where several may be. */
  readonly picked?: boolean;
  /** What is answered; without it the line can't be chosen. */
  readonly value?: T;
  /** Only in a flow of steps it is judged whether an Enter is meant: {@link StepChoice}. */
  readonly sends?: never;
  /** A line that only names what follows. */
  readonly isSeparator?: boolean;
}

/** An offer in a flow of steps. */
export type StepChoice<T> = Omit<Choice<T>, "sends"> & {
  /**
   * Whether something is sent when it is chosen, or the services are changed to which all goes from then on: an Enter that
   * was pressed too early must not do that.
   */
  readonly sends?: true;
  /** Whether the text that it stands for says all that the line does, so that an Enter may come before it is drawn. */
  readonly isSaidByText?: boolean;
  /** What stands below it instead while a person searches: the editor shows no line then that names what it is among. */
  readonly found?: { readonly detail: ShownText };
};

/** A line that names the choices after it. */
export function separator(label: ShownText): Choice<never> {
  return { label, isSeparator: true };
}

/** What a pick outside a flow of steps asks. */
export interface PickQuestion<T> {
  readonly title: ShownText;
  readonly placeholder: ShownText;
  readonly choices: readonly Choice<T>[];
}

/** The one choice of a list; `undefined` when the user leaves. */
export async function pickOne<T>({ title, placeholder, choices }: PickQuestion<T>): Promise<T | undefined> {
  checkMayAsk(title);
  const chosen = await vscode.window.showQuickPick(choices.map(quickPickItem), {
    title,
    placeHolder: placeholder,
  });
  return chosen?.value;
}

/** The ticked choices of a list; `undefined` when the user leaves. */
export async function pickSeveral<T>({
  title,
  placeholder,
  choices,
}: PickQuestion<T>): Promise<T[] | undefined> {
  checkMayAsk(title);
  const chosen = await vscode.window.showQuickPick(choices.map(quickPickItem), {
    title,
    placeHolder: placeholder,
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen?.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** A line as the editor takes it, which reads icons in labels, descriptions and details. */
export function quickPickItem<T>(
  choice: StepChoice<T>,
): vscode.QuickPickItem & Pick<StepChoice<T>, "value" | "sends" | "isSaidByText"> {
  const { icon, label, isSeparator, ...others } = choice;
  if (isSeparator) return { label, kind: vscode.QuickPickItemKind.Separator };
  return { ...others, label: icon === undefined ? label : `$(${icon}) ${label}` };
}
