import { megabytes } from "../text/counted.ts";
import { shown, type ShownText } from "../text/shownText.ts";
import type { DownloadProgress } from "./compilerDownloads.ts";

/** Says what a compilation is at, and for how long already. */
export class CompilingProgress {
  readonly #version: string;
  readonly #tell: (message: ShownText) => void;
  readonly #timer: NodeJS.Timeout;
  #started = Date.now();
  #said: ShownText | undefined;
  /** What a person is asked is no time in which something is compiled. */
  #isWaiting = false;

  constructor(version: string, tell: (message: ShownText) => void) {
    this.#version = version;
    this.#tell = tell;
    this.#say(shown`Compiling with ${version}…`);
    this.#timer = setInterval(() => {
      const seconds = Math.round((Date.now() - this.#started) / 1000);
      if (seconds > 0 && !this.#isWaiting) this.#say(shown`Compiling with ${version}… ${seconds} s`);
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

  /** Does what a person may be asked in between; the seconds begin anew behind it. */
  async uncounted<T>(work: () => Promise<T>): Promise<T> {
    this.#isWaiting = true;
    try {
      return await work();
    } finally {
      this.#isWaiting = false;
      this.#started = Date.now();
    }
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
