import assert from "node:assert/strict";
import * as vscode from "vscode";
import { networkWorld } from "./world.ts";

/** A job that the scripted services below answer as finished. */
const JOB = "11111111-2222-4333-8444-555555555555";

/** Asks the service at an address for a job and answers the error's code, or the status. */
async function outcomeAt(url: string): Promise<string> {
  const configuration = vscode.workspace.getConfiguration("ledgerLens");
  await configuration.update("verificationUrl", url, vscode.ConfigurationTarget.Global);
  try {
    // A fresh id each time, so that no record of an earlier service is asked instead.
    const verificationId = JOB.slice(0, -6) + String(100000 + ++asked);
    const { status } = await vscode.commands.executeCommand<{ status: string }>("ledgerLens.checkJob", {
      verificationId,
      waitSeconds: 0,
    });
    return status;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
let asked = 0;

async function setHttp(settings: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await vscode.workspace.getConfiguration("http").update(name, value, vscode.ConfigurationTarget.Global);
  }
}

/** Tunnels and forwarded requests that the proxy was asked for since the last call. */
async function askedOfProxy(): Promise<string[]> {
  const { proxyLog } = networkWorld();
  const lines = (await (await fetch(proxyLog)).json()) as string[];
  return lines;
}

describe("Requests leave the machine as VS Code's settings say", () => {
  const { proxy, lockedProxy, plainHost, secureHost, secureLoopback, environmentHost } = networkWorld();

  beforeEach(async () => {
    await askedOfProxy();
  });

  afterEach(() =>
    setHttp({
      proxy: undefined,
      noProxy: undefined,
      proxyStrictSSL: undefined,
      proxySupport: undefined,
      systemCertificates: undefined,
      proxyAuthorization: undefined,
    }),
  );

  after(async () => {
    const { service } = networkWorld();
    await vscode.workspace
      .getConfiguration("ledgerLens")
      .update("verificationUrl", service, vscode.ConfigurationTarget.Global);
  });

  it("reaches through http.proxy a host that only the proxy knows", async () => {
    await setHttp({ proxy });
    assert.equal(await outcomeAt(`http://${plainHost}`), "exact_match");
    assert.match((await askedOfProxy()).join("\n"), new RegExp(`GET http://${plainHost}/v2/verify/`));
  });

  it("tunnels TLS through http.proxy, trusting a private authority of the system", async () => {
    await setHttp({ proxy });
    assert.equal(await outcomeAt(`https://${secureHost}`), "exact_match");
    assert.match((await askedOfProxy()).join("\n"), new RegExp(`CONNECT ${secureHost}:443`));
  });

  it("does not know the host without the proxy, nor where http.noProxy leaves the proxy out", async () => {
    await setHttp({ proxySupport: "off" });
    assert.equal(await outcomeAt(`http://${plainHost}`), "unreachable");
    await setHttp({ proxySupport: undefined, proxy, noProxy: [plainHost] });
    assert.equal(await outcomeAt(`http://${plainHost}`), "unreachable");
    assert.deepEqual(await askedOfProxy(), []);
  });

  it("uses HTTP_PROXY where the setting is empty, but for the hosts in NO_PROXY", async () => {
    assert.equal(await outcomeAt(`http://${plainHost}`), "exact_match");
    assert.equal((await askedOfProxy()).length, 1);
    assert.equal(await outcomeAt(`http://${environmentHost}`), "unreachable");
    assert.deepEqual(await askedOfProxy(), []);
  });

  it("gives a proxy its credentials, and says so when they are missing", async () => {
    await setHttp({ proxy: lockedProxy.replace(/\/\/[^@]*@/, "//") });
    assert.equal(await outcomeAt(`http://${plainHost}`), "proxy_failed");
    assert.equal(await outcomeAt(`https://${secureHost}`), "proxy_failed");
    await setHttp({ proxy: lockedProxy });
    assert.equal(await outcomeAt(`http://${plainHost}`), "exact_match");
    assert.equal(await outcomeAt(`https://${secureHost}`), "exact_match");
    const credentials = URL.parse(lockedProxy);
    const authorization = Buffer.from(
      `${credentials?.username ?? ""}:${credentials?.password ?? ""}`,
    ).toString("base64");
    await setHttp({
      proxy: lockedProxy.replace(/\/\/[^@]*@/, "//"),
      proxyAuthorization: `Basic ${authorization}`,
    });
    assert.equal(await outcomeAt(`https://${secureHost}`), "exact_match");
  });

  it("reaches loopback directly, and trusts the system's private authority there", async () => {
    await setHttp({ proxy: "http://127.0.0.1:9" });
    assert.equal(await outcomeAt(secureLoopback), "exact_match");
  });

  it("refuses the same certificate when system certificates are off, unless strict TLS is off too", async () => {
    await setHttp({ systemCertificates: false });
    assert.equal(await outcomeAt(secureLoopback), "tls_untrusted");
    await setHttp({ proxyStrictSSL: false });
    assert.equal(await outcomeAt(secureLoopback), "exact_match");
  });
});
