// Writes the tables of commands and settings in README from the manifest: node manifestTables.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { readManifest } from "./manifest.mjs";

/** What each command of the palette does, a sentence each: the manifest has no place for it. */
const COMMANDS_DO = {
  verifyContract: "Submits a contract's sources to the verification service, after you saw every file.",
  verifyAllDeployments:
    "Verifies what your tools recorded as deployed, on all chains; what is verified already is left alone.",
  predictMatch: "Says whether a verification would match, before anything is published.",
  verifyLocally: "Compiles on this machine, compares with the deployed code, and publishes nothing.",
  findSettings:
    "Finds the compiler and the settings that make the deployed code, by compiling on this machine.",
  findDeployedCommit: "Finds the commit of your git history whose files make the deployed code.",
  verifyBySimilarity: "Looks for a verified contract with the same code; none of your sources is sent.",
  checkJob: "Follows a job at the verification service to its end.",
  explainFailure: "Opens the page of a failed verification, with its likely causes.",
  openVerifiedSource: "Opens the files that any address was verified with.",
  exportCompilerInput: "Saves a contract's standard JSON input, as its compiler reads it.",
  createSample: "Writes a small Foundry project into an empty folder.",
  refreshCompilerList: "Fetches the lists of released Solidity and Vyper compilers.",
  manageCompilers: "Lists the compilers that were downloaded, and removes them.",
  askBeforePublishing: "Shows the files before each submission again, where you chose not to be asked.",
  findInLedger: "Opens what an id, a hash, an address or an explorer's link names.",
  showToken: "Shows a token: supply, keys, fees and everything else that the ledger has of it.",
  showTransactionActions: "Shows the contract calls of a transaction, and where it failed.",
  showSchedules: "Lists scheduled transactions, the latest ones or those that an account created.",
  showSchedule: "Shows what a scheduled transaction will do, who has not signed, and the time left.",
  selectNetwork: "Chooses the network whose ledger is shown, also one of your own.",
  showStatus: "Shows how the services are, with incidents and maintenance.",
  statusNotices: "Mutes notifications of the status, turns them off, or chooses what they are about.",
  showLog: "Opens the log of Ledger Lens.",
};

/** The commands that the palette offers, with what they do, as a table. */
function commandTable({ contributes: { commands, menus } }) {
  const hidden = new Set(
    menus.commandPalette.filter(({ when }) => when === "false").map(({ command }) => command),
  );
  const offered = commands.filter(({ command }) => !hidden.has(command));
  const told = new Map(Object.entries(COMMANDS_DO).map(([name, does]) => [`ledgerLens.${name}`, does]));
  const rows = offered.map(({ command, title }) => {
    const does = told.get(command);
    if (does === undefined) throw new Error(`COMMANDS_DO in manifestTables.mjs lacks ${command}`);
    told.delete(command);
    return [`_${title}_`, does];
  });
  if (told.size > 0) throw new Error(`The palette has no ${[...told.keys()].join(", ")}`);
  return table(["command", "what it does"], rows);
}

/** The settings in the order of the settings editor. */
function settingTable({ contributes: { configuration } }) {
  const byOrder = (one, other) => (one.order ?? 0) - (other.order ?? 0);
  const rows = [...configuration].sort(byOrder).flatMap(({ properties }) =>
    Object.entries(properties)
      .sort(([, one], [, other]) => byOrder(one, other))
      .map(([name, setting]) => [
        `\`${name}\``,
        `${meaning(setting)} Default: ${shownDefault(setting.default)}.`,
      ]),
  );
  // Of three columns the editor's page of an extension has room for two.
  return table(["setting", "meaning"], rows);
}

function shownDefault(value) {
  return value === "" ? "empty" : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function meaning({
  markdownDescription,
  description,
  enum: values,
  markdownEnumDescriptions,
  enumDescriptions,
}) {
  const said = (markdownDescription ?? description).replace(/`#(.+?)#`/g, "`$1`");
  const each = markdownEnumDescriptions ?? enumDescriptions;
  if (!values || !each) return said;
  return `${said} ${values.map((value, at) => `\`${value}\`: ${each[at]}`).join(" ")}`;
}

function table(head, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The text with the tables between their marks. */
export async function withTables(readme, manifest, options = {}) {
  const tables = { commands: commandTable(manifest), settings: settingTable(manifest) };
  const filled = Object.entries(tables).reduce(
    (text, [name, content]) =>
      text.replace(
        new RegExp(`<!-- ${name} -->[^]*?<!-- end of ${name} -->`),
        () => `<!-- ${name} -->\n\n${content}\n\n<!-- end of ${name} -->`,
      ),
    readme,
  );
  return format(filled, { ...options, parser: "markdown" });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
  const text = await withTables(read("README.md"), readManifest(), JSON.parse(read(".prettierrc.json")));
  writeFileSync(new URL("README.md", import.meta.url), text);
}
