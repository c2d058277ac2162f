import type { NetworkChoice } from "../../../src/editor/ledger/networkChoice.ts";
import { standInForEditor } from "../../rig/editorStandIn.ts";

standInForEditor(`
  export const ConfigurationTarget = { Global: "globalValue", Workspace: "workspaceValue" };
  export const QuickInputButtons = {}, QuickPickItemKind = {};
  export const editor = {};
  const configuration = {
    inspect: (name) => editor.inspect(name),
    update: (name, value, level) => editor.update(name, value, level),
  };
  export const workspace = { isTrusted: true, getConfiguration: () => configuration };
`);

export type Name = "ledgerUrl" | "verificationUrl";
export type Level = "globalValue" | "workspaceValue";

/** The settings of the stand-in, each test's own. There is one for all test files of a process, which load the switch once. */
export const { editor: standIn } = (await import("vscode")) as unknown as {
  readonly editor: {
    inspect: (name: Name) => unknown;
    update: (name: Name, value: string | undefined, level: Level) => Promise<void>;
  };
};
export const { NetworkSwitch } = await import("../../../src/editor/ledger/networkSwitch.ts");

/** The public network, whose service is the default one. */
export const PUBLIC: NetworkChoice = {
  id: "mainnet",
  name: "Hedera Mainnet",
  ledgerUrl: "https://mainnet.mirrornode.hedera.com",
  isOfWorkspace: false,
};

/** A network with a ledger and a service of its own. */
export const choice = (name: string, isOfWorkspace = false): NetworkChoice => ({
  id: name,
  name,
  ledgerUrl: `https://${name}.example`,
  verificationUrl: `https://${name}.example/v`,
  isOfWorkspace,
});
