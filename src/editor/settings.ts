import * as vscode from "vscode";
import {
  PUBLIC_COMPILER_LISTS,
  type CompilerListAddresses,
} from "../core/languages/compilerListAddresses.ts";
import type { CompilerSettings } from "../core/sources/standardJsonInput.ts";
import type { NetworkSettings } from "../core/http/networkSettings.ts";
import { ownValue } from "../core/json/ownValue.ts";

/** The settings of Ledger Lens, read at the moment of use. */
export const settings = {
  get verificationUrl(): string {
    return get("verificationUrl", "https://sourcify.dev/server");
  },
  /** What the settings of an open folder say, which count only where it is open alone. */
  verificationUrlIn(resource: vscode.Uri): string {
    return vscode.workspace
      .getConfiguration("ledgerLens", resource)
      .get("verificationUrl", this.verificationUrl);
  },
  get ledgerUrl(): string {
    return get("ledgerUrl", "https://mainnet.mirrornode.hedera.com");
  },
  get statusUrl(): string {
    return get("statusUrl", "https://status.hedera.com");
  },
  /** Chain id of a ledger that is no public network, as it was written. */
  get ledgerChainId(): string {
    return get("ledgerChainId", "");
  },
  /** Networks beside the public ones, as they were written. */
  get networks(): unknown {
    return get<unknown>("networks", []);
  },
  /** Whether these are what the open workspace says, and not the user. */
  get networksAreOfWorkspace(): boolean {
    return isSetInWorkspace("networks");
  },
  get signatureUrl(): string {
    return get("signatureUrl", "https://api.4byte.sourcify.dev");
  },
  /** Whether selectors that no other source knows may be sent to a signature service. */
  get signatureLookup(): boolean {
    return get("signatureLookup", false);
  },
  /** Where the lists of compilers are fetched when a person asks for it. */
  get compilerListUrls(): CompilerListAddresses {
    return {
      solc: get("solcListUrl", PUBLIC_COMPILER_LISTS.solc),
      vyper: get("vyperListUrl", PUBLIC_COMPILER_LISTS.vyper),
    };
  },
  /** Whether compilers run on this machine, and whether those that are not here may be downloaded. */
  get localCompiler(): "download" | "cached" | "off" {
    return get("localCompiler", "download");
  },
  /** An installed Vyper, from the root of the machine; without it the one on PATH. */
  get vyperPath(): string | undefined {
    return get("vyperPath", "").trim() || undefined;
  },
  get codeLens(): boolean {
    return get("codeLens", true);
  },
  /** Whether a server may be asked what an address is that the pointer rests on. */
  get addressHover(): boolean {
    return get("addressHover", true);
  },
  /** What becomes of a deployment that a tool records while the window is open. */
  get offerVerification(): "ask" | "always" | "never" {
    return get("offerVerification", "ask");
  },
  get statusPollSeconds(): number {
    return get("statusPollSeconds", 180);
  },
  get statusBar(): { readonly isShown: boolean } {
    return { isShown: get("statusBar", true) };
  },
  /** Names or ids of the components that the user chose; empty where the network chooses. */
  get watchedComponents(): readonly string[] {
    return get<string[]>("watchedComponents", []);
  },
  get notifications(): boolean {
    return get("statusNotices", true);
  },
  /** JSON-RPC addresses by chain id, as they were written. */
  get rpcUrls(): unknown {
    return get<unknown>("rpcUrls", {});
  },
  /** Settings of standard JSON input for a folder without a build tool. */
  compilerSettings(resource: vscode.Uri): CompilerSettings {
    return vscode.workspace
      .getConfiguration("ledgerLens", resource)
      .get<CompilerSettings>("compilerSettings", {});
  },
};

/** The settings of a folder that is not trusted do not count. */
function isSetInWorkspace(name: string): boolean {
  const set = vscode.workspace.getConfiguration("ledgerLens").inspect(name);
  return set?.workspaceValue !== undefined && vscode.workspace.isTrusted;
}

function get<T>(name: string, fallback: T): T {
  return vscode.workspace.getConfiguration("ledgerLens").get<T>(name, fallback);
}

/** VS Code's own `http.*` settings and the proxy variables of the environment. */
export function networkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  const { env } = process;
  const names = ["http_proxy", "https_proxy", "no_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  return {
    proxy: http.get<string>("proxy", ""),
    noProxy: http.get<string[]>("noProxy", []),
    proxySupport: http.get<string>("proxySupport", "override"),
    strictTls: http.get<boolean>("proxyStrictSSL", true),
    systemCertificates: http.get<boolean>("systemCertificates", true),
    proxyAuthorization: http.get<string | null>("proxyAuthorization", null) ?? "",
    environment: Object.fromEntries(names.map((name) => [name, ownValue(env, name)])),
  };
}
