import * as vscode from "vscode";
import {
  PUBLIC_COMPILER_LISTS,
  type CompilerListAddresses,
} from "../core/languages/compilerListAddresses.ts";
import type { CompilerSettings } from "../core/sources/standardJsonInput.ts";
import type { NetworkSettings } from "../core/http/networkSettings.ts";
import { asRecord, asText, asTexts } from "../core/json/looseData.ts";
import { ownValue } from "../core/json/ownValue.ts";

/** The settings of Ledger Lens, read at the moment of use. */
export const settings = {
  get verificationUrl(): string {
    return address("verificationUrl", "https://sourcify.dev/server");
  },
  /** What the settings of an open folder say, which count only where it is open alone. */
  verificationUrlIn(resource: vscode.Uri): string {
    return address("verificationUrl", this.verificationUrl, resource);
  },
  get ledgerUrl(): string {
    return address("ledgerUrl", "https://mainnet.mirrornode.hedera.com");
  },
  get statusUrl(): string {
    return address("statusUrl", "https://status.hedera.com");
  },
  /** Chain id of a ledger that is no public network, as it was written. */
  get ledgerChainId(): string {
    return address("ledgerChainId", "");
  },
  /** Networks beside the public ones, as they were written. */
  get networks(): unknown {
    return get("networks");
  },
  /** Whether these are what the open workspace says, and not the user. */
  get networksAreOfWorkspace(): boolean {
    return isSetInWorkspace("networks");
  },
  get signatureUrl(): string {
    return address("signatureUrl", "https://api.4byte.sourcify.dev");
  },
  /** Whether selectors that no other source knows may be sent to a signature service. */
  get signatureLookup(): boolean {
    return isOn("signatureLookup", false);
  },
  /** Where the lists of compilers are fetched when a person asks for it. */
  get compilerListUrls(): CompilerListAddresses {
    return {
      solc: address("solcListUrl", PUBLIC_COMPILER_LISTS.solc),
      vyper: address("vyperListUrl", PUBLIC_COMPILER_LISTS.vyper),
    };
  },
  /** Whether compilers run on this machine, and whether those that are not here may be downloaded. */
  get localCompiler(): "download" | "cached" | "off" {
    // What is none of these was not meant to download anything.
    return choice("localCompiler", ["download", "cached", "off"]) ?? "off";
  },
  /** An installed Vyper, from the root of the machine; without it the one on PATH. */
  get vyperPath(): string | undefined {
    const path = asText(get("vyperPath"))?.trim();
    return path === "" ? undefined : path;
  },
  get codeLens(): boolean {
    return isOn("codeLens", true);
  },
  /** Whether a server may be asked what an address is that the pointer rests on. */
  get addressHover(): boolean {
    return isOn("addressHover", true);
  },
  /** What becomes of a deployment that a tool records while the window is open. */
  get offerVerification(): "ask" | "always" | "never" {
    return choice("offerVerification", ["ask", "always", "never"]) ?? "ask";
  },
  get statusPollSeconds(): number {
    const seconds = get("statusPollSeconds");
    return typeof seconds === "number" ? seconds : 180;
  },
  get statusBar(): { readonly isShown: boolean } {
    return { isShown: isOn("statusBar", true) };
  },
  /** Names or ids of the components that the user chose; empty where the network chooses. */
  get watchedComponents(): readonly string[] {
    return asTexts(get("watchedComponents")) ?? [];
  },
  get notifications(): boolean {
    return isOn("statusNotices", true);
  },
  /** JSON-RPC addresses by chain id, as they were written. */
  get rpcUrls(): unknown {
    return get("rpcUrls");
  },
  /** Settings of standard JSON input for a folder without a build tool. */
  compilerSettings(resource: vscode.Uri): CompilerSettings {
    return asRecord(get("compilerSettings", resource)) ?? {};
  },
};

/** The settings of a folder that is not trusted do not count. */
function isSetInWorkspace(name: string): boolean {
  const set = vscode.workspace.getConfiguration("ledgerLens").inspect(name);
  return set?.workspaceValue !== undefined && vscode.workspace.isTrusted;
}

/** What is written, of whatever type: the editor marks a value of the wrong one, and hands it on. */
function get(name: string, resource?: vscode.Uri): unknown {
  return vscode.workspace.getConfiguration("ledgerLens", resource).get<unknown>(name);
}

/** An address as it was written: what is no text is none, which is said where it is needed. */
export function writtenAddress(value: unknown): string | undefined {
  return value === undefined ? undefined : (asText(value) ?? JSON.stringify(value));
}

function address(name: string, fallback: string, resource?: vscode.Uri): string {
  return writtenAddress(get(name, resource)) ?? fallback;
}

function isOn(name: string, fallback: boolean): boolean {
  const value = get(name);
  return typeof value === "boolean" ? value : fallback;
}

function choice<Name extends string>(name: string, choices: readonly Name[]): Name | undefined {
  const value = get(name);
  return choices.find((one) => one === value);
}

/** VS Code's own `http.*` settings and the proxy variables of the environment. */
export function networkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  const { env } = process;
  const names = ["http_proxy", "https_proxy", "no_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  return {
    proxy: asText(http.get("proxy")) ?? "",
    noProxy: asTexts(http.get("noProxy")) ?? [],
    proxySupport: asText(http.get("proxySupport")) ?? "override",
    // Only what says so lets a certificate pass that is not trusted.
    strictTls: http.get("proxyStrictSSL") !== false,
    systemCertificates: http.get("systemCertificates") !== false,
    proxyAuthorization: asText(http.get("proxyAuthorization")) ?? "",
    environment: Object.fromEntries(names.map((name) => [name, ownValue(env, name)])),
  };
}
