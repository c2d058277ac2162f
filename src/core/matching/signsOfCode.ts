import type { DeployedSigns } from "./deployedSigns.ts";
import { analyseCode } from "./codeTraits.ts";
import { inputSigns } from "./inputSigns.ts";

/** What a deployed Solidity code tells of how it was compiled. */
export function deployedSigns(code: Uint8Array): DeployedSigns {
  const { isOptimized, pipeline } = analyseCode(code);
  return {
    settings: {
      ...(isOptimized !== undefined && { optimizer: { enabled: isOptimized } }),
      ...(pipeline !== undefined && { viaIR: pipeline === "ir" }),
    },
    signsAgainst: ({ compilerVersion, stdJsonInput: { settings } }) =>
      inputSigns(code, { language: "Solidity", compilerVersion, settings }),
  };
}
