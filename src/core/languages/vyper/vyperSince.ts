/** The first release of Vyper that has each of these (its release notes). */
export const VYPER_SINCE = {
  /** Modules are imported, not interfaces alone, and both may stand among the sources. */
  modules: "0.4.0",
  /** A hash of sources and settings behind the creation code. */
  hash: "0.4.1",
} as const;
