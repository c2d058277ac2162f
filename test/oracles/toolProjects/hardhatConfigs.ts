import type { Random } from "../../unit/random.ts";
import { once } from "./toolProject.ts";

/** A compiler of a Hardhat configuration. */
export interface CompilerEntry {
  readonly version: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** What a Hardhat configuration comes to. */
export interface HardhatValues {
  readonly major: 2 | 3;
  readonly compilers: readonly CompilerEntry[];
  readonly overrides: Readonly<Record<string, CompilerEntry>>;
  readonly paths: Readonly<Record<string, unknown>>;
  /** Hardhat 3's other compilers by build profile. */
  readonly profiles?: Readonly<Record<string, readonly CompilerEntry[]>>;
  /** Further keys of `solidity`, for Hardhat 3. */
  readonly more: Readonly<Record<string, unknown>>;
  /** Modules to import for what they do to Hardhat. */
  readonly plugins: readonly string[];
  /** Where files lie that projects of a workspace share, as the project sees it: `../../`; in the project unless said. */
  readonly shared?: string;
}

/** A configuration as a file, and those that it reads. */
export interface WrittenConfig {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** The `type` of package.json. */
  readonly type?: "module" | "commonjs";
  readonly isComputed: boolean;
  readonly how: string;
}

/** Settings as people have them, by what a release knows. */
export function randomSettings(dice: Random, version: string): Record<string, unknown> | undefined {
  const [, minor = 0, patch = 0] = version.split(".").map(Number);
  if (once(dice, 5)) return undefined;
  const settings: Record<string, unknown> = {};
  if (!once(dice, 4))
    settings["optimizer"] = dice.pick([
      { enabled: true, runs: 200 },
      { enabled: true, runs: 1_000_000 },
      { enabled: true, runs: 1 },
      { enabled: true },
      { enabled: false, runs: 900 },
      { runs: 800 },
      { enabled: true, runs: 44, details: { yul: false } },
    ]);
  if (minor === 8 && patch >= 19 && once(dice, 4)) settings["viaIR"] = !once(dice, 4);
  if (once(dice, 3)) settings["evmVersion"] = dice.pick(["istanbul", "berlin"]);
  else if (minor === 8 && patch >= 24 && dice.below(5) < 2)
    settings["evmVersion"] = dice.pick(["cancun", "shanghai"]);
  if (once(dice, 4))
    settings["metadata"] = dice.pick<object>([
      { bytecodeHash: "none" },
      { useLiteralContent: true },
      { bytecodeHash: "bzzr1", useLiteralContent: false },
    ]);
  if (once(dice, 8))
    settings["libraries"] = { "contracts/Lib.sol": { Lib: "0x5fbdb2315678afecb367f032d93f642f64180aa3" } };
  if (once(dice, 8)) settings["outputSelection"] = { "*": { "*": ["storageLayout"] } };
  if (once(dice, 12)) settings["debug"] = { revertStrings: "strip" };
  return settings;
}

/** Writes the values in one of the ways in which people write configurations. */
export function writeConfig(dice: Random, values: HardhatValues): WrittenConfig {
  const { major } = values;
  const extension =
    major === 3 ? dice.pick(["ts", "ts", "js", "mts", "mjs"]) : dice.pick(["js", "js", "ts", "cjs", "cts"]);
  const name = `hardhat.config.${extension}`;
  const isModule = major === 3 || extension === "ts" || extension === "cts";
  const isTyped = extension.endsWith("ts");
  const writer = dice.pick([
    literal,
    literal,
    constants,
    constants,
    mapped,
    environment,
    separate,
    mutated,
    built,
    computed,
  ]);
  const written = writer(dice, values, isModule, extension);
  const imports = values.plugins.map((plugin, at) =>
    major === 3
      ? `import plugin${at} from "${plugin}";`
      : isModule
        ? `import "${plugin}";`
        : `require("${plugin}");`,
  );
  const plugins =
    major === 3 && values.plugins.length > 0
      ? `plugins: [${values.plugins.map((_one, at) => `plugin${at}`).join(", ")}], `
      : "";
  const body = written.config.replace("{", `{ ${plugins}`);
  const type = isTyped && major === 2 ? ": HardhatUserConfig" : "";
  const end = written.name ?? "config";
  const text = [
    ...(once(dice, 3) ? ["// The configuration of Hardhat.", ""] : []),
    ...(major === 3
      ? [
          once(dice, 2)
            ? `import { defineConfig } from "hardhat/config";`
            : `import { configVariable, defineConfig } from "hardhat/config";`,
        ]
      : isTyped
        ? [`import { HardhatUserConfig } from "hardhat/config";`]
        : once(dice, 3)
          ? [`require("hardhat/config");`]
          : []),
    ...imports,
    ...written.before,
    ...(major === 3 && written.after.length === 0 && once(dice, 2)
      ? [`export default defineConfig(${body});`]
      : [
          `${dice.pick(["const", "let"])} ${end}${type} = ${major === 3 && once(dice, 2) ? `defineConfig(${body})` : body};`,
          ...written.after,
          isModule ? `export default ${end};` : `module.exports = ${end};`,
        ]),
    "",
  ].join("\n");
  return {
    name,
    files: { [name]: text, ...written.files },
    ...(major === 3 && { type: "module" as const }),
    isComputed: written.isComputed ?? false,
    how: writer.name,
  };
}

interface Writing {
  /** The object of the configuration, as text that begins with `{`. */
  readonly config: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly isComputed?: boolean;
}

type Writer = (dice: Random, values: HardhatValues, isModule: boolean, extension: string) => Writing;

/** All written where it is used. */
const literal: Writer = (dice, values) => {
  return { config: configText(dice, values, (entry) => js(dice, entry)), before: [], after: [] };
};

/** Settings in constants, spread and shortened. */
const constants: Writer = (dice, values) => {
  const before: string[] = [];
  const known = new Map<string, string>();
  const entry = ({ version, settings }: CompilerEntry): string => {
    if (settings === undefined) return js(dice, { version });
    const text = js(dice, settings);
    let name = known.get(text);
    if (name === undefined) {
      name = `settings${known.size}`;
      known.set(text, name);
      before.push(
        settings["optimizer"] !== undefined && once(dice, 2)
          ? `const optimizer${name} = ${js(dice, settings["optimizer"])};\nconst ${name} = { ...${js(dice, { ...settings, optimizer: undefined })}, optimizer: optimizer${name} };`
          : `const ${name} = ${text}${dice.pick(["", "", ""])};`,
      );
    }
    return dice.pick([
      `{ version: "${version}", settings: ${name} }`,
      `{ version: "${version}", settings: { ...${name} } }`,
      `{ ...{ settings: ${name} }, version: \`${version}\` }`,
    ]);
  };
  const config = configText(dice, values, entry);
  return { config, before, after: [] };
};

/** A list of versions that a function makes compilers of. */
const mapped: Writer = (dice, values) => {
  const before = [
    dice.pick([
      "const compiler = (version, settings) => ({ version, settings });",
      "function compiler(version, settings) {\n  return { version, settings };\n}",
      "const compiler = function (version, settings) { return { version: version, settings: settings }; };",
    ]),
  ];
  const entry = ({ version, settings }: CompilerEntry) =>
    `compiler("${version}", ${settings === undefined ? "{}" : js(dice, settings)})`;
  return { config: configText(dice, values, entry), before: before.map(untyped), after: [] };
};

/** Values that the environment may replace, where it says nothing. */
const environment: Writer = (dice, values) => {
  const entry = ({ version, settings = {} }: CompilerEntry): string => {
    const { optimizer, ...rest } = settings as { optimizer?: { enabled?: boolean; runs?: number } };
    const written = dice.pick([
      `"${version}"`,
      `process.env.LL_SOLC ?? "${version}"`,
      `process.env.LL_SOLC || "${version}"`,
      `process.env.LL_SOLC ? process.env.LL_SOLC : "${version}"`,
      `process.env["LL_OLD"] === "1" ? "0.4.11" : "${version}"`,
    ]);
    const parts = [`...${js(dice, rest)}`];
    if (optimizer) {
      const { runs, enabled, ...details } = optimizer;
      const fields = [`...${js(dice, details)}`];
      if (enabled !== undefined)
        fields.push(
          `enabled: ${dice.pick([
            String(enabled),
            enabled ? "!process.env.LL_COVERAGE" : "!!process.env.LL_COVERAGE",
            `process.env.LL_COVERAGE ? ${String(!enabled)} : ${String(enabled)}`,
            enabled ? `process.env.LL_MODE !== "fast"` : `process.env.LL_MODE === "fast"`,
          ])}`,
        );
      if (runs !== undefined)
        fields.push(
          `runs: ${dice.pick([
            `Number(process.env.LL_RUNS ?? ${runs})`,
            `parseInt(process.env.LL_RUNS || "${runs}")`,
            `process.env.LL_RUNS ? +process.env.LL_RUNS : ${runs}`,
            `Number.parseInt(process.env.LL_RUNS ?? "${runs}", 10)`,
          ])}`,
        );
      parts.push(`optimizer: { ${fields.join(", ")} }`);
    }
    parts.push(
      dice.pick([
        `...(process.env.LL_IR ? { viaIR: true } : {})`,
        `...(process.env.LL_IR && { viaIR: true })`,
      ]),
    );
    return `{ version: ${written}, settings: { ${parts.join(", ")} } }`;
  };
  return { config: configText(dice, values, entry), before: [], after: [] };
};

/** The compilers in a file of their own. */
const separate: Writer = (dice, values, isModule, extension) => {
  const solidity = solidityText(dice, values, (entry) => js(dice, entry));
  const isTyped = extension.endsWith("ts");
  const { shared = "" } = values;
  if (once(dice, 3)) {
    const files = { [`${shared}solidity.json`]: JSON.stringify(solidityValue(values), undefined, 2) };
    const json = `${shared === "" ? "./" : shared}solidity.json`;
    const before = isModule
      ? values.major === 3
        ? [`import solidity from "${json}" with { type: "json" };`]
        : [`const solidity = require("${json}");`]
      : [`const solidity = require("${json}");`];
    return {
      config: `{ solidity, paths: ${js(dice, values.paths)} }`,
      before,
      after: [],
      files,
    };
  }
  const file = `config/${dice.pick(["compilers", "solidity.config"])}.${isTyped ? "ts" : extension === "cjs" ? "cjs" : "js"}`;
  const path = `${shared === "" ? "./" : shared}${isTyped && values.major === 2 ? file.replace(/\.ts$/, "") : file}`;
  const text = isModule ? `export const solidity = ${solidity};\n` : `exports.solidity = ${solidity};\n`;
  const before = isModule
    ? [`import { solidity } from "${path}";`]
    : [`const { solidity } = require("${path}");`];
  return {
    config: `{ solidity, paths: ${js(dice, values.paths)} }`,
    before,
    after: [],
    files: { [shared + file]: text },
  };
};

/** A configuration that is changed after it was written. */
const mutated: Writer = (dice, values) => {
  const { paths, ...rest } = { ...solidityObject(dice, values, (entry) => js(dice, entry)) };
  const after = dice.pick([
    [`config.solidity = ${rest.solidity};`, `config.paths = ${paths};`],
    [`Object.assign(config, { solidity: ${rest.solidity}, paths: ${paths} });`],
    [
      `if (!process.env.LL_NOTHING) {\n  config.solidity = ${rest.solidity};\n}`,
      `config["paths"] = ${paths};`,
    ],
    [
      `config.paths = ${paths};`,
      `if (process.env.LL_SOLC) config.solidity = "0.4.11";`,
      `else config.solidity = ${rest.solidity};`,
    ],
  ]);
  return { config: `{ networks: {} }`, before: [], after: after.map(untyped) };
};

/** A configuration that a function gives, or one part at a time. */
const built: Writer = (dice, values) => {
  const { paths, solidity } = solidityObject(dice, values, (entry) => js(dice, entry));
  return dice.pick<Writing>([
    {
      config: "{ ...base, solidity: solidity() }",
      before: [`const base = { paths: ${paths} };`, `function solidity() {\n  return ${solidity};\n}`],
      after: [],
    },
    {
      config: "{ ...base }",
      before: [`const base = { solidity: ${solidity}, paths: ${paths} };`],
      after: [],
    },
    {
      config: "{ solidity: (() => made)(), paths }",
      before: [`const made = ${solidity}, paths = ${paths};`],
      after: [],
    },
    {
      config: "{ ...[parts][0] }",
      before: [`const parts = { solidity: ${solidity}, paths: ${paths} };`],
      after: [],
    },
  ]);
};

/** What no reading can know: the command line, files, the machine. */
const computed: Writer = (dice, values, isModule) => {
  const [first] = values.compilers;
  const version = first?.version ?? "";
  const read =
    isModule && values.major === 3
      ? `import { readFileSync } from "node:fs";`
      : `const { readFileSync } = require("fs");`;
  const how = dice.below(4);
  const entry = ({ version: own, settings = {} }: CompilerEntry): string => {
    const { optimizer, ...rest } = settings as { optimizer?: object };
    const fast = `process.argv.includes("--fast") ? { enabled: false } : ${js(dice, optimizer ?? { enabled: true, runs: 3 })}`;
    if (how === 0)
      return `{ version: readFileSync("solc.version", "utf8").trim(), settings: ${js(dice, settings)} }`;
    if (how === 1) return `{ version: "${own}", settings: { ...${js(dice, rest)}, optimizer: ${fast} } }`;
    if (how === 2)
      return `{ version: "${own}", settings: { ...${js(dice, rest)}, viaIR: require("os").cpus().length > 9999 } }`;
    return `{ version: "${own}", settings: { ...JSON.parse(readFileSync("settings.json", "utf8")), ...${js(dice, rest)} } }`;
  };
  const only =
    how === 0 || how === 3 ? { ...values, compilers: values.compilers.slice(0, 1), overrides: {} } : values;
  const files =
    how === 0
      ? { "solc.version": `${version}\n` }
      : how === 3
        ? { "settings.json": `{ "optimizer": { "enabled": true, "runs": 77 } }` }
        : {};
  const needed =
    how === 2 && values.major === 3
      ? [`import { createRequire } from "node:module";`, "const require = createRequire(import.meta.url);"]
      : [];
  return {
    config: configText(dice, only, entry),
    before: [read, ...needed],
    after: [],
    files: files,
    isComputed: true,
  };
};

function untyped(text: string): string {
  return text;
}

type EntryText = (entry: CompilerEntry) => string;

function configText(dice: Random, values: HardhatValues, entry: EntryText): string {
  const { solidity, paths } = solidityObject(dice, values, entry);
  const networks = once(dice, 3)
    ? [
        `networks: { local: { url: process.env.LL_RPC ?? "http://127.0.0.1:8545"${values.major === 3 ? ', type: "http"' : ""} } }`,
      ]
    : [];
  return `{\n  ${[`solidity: ${solidity}`, `paths: ${paths}`, ...networks].join(",\n  ")},\n}`;
}

function solidityObject(
  dice: Random,
  values: HardhatValues,
  entry: EntryText,
): { solidity: string; paths: string } {
  return { solidity: solidityText(dice, values, entry), paths: js(dice, values.paths) };
}

function solidityText(dice: Random, values: HardhatValues, entry: EntryText): string {
  const { compilers, overrides, profiles, more } = values;
  const list = (entries: readonly CompilerEntry[], overridden: boolean): string => {
    const [only] = entries;
    if (entries.length === 1 && only && (!overridden || Object.keys(overrides).length === 0) && once(dice, 2))
      return entry(only);
    const written =
      overridden && Object.keys(overrides).length > 0
        ? `, overrides: { ${Object.entries(overrides)
            .map(([path, one]) => `"${path}": ${entry(one)}`)
            .join(", ")} }`
        : "";
    return `{ compilers: [${entries.map(entry).join(", ")}]${written} }`;
  };
  const extras = Object.keys(more).length > 0 ? `, ...${js(dice, more)}` : "";
  if (profiles) {
    const others = Object.entries(profiles).map(([name, entries]) => `${name}: ${list(entries, false)}`);
    return `{ profiles: { default: ${list(compilers, true)}, ${others.join(", ")} }${extras} }`;
  }
  const [only] = compilers;
  if (
    extras === "" &&
    compilers.length === 1 &&
    only?.settings === undefined &&
    Object.keys(overrides).length === 0 &&
    once(dice, 2)
  )
    return `"${only?.version ?? ""}"`;
  const text = list(compilers, true);
  return extras === "" ? text : `{ ...${text}${extras} }`;
}

function solidityValue({ compilers, overrides, profiles, more }: HardhatValues): object {
  if (profiles)
    return {
      profiles: {
        default: { compilers, overrides },
        ...Object.fromEntries(
          Object.entries(profiles).map(([name, entries]) => [name, { compilers: entries }]),
        ),
      },
      ...more,
    };
  return { compilers, overrides, ...more };
}

/** A value as JavaScript, in a hand that varies. */
export function js(dice: Random, value: unknown): string {
  if (typeof value === "number" && value >= 1000 && once(dice, 2))
    return value.toLocaleString("en").replaceAll(",", "_");
  if (typeof value === "string")
    return dice.pick([JSON.stringify(value), JSON.stringify(value), `'${value}'`, `\`${value}\``]);
  if (Array.isArray(value)) return `[${value.map((item) => js(dice, item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const fields = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => `${/^\w+$/.test(name) && !once(dice, 4) ? name : `"${name}"`}: ${js(dice, item)}`);
  const comma = once(dice, 3) ? "," : "";
  return fields.length === 0 ? "{}" : `{ ${fields.join(once(dice, 6) ? ", // and\n" : ", ")}${comma} }`;
}
