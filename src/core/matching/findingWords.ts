import { t } from "@vscode/l10n";
import type { ProxyCode } from "../evm/proxy.ts";
import type { CompilerFinding } from "./codeFindings.ts";

/** What an address is whose code forwards its calls, as the middle of a sentence. */
export function proxyInWords({ kind, implementation }: ProxyCode): string {
  switch (kind) {
    case "EIP-7702":
      return t`an account that delegates to ${implementation ?? t`a contract`} (EIP-7702)`;
    case "EIP-1167":
      return t`a minimal proxy (EIP-1167)`;
    case "Safe":
      return t`the proxy of a Safe`;
    case "ZeppelinOS":
      return t`a proxy of an early OpenZeppelin release`;
    case "other":
      return t`a proxy that forwards calls`;
    default:
      return t`a proxy (${kind})`;
  }
}

/** The release that made the deployed code, as far as its auxdata says it. */
export function deployedRelease({ deployed }: CompilerFinding): string {
  return deployed ?? "solc 0.4.7 to 0.5.8";
}
