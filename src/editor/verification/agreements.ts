import { Limit } from "../../core/concurrency/limit.ts";
import { SharedWork } from "../../core/concurrency/sharedWork.ts";
import { isCancellation } from "../../core/errors.ts";
import { listOf, readAs, text } from "../../core/json/shape.ts";
import type { ShownText } from "../../core/text/shownText.ts";
import { UserCancelled } from "../ui/action.ts";
import { pick } from "../ui/questions.ts";

/** A command that may ask a person. */
export interface AskingCommand {
  readonly title: ShownText;
  /** When a person started it, by `performance.now()`: what was refused since then is refused for it, too. */
  readonly started: number;
}

/** What is asked before something is done for the first time. */
interface AgreementQuestion {
  readonly placeholder: ShownText;
  readonly yes: {
    readonly icon: string;
    readonly label: ShownText;
    readonly description?: ShownText;
    readonly detail: ShownText;
  };
  readonly no: ShownText;
}

/** What a person agreed to, as it is stored. */
interface AgreementStorage {
  get(): unknown;
  set(value: readonly string[]): PromiseLike<void>;
}

/** Those that were agreed to longest ago are asked for again. */
const MAX_AGREEMENTS = 50;

const agreements = listOf(text(10_000));

/**
 * What a person agrees to once: to this, and to nothing that takes its place later. It is asked by a list that takes the
 * focus from what a person types at that moment, so that only a deliberate Enter agrees; there is one on the screen at a
 * time, and one for all that wait for the same answer.
 */
export class Agreements {
  readonly #storage: AgreementStorage;
  readonly #asked = new SharedWork<boolean>();
  readonly #onScreen = new Limit(1);
  /** When something was refused last, by `performance.now()`. */
  readonly #refused = new Map<string, number>();

  constructor(storage: AgreementStorage) {
    this.#storage = storage;
  }

  /** Whether a person agreed to something. What can't be read counts as nothing. */
  cover(subject: string): boolean {
    return this.#all().includes(subject);
  }

  /**
   * Asks for agreement to things at once.
   *
   * @param subjects those that are not agreed to
   * @throws UserCancelled for a refusal, of which nothing is kept, and for one who leaves
   */
  async ask(
    { title, started }: AskingCommand,
    subjects: readonly string[],
    question: (signal: AbortSignal) => Promise<AgreementQuestion>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const name = JSON.stringify(subjects);
    if ((this.#refused.get(name) ?? 0) > started) throw new UserCancelled();
    const isAgreed = await this.#asked.join(
      name,
      (ends) =>
        this.#onScreen.run(async () => {
          ends.throwIfAborted();
          const answer = await answered(title, await question(ends), ends);
          if (!answer && !ends.aborted) this.#refused.set(name, performance.now());
          const others = this.#all().filter((one) => !subjects.includes(one));
          if (answer) await this.#storage.set([...subjects, ...others].slice(0, MAX_AGREEMENTS));
          return answer;
        }),
      signal,
    );
    if (!isAgreed) throw new UserCancelled();
  }

  #all(): readonly string[] {
    return readAs(agreements, this.#storage.get()) ?? [];
  }
}

/** Who leaves refuses. */
async function answered(
  title: ShownText,
  { placeholder, yes, no }: AgreementQuestion,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await pick(
      { title, step: 1, totalSteps: 1, canGoBack: false },
      {
        placeholder,
        choices: [
          { ...yes, value: true, sends: true },
          { icon: "close", label: no, value: false },
        ],
        signal,
      },
    );
  } catch (error) {
    if (isCancellation(error)) return false;
    throw error;
  }
}
