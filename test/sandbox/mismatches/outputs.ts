import { DEFAULT_OUTPUT_SELECTION } from "@ethereum-sourcify/lib-sourcify";

/** What the service's engine asks a compiler for and what the cases read, so that one compilation serves both. */
export const OUTPUTS = {
  outputSelection: {
    "*": { "*": [...DEFAULT_OUTPUT_SELECTION["*"]["*"], "evm.methodIdentifiers"] },
  },
};
