// Writes the tables of commands and settings in README from the manifest: node manifestTables.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { readManifest } from "./manifest.mjs";

/** Titles of the commands that the palette offers, with their ids, as a table. */
function commandTable({ contributes: { commands, menus } }) {
  const hidden = new Set(
    menus.commandPalette.filter(({ when }) => when === "false").map(({ command }) => command),
  );
  const rows = commands.filter(({ command }) => !hidden.has(command));
  return table(
    ["command", "id"],
    rows.map(({ command, title }) => [`_${title}_`, `\`${command}\``]),
  );
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
