import type { CodeLanguage } from "../evm/auxdata.ts";
import type { CompilerSettings } from "../sources/standardJsonInput.ts";

/** What is known of a local build. Each part may be absent; the prediction is as good as what is given. */
export interface LocalBuild {
  readonly language?: CodeLanguage;
  /** Short or full; read from the metadata where there is some. */
  readonly compilerVersion?: string;
  /** The compiler's metadata output, byte for byte (Solidity). */
  readonly metadata?: string;
  /** With or without 0x; library placeholders may stand in it. */
  readonly runtimeBytecode?: string;
  readonly creationBytecode?: string;
  /** Contents by source unit name, as they would be submitted. */
  readonly sources?: Readonly<Record<string, string>>;
  /** As they would be submitted. */
  readonly settings?: CompilerSettings;
  /** The metadata was not written by a compiler but put together: then only that it fits proves something. */
  readonly isMetadataBuilt?: boolean;
  /** The contract's functions: selector (eight hex digits, no `0x`) → signature. */
  readonly selectors?: Readonly<Record<string, string>>;
}
