import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { rememberedDisk } from "../../rig/rememberedDisk.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { openFile } from "../../../src/core/files/fileReader.ts";
import type { FolderReader } from "../../../src/core/files/folderReader.ts";
import { builtInput, MARK, RECORDS, SOLIDITY_TOOLS, WAYS_IN, type WayIn } from "./waysIntoInput.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-outside-")));
after(() => {
  rmSync(base, { recursive: true, force: true });
});

/** A folder to be opened, and one beside it that is not opened. */
interface Place {
  readonly opened: string;
  readonly elsewhere: string;
}

let places = 0;

function place(
  files: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>> = {},
): Place {
  const folder = join(base, String(places++));
  const made = { opened: join(folder, "opened"), elsewhere: join(folder, "elsewhere") };
  mkdirSync(made.elsewhere, { recursive: true });
  for (const [at, some] of [
    [made.opened, files],
    [made.elsewhere, secrets],
  ] as const) {
    for (const [path, text] of Object.entries(some)) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), text);
    }
  }
  return made;
}

/** What would go, in every form in which it may go; or the refusal. */
async function sent(
  folders: readonly string[],
  contract: string,
  reader: FolderReader = rememberedDisk,
): Promise<{ readonly text: string; readonly input?: CompilerInput; readonly error?: LedgerLensError }> {
  try {
    const found = await findWorkspaceContract(reader, folders, contract);
    // An ingot says no compiler.
    const options = contract.includes(".fe:") ? { compilerVersion: "26.0.0" } : {};
    const input = await contractInput(reader, folders, found, options);
    const { stdJsonInput, wholeBuild, contractIdentifier } = input;
    return { text: JSON.stringify([stdJsonInput, wholeBuild, contractIdentifier]), input };
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    return { text: "", error };
  }
}

/** Puts the victim outside, and a link in its place. */
type Hide = (way: WayIn, place: Place) => void;

const leaf: Hide = ({ victim }, { opened, elsewhere }) => {
  renameSync(join(opened, victim), join(elsewhere, "secret"));
  symlinkSync(join(elsewhere, "secret"), join(opened, victim));
};

/** Moves the folder of the victim that is so many levels above it. */
const folderAbove =
  (levels: number, hops: readonly string[] = []): Hide =>
  ({ victim }, { opened, elsewhere }) => {
    const folder = victim.split("/").slice(0, -levels).join("/");
    renameSync(join(opened, folder), join(elsewhere, "folder"));
    let target = join(elsewhere, "folder");
    for (const hop of hops) {
      symlinkSync(target, join(opened, hop));
      target = join(opened, hop);
    }
    symlinkSync(target, join(opened, folder));
  };

const KINDS: readonly (readonly [name: string, hide: Hide, levels: number])[] = [
  ["a link", leaf, 0],
  [
    "a chain of links",
    ({ victim }, { opened, elsewhere }) => {
      renameSync(join(opened, victim), join(elsewhere, "secret"));
      symlinkSync(join(elsewhere, "secret"), join(opened, "hop1"));
      symlinkSync(join(opened, "hop1"), join(opened, "hop2"));
      symlinkSync(join(opened, "hop2"), join(opened, victim));
    },
    0,
  ],
  [
    "a link that climbs",
    ({ victim }, { opened, elsewhere }) => {
      renameSync(join(opened, victim), join(elsewhere, "secret"));
      const up = "../".repeat(victim.split("/").length);
      symlinkSync(`${up}elsewhere/secret`, join(opened, victim));
    },
    0,
  ],
  ["a linked folder", folderAbove(1), 1],
  ["a chain of linked folders", folderAbove(1, ["hop1", "hop2"]), 1],
  ["a linked folder above", folderAbove(2), 2],
  ["a linked folder far above", folderAbove(3), 3],
];

/** Reads while an attacker changes the victim: whenever it is opened it is a link, and whenever it is looked at it is none. */
function racing({ victim }: WayIn, { opened, elsewhere }: Place): FolderReader {
  const path = join(opened, victim);
  const during = async <T>(asked: string, read: () => Promise<T>): Promise<T> => {
    if (asked !== path) return read();
    renameSync(path, `${path}.honest`);
    symlinkSync(join(elsewhere, "secret"), path);
    try {
      return await read();
    } finally {
      rmSync(path);
      renameSync(`${path}.honest`, path);
    }
  };
  return {
    ...rememberedDisk,
    read: (asked, largest) => during(asked, () => rememberedDisk.read(asked, largest)),
    open: (asked, largest) => during(asked, () => openFile(rememberedDisk, asked, largest)),
  };
}

/** Codes that say why something is missing. */
const TELLING = new Set([
  "outside_project",
  "import_outside_project",
  "contract_outside_folders",
  "import_not_found",
  "not_on_disk",
  "file_not_found",
  "stale_metadata",
]);

let cells = 0;
after(() => {
  console.log(`ways in × kinds of outside: ${cells.toLocaleString("en")} cells`);
});

describe("The text of a file that is outside does not go", () => {
  for (const way of WAYS_IN) {
    it(`by ${way.name}`, async () => {
      const honest = place(way.files);
      const { text, error } = await sent([honest.opened], way.contract);
      assert.ok(text.includes(MARK), `it is a way in: ${error?.message ?? text}`);
      for (const [kind, hide, levels] of KINDS) {
        if (way.victim.split("/").length <= levels || levels < (way.levels ?? 0)) continue;
        const hidden = place(way.files);
        hide(way, hidden);
        const result = await sent([hidden.opened], way.contract);
        assert.ok(!result.text.includes(MARK), `${kind}: ${result.text}`);
        const codes = result.input?.findings.map(({ code }) => code) ?? [result.error?.code];
        const told = result.error?.message ?? "";
        const isTold =
          codes.some((code) => TELLING.has(String(code))) || told.includes("outside the open folders");
        assert.ok(isTold || way.isSilent, `${kind} is told: ${codes.join()} ${told}`);
        cells++;
      }
      if (way.levels !== undefined) return;
      const changing = place(
        { ...way.files, [way.victim]: (way.files[way.victim] ?? "").replaceAll(MARK, "honest") },
        { secret: way.files[way.victim] ?? "" },
      );
      const raced = await sent([changing.opened], way.contract, racing(way, changing));
      assert.ok(!raced.text.includes(MARK), `a race: ${raced.text}`);
      cells++;
    });
  }
});

const SECRET = `pragma solidity ^0.8.0; contract B {} // ${MARK}`;
const importing = (path: string) => `pragma solidity ^0.8.0; import "${path}"; contract A {}`;

/** Sources of a name that leads out of the opened folder; `at` is the folder beside it. */
const NAMES: readonly (readonly [kind: string, name: (at: string) => string])[] = [
  ["climbs", () => "../../elsewhere/B.sol"],
  ["climbs from the root", () => "../elsewhere/B.sol"],
  ["climbs on its way", () => "contracts/../../elsewhere/B.sol"],
  ["climbs through a package", () => "pkg/../../../elsewhere/B.sol"],
  ["is absolute", (at) => `${at}/B.sol`],
  ["has doubled slashes", (at) => `/${at}/B.sol`],
  ["is a file: address", (at) => `file://${at}/B.sol`],
  ["has backslashes", () => "..\\\\..\\\\elsewhere\\\\B.sol"],
  ["has a drive", (at) => `C:${at}/B.sol`],
];

const PLAIN = "pragma solidity ^0.8.0; contract A {}";
const RECORD_ELSEWHERE = JSON.stringify({
  _format: "hh-sol-build-info-1",
  solcLongVersion: "0.8.28+commit.7893614a",
  input: builtInput("Solidity", { "contracts/A.sol": PLAIN, "src/A.sol": PLAIN }, MARK),
});

/** What lies elsewhere: sources, records, names of folders. */
const OUTSIDE_PROJECT = {
  "B.sol": SECRET,
  "B.vy": `# ${MARK}\n`,
  "1.json": RECORD_ELSEWHERE,
  "build-info/1.json": RECORD_ELSEWHERE,
  [`${MARK}/src/C.sol`]: "",
  "base.toml": `[profile.default]\nremappings = ["${MARK}/=lib/"]\n`,
  "solidity-files-cache.json": JSON.stringify({
    files: {
      "src/A.sol": { artifacts: { A: { "0.8.28": { default: { build_id: "../../elsewhere/1" } } } } },
    },
  }),
};

/** Configurations in which a tool would read what lies at `OUT`. */
const CONFIGURED: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  only?: string,
])[] = [
  [
    "a remapping of a plain folder",
    { "remappings.txt": "x/=OUT/\n", "contracts/A.sol": importing("x/B.sol") },
  ],
  [
    "a remapping of Foundry",
    {
      "foundry.toml": '[profile.default]\nremappings = ["x/=OUT/"]\nallow_paths = ["OUT"]\n',
      "src/A.sol": importing("x/B.sol"),
    },
  ],
  [
    "a library folder",
    { "foundry.toml": '[profile.default]\nlibs = ["OUT"]\n', "src/A.sol": importing("B.sol") },
  ],
  [
    "the names of a library folder",
    { "foundry.toml": '[profile.default]\nlibs = ["OUT"]\n', "src/A.sol": PLAIN },
  ],
  [
    "an include path",
    { "foundry.toml": '[profile.default]\ninclude_paths = ["OUT"]\n', "src/A.sol": importing("B.sol") },
  ],
  [
    "a configuration that is extended",
    { "foundry.toml": '[profile.default]\nextends = "OUT/base.toml"\n', "src/A.sol": PLAIN },
  ],
  ["the output of Foundry", { "foundry.toml": '[profile.default]\nout = "OUT"\n', "src/A.sol": PLAIN }],
  [
    "the build records of Foundry",
    { "foundry.toml": '[profile.default]\nbuild_info_path = "OUT/build-info"\n', "src/A.sol": PLAIN },
  ],
  ["the cache of Foundry", { "foundry.toml": '[profile.default]\ncache_path = "OUT"\n', "src/A.sol": PLAIN }],
  [
    "the record that an artifact of Hardhat names",
    {
      "hardhat.config.js": 'module.exports = { solidity: "0.8.28" };',
      "contracts/A.sol": PLAIN,
      "artifacts/contracts/A.sol/A.dbg.json": '{ "buildInfo": "../../../OUT/1.json" }',
    },
    "../elsewhere",
  ],
  [
    "the record that an artifact of Hardhat names by itself",
    {
      "hardhat.config.js": 'module.exports = { solidity: "0.8.28" };',
      "contracts/A.sol": PLAIN,
      "artifacts/contracts/A.sol/A.dbg.json": '{ "buildInfo": "OUT/1.json" }',
    },
    "ABSOLUTE",
  ],
  [
    "a remapping of Remix",
    {
      "remix.config.json": '{ "solidity-compiler": { "settings": { "remappings": ["x/=OUT/"] } } }',
      "contracts/A.sol": importing("x/B.sol"),
    },
  ],
  [
    "a remapping of Hardhat 3",
    {
      ...SOLIDITY_TOOLS["Hardhat 3"].files,
      "remappings.txt": "x/=OUT/\n",
      "contracts/A.sol": importing("x/B.sol"),
    },
  ],
  [
    "the sources of moccasin",
    { "moccasin.toml": '[project]\nsrc = "OUT"\n', "src/A.vy": "# pragma version 0.4.3\nimport B\n" },
  ],
  [
    "the contracts of moccasin",
    { "moccasin.toml": '[layout]\ncontracts = "OUT"\n', "src/A.vy": "# pragma version 0.4.3\nimport B\n" },
  ],
  ["an import of Vyper", { "src/A.vy": "# pragma version 0.4.3\nfrom ...elsewhere import B\n" }],
];

describe("A path that leads outside gives nothing", () => {
  for (const [tool, { folder, files }] of Object.entries(SOLIDITY_TOOLS)) {
    for (const [kind, name] of NAMES) {
      it(`in an import that ${kind}, ${tool}`, async () => {
        const at = place({ ...files }, { "B.sol": SECRET });
        mkdirSync(join(at.opened, folder), { recursive: true });
        writeFileSync(join(at.opened, folder, "A.sol"), importing(name(at.elsewhere)));
        const result = await sent([at.opened], `${folder}/A.sol:A`);
        assert.ok(!result.text.includes(MARK), result.text);
        cells++;
      });
    }
  }

  for (const written of ["../elsewhere", "ABSOLUTE", "src/../../elsewhere"]) {
    for (const [what, files, only = written] of CONFIGURED) {
      if (only !== written) continue;
      it(`as ${written} in ${what}`, async () => {
        const at = place({}, OUTSIDE_PROJECT);
        const path = written.replace("ABSOLUTE", at.elsewhere);
        for (const [name, text] of Object.entries(files)) {
          mkdirSync(dirname(join(at.opened, name)), { recursive: true });
          writeFileSync(join(at.opened, name), text.replaceAll("OUT", path));
        }
        const contract = Object.keys(files).find((name) => /\/A\.(?:sol|vy)$/.test(name)) ?? "";
        const result = await sent([at.opened], `${contract}:A`);
        assert.ok(!result.text.includes(MARK), result.text);
        const codes = result.input?.findings.map(({ code }) => code) ?? [result.error?.code];
        assert.ok(
          codes.some((code) => TELLING.has(String(code))),
          `told: ${codes.join()}`,
        );
        cells++;
      });
    }
  }
});

/** Names in a record for a text that stands for no file of the project: made up, or of a file elsewhere. */
const RECORDED_NAMES: readonly (readonly [kind: string, name: (at: string) => string])[] = [
  ...NAMES.filter(([kind]) => kind !== "has backslashes"),
  ["is no file", () => "contracts/Gone.sol"],
  ["is no package", () => "@gone/pkg/Gone.sol"],
  ["is a package of Hardhat 3", () => "npm/gone@1.0.0/Gone.sol"],
  ["is an address", () => "https://example.org/Gone.sol"],
  ["is a link that leads out", () => "linked/B.sol"],
];

describe("A text in a record that is no file of the project or its dependencies does not go", () => {
  for (const [tool, { folder, files, name, record }] of Object.entries(RECORDS)) {
    for (const [kind, nameOf] of RECORDED_NAMES) {
      for (const isNeeded of [true, false]) {
        it(`whose name ${kind}, ${isNeeded ? "imported" : "compiled besides"}, ${tool}`, async () => {
          const at = place(files, { "B.sol": SECRET });
          symlinkSync(at.elsewhere, join(at.opened, "linked"));
          const path = `${folder}/A.sol`;
          const stranger = nameOf(at.elsewhere);
          const source = isNeeded ? importing(stranger) : PLAIN;
          const kept = record(builtInput("Solidity", { [name(path)]: source, [stranger]: SECRET }));
          for (const [one, text] of Object.entries({ ...kept, [path]: source })) {
            mkdirSync(dirname(join(at.opened, one)), { recursive: true });
            writeFileSync(join(at.opened, one), text);
          }
          const result = await sent([at.opened], `${path}:A`);
          assert.ok(!result.text.includes(MARK), result.text);
          if (!isNeeded) {
            const told = result.input?.findings.find(({ code }) => code === "not_on_disk");
            assert.match(told?.sentence ?? "", /1\.json holds .*So the whole build can't be sent/);
          }
          cells++;
        });
      }
    }
  }

  it("in a bundle of Vyper: a source, an interface, a layout", async () => {
    const contract = "# pragma version 0.4.3\n";
    for (const [field, value] of [
      ["sources", { "contracts/A.vy": { content: contract }, "gone/B.vy": { content: `# ${MARK}` } }],
      ["interfaces", { "gone/B.json": { abi: [{ type: "function", name: MARK }] } }],
      ["interfaces", { "gone/B.vyi": { content: `# ${MARK}` } }],
      ["storage_layout_overrides", { "gone.json": { [MARK]: {} } }],
    ] as const) {
      const bundle = {
        ...builtInput("Vyper", { "contracts/A.vy": contract }),
        compiler_version: "v0.4.3+commit.bff19ea2",
        [field]: value,
      };
      const at = place({ "contracts/A.vy": contract, "out/A.json": JSON.stringify(bundle) });
      const { text, input } = await sent([at.opened], "contracts/A.vy:A");
      assert.ok(!text.includes(MARK), text);
      assert.equal(input?.source, "derived");
      assert.ok(input.findings.some(({ code }) => code === "not_on_disk"));
      cells++;
    }
  });
});
