import { eventually } from "./rig/eventually.ts";
import type { Workbench } from "./rig/workbench.ts";

/** What a person read on the way and at the end. */
export interface VerifyJourney {
  /** The lines of the last question before anything was sent. */
  readonly review: readonly string[];
  /** The message at the end. */
  readonly message: string;
  readonly buttons: readonly string[];
}

/** What a person names to verify. */
export interface VerifyTarget {
  readonly contract: string;
  readonly chainId: string;
  readonly address: string;
}

/**
 * Verifies a contract as a person does: palette, contract, chain, address, a look at what is sent, Enter. Messages from
 * before are closed first: the outcome of an earlier job may read the same.
 */
export async function verifyAsAPerson(workbench: Workbench, target: VerifyTarget): Promise<VerifyJourney> {
  await workbench.clearNotifications();
  const review = await submitAsAPerson(workbench, target);
  const { text, buttons } = await workbench.waitForNotification(
    new RegExp(`^${target.contract} at \\S+ on .+? (is verified|does not|is not|can't|could not|has no)`),
  );
  return { review, message: text, buttons };
}

/** The same up to the Enter that submits; answers what was to be read before. */
export async function submitAsAPerson(
  workbench: Workbench,
  target: VerifyTarget,
): Promise<readonly string[]> {
  const review = await reviewAsAPerson(workbench, target);
  await pressSubmit(workbench);
  return review;
}

/** So long a person looks whether something comes of Enter before pressing it again. */
const LOOK_MS = 1_500;

/**
 * Presses Enter on the review until it is gone or comes again: one that is pressed too early sends nothing. Between two
 * questions the editor hands the keyboard back to the page below, which on a busy machine may take it when the next
 * question is there already: a person goes into that again.
 */
export async function pressSubmit({ page }: Workbench, press?: () => Promise<void>): Promise<void> {
  const review = page.locator('.quick-input-widget:visible input[placeholder^="Press Enter to submit"]');
  const again = page.locator(".quick-input-widget:visible .monaco-list-row", { hasText: "Nothing was sent" });
  await review.waitFor();
  await eventually(async () => {
    if (!(await review.isVisible()) || (await again.isVisible())) return;
    // It may go between the look and the key.
    await (press ? press() : review.press("Enter", { timeout: LOOK_MS }));
    const outcomes = [
      review.waitFor({ state: "hidden", timeout: LOOK_MS }),
      again.waitFor({ timeout: LOOK_MS }),
    ];
    await Promise.any(outcomes);
  });
}

/** The same up to the look at what is sent. */
export async function reviewAsAPerson(
  workbench: Workbench,
  target: VerifyTarget,
): Promise<readonly string[]> {
  await askForAddress(workbench, target);
  await workbench.typeAndAccept(target.address);
  await workbench.waitForQuestion("Press Enter to submit");
  return workbench.entries();
}

/**
 * Verifies a contract on this machine as a person does, who lets the compiler be downloaded where that is asked.
 *
 * @returns what was asked before a download, and the message at the end
 */
export async function verifyLocallyAsAPerson(
  workbench: Workbench,
  { contract, chainId, address }: VerifyTarget,
): Promise<{ readonly asked: readonly string[]; readonly message: string }> {
  await askForAddress(workbench, { contract, chainId }, "Ledger Lens: Verify Locally…");
  await workbench.typeAndAccept(address);
  const question = workbench.page.locator(
    '.quick-input-widget:visible input[placeholder*="is not on this machine"]',
  );
  const message = new RegExp(`^${contract} at \\S+ on .+: .* on this machine; nothing was published`);
  const told = workbench.waitForNotification(message);
  told.catch(() => undefined);
  await Promise.race([question.waitFor(), told]);
  if (!(await question.isVisible())) return { asked: [], message: (await told).text };
  const { placeholder } = await workbench.quickInput();
  const asked = [placeholder, ...(await workbench.entries())];
  await eventually(async () => {
    if (!(await question.isVisible())) return;
    await question.press("Enter");
    await question.waitFor({ state: "hidden", timeout: LOOK_MS });
  });
  return { asked, message: (await told).text };
}

/** Asks for a verification by keys alone, up to what is asked once the address is known. */
export async function askByKeys(
  workbench: Workbench,
  { contract, chainId, address }: VerifyTarget,
  command = "Ledger Lens: Verify Contract…",
): Promise<void> {
  await workbench.runCommand(command);
  await workbench.pickByKeys("Which contract", contract);
  await passKnownPlaces(workbench);
  await workbench.pickByKeys("On which chain", chainId);
  await workbench.typeByKeys("0x", address);
  await workbench.acceptByKeys("0x");
}

/** Finds the settings of what failed by the menu of its row; the message at the end and its buttons. */
export async function findSettingsAsAPerson(workbench: Workbench, failed: RegExp): Promise<FoundAsAPerson> {
  await workbench.chooseFromRowMenu("Verification", failed, "Find the Settings");
  return workbench.waitForNotification(/^\w+: (exact match|match|no settings found)/);
}

/** Finds the deployed commit of what failed by the menu of its row; the message at the end and its buttons. */
export async function findCommitAsAPerson(workbench: Workbench, failed: RegExp): Promise<FoundAsAPerson> {
  await workbench.chooseFromRowMenu("Verification", failed, "Find the Commit");
  return workbench.waitForNotification(/^\w+ was deployed from|^\w+: (no commit|the deployed commit)/);
}

/** What a search says at its end. */
interface FoundAsAPerson {
  readonly text: string;
  readonly buttons: readonly string[];
}

/** Asks for a verification up to the question for the address. */
export async function askForAddress(
  workbench: Workbench,
  { contract, chainId }: Omit<VerifyTarget, "address">,
  command = "Ledger Lens: Verify Contract…",
): Promise<void> {
  await workbench.runCommand(command);
  await workbench.waitForQuestion("Which contract");
  await workbench.pick(contract);
  await passKnownPlaces(workbench);
  await workbench.pick(chainId);
  await workbench.waitForQuestion("0x");
}

/** Comes to the question for the chain, also where the contract was submitted before and these places are offered first. */
export async function passKnownPlaces(workbench: Workbench): Promise<void> {
  await eventually(async () => {
    const { placeholder } = await workbench.quickInput();
    if (placeholder.startsWith("On which chain")) return;
    if (placeholder.startsWith("Which deployment")) await workbench.pick("Another Address…");
    throw new Error(`still asked: ${placeholder}`);
  });
}
