import assert from "node:assert/strict";
import { eventually, PATIENCE_MS } from "./eventually.ts";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { failuresFolder } from "./paths.ts";

/** What did not come of a step by then is looked for by doing the step again, where that does no harm. */
const AGAIN_MS = 2_000;

/** So long a click has to show what it did before a person clicks once more. */
const CLICK_AGAIN_MS = 400;

/** A notification as it is read from the page. */
export interface Notification {
  readonly text: string;
  readonly buttons: readonly string[];
}

/** A row of a tree as it is read from the page. */
export interface TreeRow {
  readonly label: string;
  readonly description: string;
  readonly level: number;
}

/** As much of an element of the page as is read in one look. */
export interface PageElement {
  readonly textContent: string;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  getAttribute(name: string): string | null;
  checkVisibility(): boolean;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

// These run in the page, where one call reads what many would take many times as long for.

function textsOfEntries(rows: readonly PageElement[]): string[][] {
  return rows.map((row) =>
    [...row.querySelectorAll(".label-name, .label-description, .quick-input-list-label-meta")]
      // A row that was another one's before keeps that one's detail, unseen.
      .filter((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return part.checkVisibility() && (top + bottom) / 2 < row.getBoundingClientRect().bottom;
      })
      .map(({ textContent }) => textContent),
  );
}

function cutTexts(rows: readonly PageElement[]): string[] {
  return rows.flatMap((row) =>
    [
      ...row.querySelectorAll(
        ".monaco-icon-label-container, .monaco-icon-name-container, .monaco-icon-description-container, .quick-input-list-label-meta, .quick-input-list-label",
      ),
    ]
      .filter(
        (part) => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
      )
      .map(({ textContent }) => textContent),
  );
}

function readRows(rows: readonly PageElement[]): TreeRow[] {
  return rows.map((row) => ({
    label: row.querySelector(".label-name")?.textContent.trim() ?? "",
    description: row.querySelector(".label-description")?.textContent.trim() ?? "",
    level: Number(row.getAttribute("aria-level")),
  }));
}

function readNotifications(toasts: readonly PageElement[]): Notification[] {
  return toasts.map((toast) => ({
    text: toast.querySelector(".notification-list-item-message")?.textContent.trim() ?? "",
    buttons: [...toast.querySelectorAll(".notification-list-item-buttons-container .monaco-button")].map(
      ({ textContent }) => textContent.trim(),
    ),
  }));
}

/** VS Code in a browser, driven as a person does: by what is on the screen. */
export class Workbench {
  readonly page: Page;
  readonly #browser: Browser;

  private constructor(page: Page, browser: Browser) {
    this.page = page;
    this.#browser = browser;
  }

  /**
   * Opens a folder in an editor that is running at `url`, or a window without one; a scale above 1 makes pictures finer and
   * everything slower.
   */
  static async open(url: string, folder: string | undefined, { scale = 1 } = {}): Promise<Workbench> {
    const browser = await startBrowser();
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: scale,
      reducedMotion: "reduce",
    });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(
      folder === undefined ? `${url}/?ew=true` : `${url}/?folder=${encodeURIComponent(folder)}`,
    );
    const workbench = new Workbench(page, browser);
    await page.locator(".monaco-workbench .part.statusbar").waitFor();
    // The explorer lists the folder once the remote side is connected.
    if (folder === undefined) await page.locator(".activitybar .action-item").first().waitFor();
    else await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
    return workbench;
  }

  /** What stands in the page of ours that is in front: the editor puts it into a frame of a frame. */
  editorPage(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready:visible").frameLocator("#active-frame");
  }

  /** Drags the edge of the sidebar until it is so many pixels wide. */
  async setSidebarWidth(pixels: number): Promise<void> {
    const sidebar = this.page.locator(".part.sidebar");
    await eventually(async () => {
      const box = await sidebar.boundingBox();
      if (!box) throw new Error("There is no sidebar.");
      const y = box.y + box.height / 2;
      await this.page.mouse.move(box.x + box.width, y);
      await this.page.mouse.down();
      await this.page.mouse.move(box.x + pixels, y, { steps: 5 });
      await this.page.mouse.up();
      const after = await sidebar.boundingBox();
      if (Math.abs((after?.width ?? 0) - pixels) > 4) throw new Error(`The sidebar is ${after?.width} wide.`);
    });
  }

  /** Loads the window anew, as Developer: Reload Window does. */
  async reload(): Promise<void> {
    await this.reloadedBy(() => this.page.reload());
  }

  /** Does what makes the editor load the window anew, and waits until it has. */
  async reloadedBy(work: () => Promise<unknown>): Promise<void> {
    const loaded = this.page.waitForEvent("load");
    await work();
    await loaded;
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor();
    await this.page.locator(".activitybar .action-item").first().waitFor();
  }

  get #quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  /** Runs a command from the palette by its full title, as it is listed. */
  async runCommand(title: string): Promise<void> {
    await eventually(async () => {
      await this.page.keyboard.press("F1");
      // A key that comes while a busy window draws something else may be lost; another one leaves what is open.
      await this.#quickInput
        .locator('input[placeholder*="name of a command"]')
        .waitFor({ timeout: AGAIN_MS });
      await this.page.keyboard.insertText(title);
      try {
        // The palette lists what was known when it opened: early on, extensions are still being found.
        await this.#entry(title).first().waitFor({ timeout: AGAIN_MS });
      } catch (error) {
        await this.page.keyboard.press("Escape");
        await this.#quickInput.waitFor({ state: "hidden" });
        throw error;
      }
    });
    await this.page.keyboard.press("Enter");
  }

  /** The title and the placeholder of the open quick input. */
  async quickInput(): Promise<{ title: string; placeholder: string; message: string }> {
    await this.#quickInput.waitFor();
    const text = async (selector: string) =>
      (
        (await this.#quickInput
          .locator(selector)
          .first()
          .textContent()
          .catch(() => "")) ?? ""
      ).trim();
    return {
      title: await text(".quick-input-title"),
      placeholder: (await this.#quickInput.locator("input").first().getAttribute("placeholder")) ?? "",
      message: await text(".quick-input-message"),
    };
  }

  /** Waits until the open quick input asks `placeholder`. */
  async waitForQuestion(placeholder: string): Promise<void> {
    await this.#quickInput.locator(`input[placeholder*="${placeholder}"]`).waitFor();
  }

  /** The entries of the open quick pick: label, description and detail as one text each. */
  async entries(): Promise<string[]> {
    const rows = this.#quickInput.locator(".monaco-list-row");
    await rows.first().waitFor();
    // The separator above an entry is part of its row, and not of what it says.
    const read = await rows.evaluateAll(textsOfEntries);
    return read.map((parts) =>
      parts
        .map((part) => part.replace(/\s+/g, " ").trim())
        .filter((part, at, all) => part !== "" && part !== all[at - 1])
        .join(" · "),
    );
  }

  /** The texts of the open quick pick that do not fit their line, and of what is below its end. */
  async cutEntries(): Promise<string[]> {
    const rows = this.#quickInput.locator(".monaco-list-row");
    const list = this.#quickInput.locator(".monaco-list").first();
    const end = await list.boundingBox();
    const below = [];
    for (const row of await rows.all()) {
      const box = await row.boundingBox();
      if (box && end && box.y + box.height > end.y + end.height + 1)
        below.push((await row.textContent()) ?? "");
    }
    return [...(await rows.evaluateAll(cutTexts)), ...below];
  }

  /** Waits until an entry of the open quick pick matches. */
  async waitForEntry(pattern: RegExp): Promise<void> {
    await this.#quickInput.locator(".monaco-list-row").filter({ hasText: pattern }).first().waitFor();
  }

  /** Waits until the entry of the open quick pick that has the focus matches. */
  async waitForFocusOn(pattern: RegExp): Promise<void> {
    await this.#quickInput.locator(".monaco-list-row.focused").filter({ hasText: pattern }).waitFor();
  }

  /**
   * Types into the open quick input; waits until the entry it looks for is there, then chooses it. As a person would, it
   * presses Enter again where the question stands there as before: the first one of a line that was drawn anew only
   * makes it active.
   */
  async pick(text: string): Promise<void> {
    await this.type(text);
    await this.#entry(text).first().waitFor();
    await this.page.keyboard.press("Enter");
    const input = this.#quickInput.locator(".quick-input-box input").first();
    const placeholderNow = async () =>
      (await input.getAttribute("placeholder", { timeout: AGAIN_MS }).catch(() => null)) ?? "";
    const placeholder = await placeholderNow();
    for (let again = 0; again < 3; again++) {
      const end = performance.now() + AGAIN_MS;
      do {
        const isAsked =
          (await input.isVisible()) &&
          (await input.inputValue({ timeout: AGAIN_MS }).catch(() => "")) === text &&
          // With what it says besides where it asks for another Enter.
          (await placeholderNow()).startsWith(placeholder);
        if (!isAsked) return;
        await this.page.waitForTimeout(100);
      } while (performance.now() < end);
      if (await this.#entry(text).first().isVisible()) await this.page.keyboard.press("Enter");
    }
  }

  /** Types into the question of a placeholder once it has the keyboard; again where keys were lost between two questions. */
  async typeByKeys(placeholder: string, text: string): Promise<void> {
    const input = this.#quickInput.locator(`input[placeholder*="${placeholder}"]`);
    await eventually(async () => {
      await input.and(this.page.locator(":focus")).waitFor({ timeout: AGAIN_MS });
      await this.page.keyboard.press("ControlOrMeta+A");
      await this.page.keyboard.type(text);
      assert.equal(await input.inputValue({ timeout: AGAIN_MS }), text);
    });
  }

  /**
   * Presses Enter on the question of a placeholder until it is gone: of a line that was drawn anew the first only makes it
   * active. The page below may take the keyboard back when the question is there already: a person goes into that again.
   */
  async acceptByKeys(placeholder: string): Promise<void> {
    const input = this.#quickInput.locator(`input[placeholder*="${placeholder}"]`);
    await eventually(async () => {
      if (!(await input.isVisible())) return;
      await input.press("Enter", { timeout: AGAIN_MS });
      await input.waitFor({ state: "hidden", timeout: AGAIN_MS });
    });
  }

  /** Chooses an entry of the question of a placeholder by keys alone: types, and presses Enter where it has the focus. */
  async pickByKeys(placeholder: string, text: string): Promise<void> {
    await this.typeByKeys(placeholder, text);
    await this.#quickInput.locator(".monaco-list-row.focused").filter({ hasText: text }).waitFor();
    await this.acceptByKeys(placeholder);
  }

  /** Clicks an entry of the open quick pick, wherever the focus is. */
  async clickQuickPickEntry(pattern: RegExp): Promise<void> {
    await this.#quickInput.locator(".monaco-list-row").filter({ hasText: pattern }).first().click();
  }

  /** Clicks into the box of the open quick input, which has the keyboard then. */
  async focusQuestion(): Promise<void> {
    await this.#quickInput.locator("input").first().click();
  }

  /** Goes down the open quick pick, line by line, until the one with the focus matches. */
  async moveTo(pattern: RegExp): Promise<void> {
    const focused = this.#quickInput.locator(".monaco-list-row.focused");
    await eventually(async () => {
      const text = await textOf(focused);
      if (pattern.test(text)) return;
      await this.page.keyboard.press("ArrowDown");
      throw new Error(`the focus is on ${text}`);
    });
  }

  /** Waits for an editor by its tab's title, and until it shows a text. */
  async waitForEditor(title: RegExp, text: RegExp): Promise<void> {
    await this.page.locator(".tabs-container .tab").filter({ hasText: title }).first().waitFor();
    await this.page.locator(".editor-container .view-line").filter({ hasText: text }).first().waitFor();
  }

  /** Waits until no message matches any more. */
  async waitUntilNotTold(pattern: RegExp): Promise<void> {
    const message = this.page.locator(".notification-toast .notification-list-item-message");
    await message.filter({ hasText: pattern }).first().waitFor({ state: "hidden" });
  }

  /** Opens a file by its row in the explorer, through its folders. */
  async openFromExplorer(...path: readonly string[]): Promise<void> {
    await this.openViewContainer("Explorer");
    for (const name of path) {
      const row = this.page
        .locator(".explorer-folders-view .monaco-list-row")
        .filter({ hasText: name })
        .last();
      await row.waitFor();
      if ((await row.getAttribute("aria-expanded")) !== "true") await row.click();
    }
  }

  /** Chooses the entry that has the focus. */
  async accept(): Promise<void> {
    await this.page.keyboard.press("Enter");
  }

  /** Writes into the open question, whoever has the keyboard: between two of them the editor may keep it for a while. */
  async type(text: string): Promise<void> {
    const input = this.#quickInput.locator(".quick-input-box input").first();
    await eventually(async () => {
      await input.fill(text, { timeout: AGAIN_MS });
      assert.equal(await input.inputValue({ timeout: AGAIN_MS }), text);
      await input.focus({ timeout: AGAIN_MS });
    });
  }

  /** Types into the open input box and accepts. */
  async typeAndAccept(text: string): Promise<void> {
    await this.type(text);
    await this.page.keyboard.press("Enter");
  }

  /** The messages on the screen. */
  async notifications(): Promise<Notification[]> {
    return this.page.locator(".notification-toast .notification-list-item").evaluateAll(readNotifications);
  }

  /** Waits for a message that matches and reads it. */
  async waitForNotification(pattern: RegExp): Promise<Notification> {
    const message = this.page
      .locator(".notification-toast .notification-list-item-message")
      .filter({ hasText: pattern });
    await message.first().waitFor();
    const found = (await this.notifications()).find(({ text }) => pattern.test(text));
    if (!found) throw new Error(`The message ${pattern} went away before it was read.`);
    return found;
  }

  async clickNotificationButton(name: string): Promise<void> {
    await this.page.locator(".notification-toast .monaco-button", { hasText: name }).first().click();
  }

  /** Presses a button of the newest message by keys alone: the command that goes to the message, Tab, and Enter. */
  async pressNotificationButton(name: string): Promise<void> {
    const button = this.page.locator(".notification-toast .monaco-button", { hasText: name }).first();
    await button.waitFor();
    await this.runCommand("Notifications: Focus Notification Toast");
    await this.page.locator(".notification-toast :focus, .notification-toast:focus").first().waitFor();
    await eventually(async () => {
      if ((await button.and(this.page.locator(":focus")).count()) > 0) return;
      await this.page.keyboard.press("Tab");
      throw new Error("the focus is on another part of the message");
    });
    await this.page.keyboard.press("Enter");
  }

  /** The status bar item of a name: its text and its label for screen readers. */
  async statusBarItem(id: string): Promise<{ text: string; label: string }> {
    const item = this.page.locator(`.statusbar-item[id="${id}"]`);
    await item.waitFor();
    return {
      text: ((await item.textContent()) ?? "").trim(),
      label: (await item.locator("[aria-label]").first().getAttribute("aria-label")) ?? "",
    };
  }

  /** Waits until a status bar item says something. */
  async waitForStatusBar(id: string, pattern: RegExp): Promise<void> {
    await this.page.locator(`.statusbar-item[id="${id}"]`).filter({ hasText: pattern }).waitFor();
  }

  /** Closes every message. */
  async clearNotifications(): Promise<void> {
    const shown = await this.page.locator(".notification-toast").elementHandles();
    await this.runCommand("Notifications: Clear All Notifications");
    // One that comes meanwhile stays.
    for (const toast of shown) await toast.waitForElementState("hidden");
  }

  /** Shows a view container by the title of its icon. */
  async openViewContainer(title: string): Promise<void> {
    const tab = this.page
      .locator(".activitybar .action-item", { has: this.page.locator(`[aria-label^="${title}"]`) })
      .first();
    const opened = this.page.locator(".sidebar .composite.title", { hasText: title }).first();
    // A click on the icon of what is open closes it, and after a reload the editor may open it by itself meanwhile.
    await eventually(async () => {
      if (await opened.isVisible()) return;
      if (!(await tab.getAttribute("class"))?.includes("checked")) await tab.click();
      await opened.waitFor({ timeout: AGAIN_MS });
    });
  }

  /** The rows of a view of the open container. */
  async viewRows(view: string): Promise<TreeRow[]> {
    return this.#pane(view).locator(".monaco-list-row").evaluateAll(readRows);
  }

  /** The rows of a view once two looks in a row found the same: to print them. A test waits for what it looks for. */
  async settledRows(view: string): Promise<TreeRow[]> {
    for (let before = ""; ;) {
      const rows = await this.viewRows(view);
      const text = JSON.stringify(rows);
      if (text === before) return rows;
      before = text;
      await this.page.waitForTimeout(400);
    }
  }

  /** Opens the view container of a title and makes one of its views as large as that allows, by folding the others. */
  async showView(container: string, view: string): Promise<void> {
    await this.openViewContainer(container);
    await this.showOnly(view);
  }

  /** Makes a view as large as its container allows, by folding the others. */
  async showOnly(view: string): Promise<void> {
    for (const pane of await this.page.locator(".split-view-view .pane").all()) {
      const header = pane.locator(".pane-header").first();
      // The only section of a panel has a header that is not shown.
      if (!(await header.isVisible())) continue;
      const isWanted = (await header.getAttribute("aria-label"))?.includes(view) ?? false;
      if (((await header.getAttribute("aria-expanded")) === "true") !== isWanted) {
        // At its left end: in the middle of a narrow header are the buttons of its view.
        await header.click({ position: { x: 12, y: 10 } });
        await pane.locator(`.pane-header[aria-expanded="${isWanted}"]`).first().waitFor();
      }
    }
  }

  /** Chooses an entry of the menu behind a view's title. */
  async chooseFromViewMenu(view: string, entry: string): Promise<void> {
    await eventually(async () => {
      await this.#closeMenu();
      await this.#pane(view).locator(".pane-header").first().hover();
      await this.#pane(view)
        .locator(
          '.pane-header .action-label[aria-label^="Views and More"], .pane-header .codicon-toolbar-more',
        )
        .first()
        .click({ timeout: AGAIN_MS });
      await this.#takeFromMenu(entry);
    });
  }

  async #closeMenu(): Promise<void> {
    const open = this.page.locator(".context-view.monaco-menu-container:visible");
    if (await open.first().isVisible()) await this.page.keyboard.press("Escape");
  }

  /**
   * Chooses an entry of the menu that opens, by clicks, which a menu that is gone does not take; a key would go to the list
   * behind it. A menu takes no click in the moment after it opened, and stays: a person clicks once more.
   */
  async #takeFromMenu(entry: string): Promise<void> {
    const offered = this.page.locator(".monaco-menu .action-label", { hasText: entry }).first();
    await offered.hover({ timeout: AGAIN_MS });
    await offered.click({ timeout: AGAIN_MS });
    for (const end = performance.now() + AGAIN_MS; ;) {
      const left = end - performance.now();
      const pause = Math.max(1, Math.min(CLICK_AGAIN_MS, left));
      const isTaken = await offered.waitFor({ state: "hidden", timeout: pause }).then(
        () => true,
        () => false,
      );
      if (isTaken) return;
      if (left <= 0) throw new Error(`the menu stays at ${entry}`);
      // It may close meanwhile.
      await offered.click({ timeout: pause }).catch(() => undefined);
    }
  }

  /** Opens the context menu of a row and chooses an entry. */
  chooseFromRowMenu(view: string, row: RegExp, entry: string): Promise<void> {
    return eventually(() => this.#tryRowMenu(view, row, entry));
  }

  /**
   * Removes a row by its menu; a row below another one may read alike, so that what counts is how many there are. Where none
   * comes in a while nothing is done: the caller looks again whether it is gone.
   */
  async removeFromList(view: string, row: RegExp): Promise<void> {
    const rows = this.#pane(view).locator(".monaco-list-row").filter({ hasText: row });
    // An earlier removal may show only now: then none comes any more.
    await rows
      .first()
      .waitFor({ timeout: 5 * AGAIN_MS })
      .catch(() => undefined);
    const before = await rows.count();
    if (before === 0) return;
    await eventually(async () => {
      // What a menu did may show only after it was given up.
      if ((await rows.count()) < before) return;
      await this.#tryRowMenu(view, row, "Remove from List");
      throw new Error(`${String(row)} is still there`);
    });
  }

  /** Chooses an entry of a row's menu, if all of it goes well. */
  async #tryRowMenu(view: string, row: RegExp, entry: string): Promise<void> {
    // A list that is drawn anew closes its menu, and one of a row that said something else then lacks the entry: a person
    // opens it again.
    await this.#closeMenu();
    await this.#leaveHover();
    const found = this.#pane(view).locator(".monaco-list-row").filter({ hasText: row }).first();
    await found.click({ button: "right", position: { x: 120, y: 10 }, timeout: AGAIN_MS });
    await this.#takeFromMenu(entry);
  }

  /** Shows what is below a row. */
  async expandRow(view: string, row: RegExp): Promise<void> {
    // A list that is drawn anew may swallow a click.
    await eventually(async () => {
      await this.#leaveHover();
      const found = await this.waitForRow(view, row);
      // By its arrow: a click on the row itself may open a page.
      if ((await found.getAttribute("aria-expanded")) !== "true")
        await found.locator(".monaco-tl-twistie").click({ timeout: AGAIN_MS });
      // Another click before it is unfolded would fold it again.
      await found.and(this.page.locator('[aria-expanded="true"]')).waitFor({ timeout: AGAIN_MS });
    });
  }

  async clickRow(view: string, row: RegExp): Promise<void> {
    await eventually(async () => {
      await this.#leaveHover();
      await (await this.waitForRow(view, row)).click({ timeout: AGAIN_MS });
    });
  }

  /** Brings an editor to the front by its tab: others that come or go move it away from below a click. */
  async showEditor(tab: Locator): Promise<void> {
    await eventually(async () => {
      await tab.click({ timeout: AGAIN_MS });
      await tab.and(this.page.locator('[aria-selected="true"]')).waitFor({ timeout: AGAIN_MS });
    });
  }

  /** Waits for a row of a view whose text matches. */
  async waitForRow(view: string, pattern: RegExp): Promise<Locator> {
    const row = this.#pane(view).locator(".monaco-list-row").filter({ hasText: pattern }).first();
    await row.waitFor();
    return row;
  }

  async screenshot(path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path });
  }

  /** Runs a job; when it fails, keeps a picture of what was on the screen, and one of the messages that were not any more. */
  async keepPictureOnFailure<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const path = `${failuresFolder}/${name}.png`;
      await this.screenshot(path).catch(() => undefined);
      const messages = `${failuresFolder}/${name}-messages.png`;
      await this.runCommand("Notifications: Show Notifications").catch(() => undefined);
      await this.screenshot(messages).catch(() => undefined);
      await this.runCommand("Notifications: Hide Notifications").catch(() => undefined);
      console.error(`The screen at that moment: ${path}; all messages: ${messages}`);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  /** Moves the pointer to the title bar: what it hovered over may have a hover that lies over a row. */
  async #leaveHover(): Promise<void> {
    await this.page.mouse.move(640, 12);
  }

  #pane(view: string): Locator {
    return this.page
      .locator(".split-view-view .pane", { has: this.page.locator(`.pane-header[aria-label*="${view}"]`) })
      .first();
  }

  #entry(text: string): Locator {
    return this.#quickInput.locator(".monaco-list-row").filter({ hasText: text });
  }
}

/** The text of the first element there is, without waiting for one. */
async function textOf(elements: Locator): Promise<string> {
  const [text = ""] = await elements.allTextContents();
  return text.trim();
}
