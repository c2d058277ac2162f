import { atLeast } from "../../versions.ts";

/** The first release of solc that takes each setting, or does what its code or its metadata shows. */
export const SOLC_SINCE = {
  /** Metadata, whose hash stands behind the code. */
  metadata: "0.4.7",
  optimizerDetails: "0.5.5",
  /** Its own version, in the auxdata. */
  ownVersion: "0.5.9",
  bytecodeHash: "0.6.0",
  /** `settings.debug.revertStrings`, which is `strip` or the default. */
  revertStrings: "0.6.0",
  /** The same with `debug`. */
  debugReasons: "0.6.3",
  viaIR: "0.7.5",
  inliner: "0.8.2",
  /** `settings.optimizer.details.inliner`; metadata has it since there is an inliner. */
  inlinerSwitch: "0.8.5",
  appendCBOR: "0.8.18",
  experimental: "0.8.35",
} as const;

/** What a release takes as `settings.debug.revertStrings`, the default first; the version is short or full. */
export function revertStringsOf(version: string): readonly string[] {
  return [
    "default",
    ...(atLeast(version, SOLC_SINCE.revertStrings) ? ["strip"] : []),
    ...(atLeast(version, SOLC_SINCE.debugReasons) ? ["debug"] : []),
  ];
}
