import type { OpenConfiguration } from "../../core/compilerInput/unknownConfiguration.ts";
import type { CompilerSettings } from "../../core/sources/standardJsonInput.ts";

/** What a person said in place of a configuration that computes it. */
export interface ConfigurationAnswer {
  readonly compilerVersion?: string | undefined;
  readonly settings: CompilerSettings;
}

/** The answers of this session: a project's contracts ask the same. */
export class ConfigurationAnswers {
  readonly #answers = new Map<string, ConfigurationAnswer>();

  /** What was answered for a project whose configuration leaves the same open. */
  of(open: OpenConfiguration): ConfigurationAnswer | undefined {
    return this.#answers.get(keyOf(open));
  }

  remember(open: OpenConfiguration, answer: ConfigurationAnswer): void {
    this.#answers.set(keyOf(open), answer);
  }
}

function keyOf({ project, configuration, unknown }: OpenConfiguration): string {
  return JSON.stringify([
    project,
    configuration,
    unknown.map(({ place, line, code }) => [place, line, code]),
  ]);
}
