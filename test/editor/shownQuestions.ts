import * as vscode from "vscode";

/** A list that a command asks with. */
export interface ShownQuestion {
  readonly title: string;
  readonly placeholder: string;
  /** What can be chosen: label, description and detail. */
  readonly lines: readonly string[];
  /** The line that Enter takes, in a flow of steps: the active one on the screen. */
  readonly active?: string;
  /** Which question it is of how many, as its title says: "1/4"; absent where it says none. */
  readonly count?: string;
  /** The lines that are ticked, where several may be; of a list without steps those that were in the beginning. */
  readonly ticked?: readonly string[];
  readonly isOpen: boolean;
  /** Whether it came while the one before was still on the screen, so that the keyboard was never handed back in between. */
  readonly isNext?: boolean;
}

/** What the extension puts on the screen while a test looks. */
export interface Screen {
  /** Every list that was asked with, in order. */
  readonly questions: readonly ShownQuestion[];
  /** Every message, in order. */
  readonly messages: readonly string[];
  /** The buttons of the last message that matches; none where there is no such message yet. */
  buttonsOf(message: RegExp): readonly string[];
  /** Presses a button of the last message that matches. */
  pressButton(message: RegExp, button: string): void;
  /** Writes into the box that asks for a line of text. */
  type(text: string): void;
  /** The box that asked last for a line of text. */
  readonly box: vscode.InputBox | undefined;
  /** Writes into the list that is open, as a person does who looks for a line. */
  search(text: string): void;
  stop(): void;
}

/** Which list is on the screen, as far as a test looks on; another one, or the next step of the same, is called otherwise. */
let nameOfOpenList: (() => string | undefined) | undefined;

/** The name of the list that is on the screen while a test looks on; `undefined` where none is, or no test looks on. */
export function openList(): string | undefined {
  return nameOfOpenList?.();
}

interface ShownMessage {
  readonly message: string;
  readonly buttons: readonly string[];
  readonly press: (button: string) => void;
}

/**
 * Looks on while the real lists and messages of the extension are shown. The suites are loaded as a part of it, so that they
 * share the editor's interface with it.
 */
export function watchScreen(): Screen {
  const { window } = vscode;
  const {
    createInputBox,
    createQuickPick,
    showErrorMessage,
    showInformationMessage,
    showQuickPick,
    showWarningMessage,
  } = window;
  const questions: (() => ShownQuestion)[] = [];
  const messages: string[] = [];
  const told: ShownMessage[] = [];
  let shown: vscode.QuickPick<vscode.QuickPickItem> | undefined;
  let box: vscode.InputBox | undefined;
  const watched = () => {
    const input = createQuickPick();
    let [isOpen, isNext] = [false, false];
    const show = input.show.bind(input);
    input.show = () => {
      isNext = questions.some((other) => other !== question && other().isOpen);
      if (!isOpen) questions.push(question);
      isOpen = true;
      shown = input;
      show();
    };
    // What the command makes active is on the screen once the window tells of it.
    let told: readonly vscode.QuickPickItem[] | undefined;
    input.onDidChangeActive((active) => (told = active));
    let last: Omit<ShownQuestion, "isOpen">;
    const question = () => {
      // What is taken down can't be read any more.
      if (isOpen)
        last = {
          title: input.title ?? "",
          placeholder: input.placeholder ?? "",
          lines: input.items.filter(isShown).map(lineOf),
          active: (told ?? input.activeItems).map(lineOf).join(),
          ...(input.canSelectMany && { ticked: input.selectedItems.map(lineOf) }),
          ...(input.step !== undefined && { count: `${input.step}/${input.totalSteps ?? ""}` }),
        };
      return { ...last, isOpen, isNext };
    };
    input.onDidHide(() => {
      question();
      isOpen = false;
    });
    const dispose = input.dispose.bind(input);
    input.dispose = () => {
      question();
      isOpen = false;
      dispose();
    };
    return input;
  };
  const watchedList = async (
    items: readonly vscode.QuickPickItem[],
    options: vscode.QuickPickOptions & { readonly canPickMany: true },
  ) => {
    const { title = "", placeHolder: placeholder = "" } = options;
    let isOpen = true;
    const ticked = items.filter(({ picked }) => picked).map(lineOf);
    questions.push(() => ({ title, placeholder, lines: items.map(lineOf), ticked, isOpen }));
    try {
      return await showQuickPick.call(window, items, options);
    } finally {
      isOpen = false;
    }
  };
  const watchedMessage =
    (show: (message: string, ...buttons: string[]) => Thenable<string | undefined>) =>
    (message: string, ...buttons: string[]) => {
      messages.push(message);
      const pressed = Promise.withResolvers<string>();
      told.push({ message, buttons, press: pressed.resolve });
      // No message is on the screen while a test driver runs, so that nothing there could be clicked.
      return Promise.race([show.call(window, message, ...buttons), pressed.promise]);
    };
  const toldAs = (pattern: RegExp) => told.findLast(({ message }) => pattern.test(message));
  Object.assign(window, {
    createInputBox: () => (box = createInputBox()),
    createQuickPick: watched,
    showQuickPick: watchedList,
    showErrorMessage: watchedMessage(showErrorMessage),
    showInformationMessage: watchedMessage(showInformationMessage),
    showWarningMessage: watchedMessage(showWarningMessage),
  });
  nameOfOpenList = () => {
    const all = questions.map((question) => question());
    const at = all.findLastIndex(({ isOpen }) => isOpen);
    // A list that asks for another Enter is the same.
    return at < 0 ? undefined : JSON.stringify([at, all[at]?.title, all[at]?.placeholder.split(" · ", 1)[0]]);
  };
  return {
    get questions() {
      return questions.map((question) => question());
    },
    messages,
    buttonsOf: (pattern) => toldAs(pattern)?.buttons ?? [],
    pressButton: (pattern, button) => {
      const found = toldAs(pattern);
      if (!found?.buttons.includes(button))
        throw new Error(`No button ${button} of a message like ${String(pattern)}.`);
      found.press(button);
    },
    type: (text) => {
      if (!box) throw new Error("No line of text is asked for.");
      box.value = text;
    },
    get box() {
      return box;
    },
    search: (text) => {
      if (!shown) throw new Error("No list is shown.");
      shown.value = text;
    },
    stop: () => {
      nameOfOpenList = undefined;
      Object.assign(window, {
        createInputBox,
        createQuickPick,
        showErrorMessage,
        showInformationMessage,
        showQuickPick,
        showWarningMessage,
      });
    },
  };
}

/** A separator without words is nowhere on the screen. */
function isShown({ kind, label }: vscode.QuickPickItem): boolean {
  return kind !== vscode.QuickPickItemKind.Separator || label !== "";
}

function lineOf({ label, description = "", detail = "" }: vscode.QuickPickItem): string {
  return [label, description, detail].filter((part) => part !== "").join(" | ");
}
