import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { posix } from "node:path";
import { compileFunction } from "node:vm";
import { isComputed } from "../../../src/core/tools/scripts/computed.ts";
import { readScript } from "../../../src/core/tools/scripts/literalScript.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import { random, type Random } from "../random.ts";

/** What the command line may say; no script says which. */
const COMMAND_LINES: readonly Readonly<Record<string, unknown>>[] = [
  { compiler: "0.8.24", gas: true, ir: false, runs: 200, mode: "production", list: ["p", "q"] },
  { compiler: "0.8.20", gas: false, ir: true, runs: 999, mode: "development", list: ["q"] },
  { compiler: "0.7.6", gas: undefined, ir: undefined, runs: 0, mode: undefined, list: [] },
].map((argv) => ({
  ...argv,
  /** What a package may do with an object that it is given, or a function. */
  change: (given: Record<string, unknown>) => {
    if (argv.gas === true) given["runs"] = 12_345;
  },
  call: (given: (name: string) => unknown) => (argv.gas === true ? given("p") : undefined),
}));

/** What a script exports when Node runs it with no variable of the environment set. */
function exportedBy(
  script: string,
  argv: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
): unknown {
  const loaded = new Map<string, { exports: unknown }>();
  const load = (text: string, module: { exports: unknown }) => {
    const names = ["module", "exports", "require", "process"];
    const run = compileFunction(text, names) as (...given: unknown[]) => void;
    run(module, module.exports, require, { env: {} });
    return module.exports;
  };
  const require = (name: string): unknown => {
    const path = Object.keys(files).find((one) => one.startsWith(name));
    if (path === undefined) return { argv, config: () => undefined };
    const known = loaded.get(path);
    if (known) return known.exports;
    const text = files[path] ?? "";
    const module = { exports: path.endsWith(".json") ? (JSON.parse(text) as unknown) : {} };
    loaded.set(path, module);
    return path.endsWith(".json") ? module.exports : load(text, module);
  };
  return load(script, { exports: {} });
}

/** Places where what was read is another value than what the script made; counts how many were known. */
function wrongPlaces(read: unknown, made: unknown, place: string, count: { known: number }): string[] {
  if (isComputed(read)) return [];
  if (typeof read !== "object" || read === null) {
    count.known++;
    return Object.is(read, made) ? [] : [`${place}: ${JSON.stringify(read)}, not ${JSON.stringify(made)}`];
  }
  if (typeof made !== "object" || made === null) return [`${place}: not ${JSON.stringify(made)}`];
  const computed = Array.isArray(read) ? read.findIndex(isComputed) : -1;
  // What is spread into a list may have any length.
  const entries = Object.entries(read).slice(0, computed < 0 ? undefined : computed);
  const isOpen = computed >= 0 || entries.some(([name]) => name.startsWith("..."));
  const missing = isOpen
    ? []
    : Object.entries(made)
        .filter(([name, value]) => !Object.hasOwn(read, name) && value !== undefined)
        .map(([name]) => name);
  return [
    ...missing.map((name) => `${place}.${name}: is missing`),
    ...entries
      .filter(([name]) => !name.startsWith("..."))
      .flatMap(([name, value]) => wrongPlaces(value, made[name as never], `${place}.${name}`, count)),
  ];
}

/** Scripts as people write them, and combinations that they might write. */
class ScriptWriter {
  readonly #dice: Random;
  readonly #names: string[] = [];

  constructor(dice: Random) {
    this.#dice = dice;
  }

  /** The files that it imports, by their paths. */
  files(): Record<string, string> {
    return {
      "./compilers.js": `exports.compilers = [${this.#object(2)}, { version: "0.8.9" }];\nexports.settings = ${this.#object(2)};`,
      "./settings.json": '{ "optimizer": { "enabled": true, "runs": 77 }, "viaIR": false }',
    };
  }

  script(): string {
    const lines = ['const { argv } = require("yargs");', 'require("dotenv").config();'];
    for (let count = this.#dice.below(6); count > 0; count--) {
      const name = `shared${this.#names.length}`;
      lines.push(
        this.#dice.pick([
          `const ${name} = ${this.#value(2)};`,
          `let ${name} = ${this.#value(2)}`,
          `const { UNSET: ${name} = ${this.#value(1)} } = process.env;`,
        ]),
      );
      this.#names.push(name);
      if (lines.at(-1)?.startsWith("let") === true && this.#dice.below(2) === 0)
        lines.push(
          this.#dice.pick([
            `if (${this.#condition()}) ${name} = ${this.#value(1)};`,
            `if (${this.#condition()}) { ${name} = ${this.#value(1)}; } else { ${name} = ${this.#value(1)}; }`,
            `${name} = ${this.#value(1)};`,
          ]),
        );
    }
    lines.push(
      "const settingsOf = (version, runs) => ({ version, settings: { optimizer: { enabled: !!runs, runs } } });",
    );
    lines.push(
      `const config = { solidity: ${this.#solidity()}, networks: { main: { url: process.env.URL ?? "" } } };`,
    );
    if (this.#dice.below(4) === 0)
      lines.push(`if (${this.#condition()}) { config.solidity.extra = ${this.#value(1)}; }`);
    lines.push(
      "const base = { runs: 3 }, other = { runs: 4 };",
      "config.base = base;",
      "config.other = other;",
    );
    for (let count = this.#dice.below(4); count > 0; count--) lines.push(this.#change(count));
    lines.push("module.exports = config;");
    return lines.join("\n");
  }

  /** What is done to a configuration after it was written. */
  #change(at: number): string {
    const { pick } = this.#dice;
    const value = this.#value(1);
    return pick([
      `Object.assign(config, { extra: ${value} }, ${this.#spreadable(1)});`,
      `if (${this.#condition()}) config.extra = ${value};\nelse config.extra = ${this.#value(1)};`,
      `for (const name of ["p", "q"]) config[name] = ${value};`,
      `for (const name of argv.list) config[name] = ${value};`,
      `for (const [name, one] of Object.entries({ p: 1, q: ${value} })) { config[name] = one; }`,
      `["p", "q"].forEach((name) => { config[name] = ${value}; });`,
      `argv.list.forEach((name) => { config[name] = ${value}; });`,
      `argv.call(() => { base.runs = ${value}; });`,
      `argv.change(base);`,
      `argv.change({ base });\nargv.change(other);`,
      `(argv.gas ? base : other).runs = ${value};`,
      `const alias${at} = argv.gas ? base : other;\nalias${at}.runs = ${value};`,
      `const same${at} = base;\nif (${this.#condition()}) same${at}.runs = ${value};`,
      `config.made = (function () { if (${this.#condition()}) return ${value}; return ${this.#value(1)}; })();`,
      `function make${at}(given) { given.runs = ${value}; if (${this.#condition()}) return; given.extra = 1; }\nmake${at}(base);`,
      `switch (argv.mode) { case "production": config.mode = ${value}; break; default: config.mode = ${this.#value(1)}; }`,
      `try { if (argv.gas) throw new Error(); config.tried = ${value}; } catch { config.tried = ${this.#value(1)}; }`,
      `for (let i = 0; i < argv.runs % 3; i++) config["p"] = i;`,
      `let flag${at} = false;\nfor (const one of argv.list) { if (flag${at}) config.p = ${value}; flag${at} = true; }`,
      `config.list = ["a"];\nif (${this.#condition()}) config.list.push(${value});\nconfig.first = config.list[0], config.length = config.list.length;`,
      `config.solidity.more = require("./compilers").compilers;`,
      `const { settings: own${at} } = require("./compilers.js");\nconfig.own = { ...own${at} };\nown${at}.runs = 6;\nconfig.again = require("./compilers").settings.runs;`,
      `config.json = { ...require("./settings.json"), viaIR: ${value} };`,
      `delete config.base;`,
      `config.keys = Object.keys(base).length;`,
      `const self${at} = { runs: 1, set(runs) { this.runs = runs; } };\nself${at}.set(${value});\nconfig.self = self${at};`,
    ]);
  }

  #solidity(): string {
    const { pick } = this.#dice;
    const compiler = () =>
      pick([
        `{ version: ${this.#value(0)}, settings: ${this.#object(3)} }`,
        `settingsOf(${this.#value(0)}, ${this.#value(0)})`,
        `{ ...${this.#spreadable(2)}, version: "0.8.2${this.#dice.below(9)}", ...${this.#spreadable(2)} }`,
      ]);
    return pick([
      compiler(),
      `{ compilers: [${compiler()}, ${compiler()}], ...${this.#spreadable(1)} }`,
      `{ compilers: ["0.8.20", "0.7.6"].map((version) => (${this.#object(1).replace("{", "{ version, ")})) }`,
      `{ compilers: [...(${this.#condition()} ? [${compiler()}] : []), ${compiler()}] }`,
    ]);
  }

  #object(depth: number): string {
    const names = ["optimizer", "enabled", "runs", "viaIR", "evmVersion", "metadata"];
    const parts = Array.from({ length: 1 + this.#dice.below(4) }, () => {
      if (this.#dice.below(3) === 0) return `...${this.#spreadable(depth - 1)}`;
      return `${names[this.#dice.below(names.length)] ?? ""}: ${this.#value(depth - 1)}`;
    });
    return `{ ${parts.join(", ")} }`;
  }

  /** What an object takes in. */
  #spreadable(depth: number): string {
    const other = () => (depth > 0 ? this.#object(depth - 1) : "{ runs: 5 }");
    return this.#dice.pick([
      `(${this.#condition()} ? ${other()} : ${other()})`,
      `(${this.#condition()} ? ${other()} : {})`,
      `(${this.#condition()} && ${other()})`,
      `(process.env.SOME || ${other()})`,
      other(),
    ]);
  }

  #value(depth: number): string {
    const { pick, below } = this.#dice;
    const simple = () =>
      pick([
        '"0.8.24"',
        "true",
        "false",
        "200",
        "10_000",
        "2 ** 8 - 1",
        '"paris"',
        "undefined",
        "null",
        "!0",
      ]);
    if (depth > 0 && below(3) === 0) return this.#object(depth);
    const name = this.#names[below(this.#names.length + 1)];
    return pick<() => string>([
      simple,
      () => name ?? simple(),
      () => `process.env.X ? ${simple()} : ${simple()}`,
      () => `Number(process.env.RUNS ?? ${String(below(500))})`,
      () => `parseInt(process.env["RUNS"] || "${String(below(500))}", 10)`,
      () => `process.env.VERSION ?? ${simple()}`,
      () => `(process.env.IR || "").toLowerCase() === "true"`,
      () => `process.env.IR?.toLowerCase() !== "true"`,
      () => `argv.${pick(["compiler", "gas", "runs"])}`,
      () => `argv.gas ? ${simple()} : ${simple()}`,
      () => `!!process.env.CI || argv.ir`,
      () => `typeof process.env.X === "undefined" ? ${simple()} : ${simple()}`,
    ])();
  }

  #condition(): string {
    return this.#dice.pick([
      "process.env.X",
      "!process.env.X",
      'process.env.MODE === "production"',
      "process.env.X !== undefined",
      'process.env["X"] == null',
      '"X" in process.env',
      "process.env.A && process.env.B",
      'process.env.A || argv.mode === "production"',
      "argv.gas",
      "argv.gas && !argv.ir",
      "argv.runs > 100",
      '["a", "b"].includes(process.env.X)',
    ]);
  }
}

describe("A configuration script that asks the environment and the command line", () => {
  it("is read as Node runs it with no variable set, and what the command line decides stays open", async () => {
    const dice = random("configuration scripts");
    const count = { known: 0 };
    let open = 0;
    let failed = 0;
    for (let round = 0; round < proofSize({ sample: 300, whole: 60_000 }); round++) {
      const writer = new ScriptWriter(dice);
      const [files, script] = [writer.files(), writer.script()];
      let made: unknown[];
      try {
        made = COMMAND_LINES.map((argv) => exportedBy(script, argv, files));
      } catch {
        // A script that fails builds nothing.
        failed++;
        continue;
      }
      const { exported } = await readScript(script, {
        files: memoryFolders(
          below("/w", Object.fromEntries(Object.entries(files).map(([path, text]) => [path.slice(2), text]))),
        ),
        path: "/w/hardhat.config.js",
        opened: "/w",
      });
      for (const one of made) assert.deepEqual(wrongPlaces(exported, one, "config", count), [], script);
      if (JSON.stringify(made[0]) !== JSON.stringify(made[1])) open++;
    }
    console.log(
      `${count.known} values held, ${open} scripts that the command line decides, ${failed} that fail`,
    );
    assert.ok(count.known > 3_000 && open > 100);
  });
});

describe("A path that a configuration script joins", () => {
  const FOLDER = "/w/project";
  const files = memoryFolders({});
  const readPath = async (expression: string, place = true) => {
    const text = `const path = require("path"); const lib = "lib"; module.exports = { at: ${expression} };`;
    const { exported } = await (place
      ? readScript(text, { files, path: `${FOLDER}/some.config.js`, opened: "/w" })
      : readScript(text));
    return { text, at: (exported as { readonly at: unknown }).at };
  };

  it("is the one that Node joins where it begins with the script's own folder, and stays computed all the same", async () => {
    for (const expression of [
      "__dirname",
      'path.join(__dirname, "src")',
      'path.join(__dirname, "../other", ".", "src/")',
      'path.join(__dirname, "/src", lib)',
      'path.resolve(__dirname, "src", "..", lib)',
      'path.resolve(__dirname, "/elsewhere", "src")',
      'path.resolve(path.join(__dirname, "a"), "../b")',
    ]) {
      const { text, at } = await readPath(expression);
      const module: { exports: { at?: string } } = { exports: {} };
      const run = compileFunction(text, ["module", "require", "__dirname"]) as (...given: unknown[]) => void;
      run(module, () => posix, FOLDER);
      assert.ok(isComputed(at), expression);
      assert.equal(at.path, module.exports.at?.replace(/(.)\/$/, "$1"), expression);
    }
  });

  it("is not known where a part is not, or where the script lies", async () => {
    for (const expression of [
      'path.join(__dirname, process.argv[2] ?? "src")',
      "path.join(__dirname, 5)",
      'path.resolve("src")',
      "path.dirname(__dirname)",
      "path.join(...[__dirname], ...process.argv)",
      'process.argv[2] ? __dirname : path.join(__dirname, "src")',
    ]) {
      const { at } = await readPath(expression);
      assert.ok(isComputed(at), expression);
      assert.equal(at.path, undefined, expression);
    }
    const { at } = await readPath('path.join(__dirname, "src")', false);
    assert.ok(isComputed(at) && at.path === undefined);
  });
});
