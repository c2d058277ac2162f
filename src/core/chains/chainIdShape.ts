import { t } from "@vscode/l10n";
import { chainIdOf } from "../chainId.ts";
import { either, mapped, Misfit, numberFrom, text } from "../json/shape.ts";

/** A chain id as a text or a number in decimal. */
export const chainIdShape = mapped(
  either(text(100), numberFrom(0, Number.MAX_SAFE_INTEGER)),
  (value) => chainIdOf(value) ?? new Misfit(() => t`a chain id`),
);

/** The same in a record of ours, which may hold an empty text or one of an earlier version. */
export const storedChainIdShape = mapped(text(100), (value) => chainIdOf(value) ?? value);
