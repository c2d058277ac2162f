import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readDotenv } from "../../../../src/core/tools/foundry/dotenvFile.ts";
import { figmentValue } from "../../../../src/core/tools/foundry/figmentValue.ts";
import { readFoundryConfig } from "../../../../src/core/tools/foundry/foundryConfig.ts";
import { unreadOfFoundry } from "../../../../src/core/tools/foundry/foundryInput.ts";
import { foundryRemappings } from "../../../../src/core/tools/foundry/foundryRemappings.ts";
import { memoryFolders } from "../../files/memoryFolders.ts";

const ROOT = "/work/p";
const TOML =
  "[profile.default]\noptimizer_details = { peephole = false }\n[profile.ci]\noptimizer_runs = 777\n";

/** What is asked for where a configuration as a whole is not known; the sources are found by its remappings. */
const EVERYTHING = ["version", "optimizer", "viaIR", "evmVersion", "metadata", "debug", "libraries"];

function project(environment: string | Uint8Array, more: Readonly<Record<string, string>> = {}) {
  const files = { ".env": environment, "foundry.toml": TOML, "src/A.sol": "", ...more };
  return memoryFolders(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${ROOT}/${path}`, text])),
  );
}

const read = (environment: string | Uint8Array, more?: Readonly<Record<string, string>>) =>
  readFoundryConfig(project(environment, more), ROOT);

const values = (text: string | Uint8Array) => {
  const { variables, stopsAt } = readDotenv(typeof text === "string" ? Buffer.from(text) : text);
  return [Object.fromEntries(variables.map(({ name, value }) => [name, value])), stopsAt];
};

describe("A .env as forge reads it", () => {
  it("counts up to the line that can't be read, such as a mnemonic without quotes, and that line is told", async () => {
    for (const line of [
      "MNEMONIC=test test test",
      "X=don't",
      'X="abc',
      "this is not",
      "A-B=1",
      "1A=1",
      "export",
    ])
      assert.deepEqual(values(`A=1\n${line}\nB=2\n`), [{ A: "1" }, 2], line);
    for (const line of ['X={"a": 1}', 'RPC="u" ;', 'X="a\\tb"', "X=${B", "X=a\0b"])
      assert.deepEqual(values(`A=1\n${line}\nB=2\n`), [{ A: "1" }, 2], line);
    // A space at the very end waits for more.
    assert.deepEqual(values("A=1\nB=paris   "), [{ A: "1" }, 2]);
    const latin = Buffer.concat([Buffer.from("\ufeffA=1\nX="), Buffer.from([0xff]), Buffer.from("\nB=2")]);
    assert.deepEqual(values(latin), [{ A: "1" }, 2]);
    const { optimizerRuns, viaIr, problems } = await read(
      "FOUNDRY_OPTIMIZER_RUNS=5\nNAME=My Project\nFOUNDRY_VIA_IR=true\n",
    );
    assert.deepEqual(
      [optimizerRuns, viaIr, problems],
      [5, undefined, [".env, line 2: forge stops reading there; what follows is left out."]],
    );
  });

  it("is told only for what it decides here, not for the keys and notes of other tools", async () => {
    const told = async (environment: string | Uint8Array) => (await read(environment)).problems;
    const others = [
      "MNEMONIC=test test test junk\nKEY=1\n",
      "PRIVATE_KEY=<your key>\n",
      "NOTE=don't\n",
      'J={"a": 1}\n',
      "FOUNDRY_OPTIMIZER_RUNS=5\nNAME=My Project\n",
      "FOUNDRY_ETH_RPC_URL=$RPC_URL\nDAPP_FUZZ_RUNS=$RUNS\n",
      "DAPP_VIA_IR=$X\nFOUNDRY_VIA_IR=true\n",
    ];
    for (const environment of others) assert.deepEqual(await told(environment), [], environment);
    const stops = (line: number) => [
      `.env, line ${line}: forge stops reading there; what follows is left out.`,
    ];
    assert.deepEqual(await told("A=1\nNOTE=don't\nB=2\nfoundry_profile=ci\n"), stops(2));
    assert.deepEqual(await told("A=1\nFOUNDRY_SRC=my contracts\n"), stops(2));
    assert.deepEqual(await told(Buffer.from("\ufeffFOUNDRY_VIA_IR=true\r\n", "utf16le")), stops(1));
    assert.deepEqual(
      await told(
        "FOUNDRY_PROFILE=$P\nFOUNDRY_LIBRARIES=$L\nFOUNDRY_VYPER_OPTIMIZE=$V\nFOUNDRY_REMAPPINGS=$R\n",
      ),
      ["PROFILE", "LIBRARIES", "VYPER_OPTIMIZE", "REMAPPINGS"].map(
        (name) => `.env makes FOUNDRY_${name} of other variables; it is left out.`,
      ),
    );
  });

  it("has the first of two variables of one name, and puts a value together from its parts", () => {
    assert.deepEqual(values("A=5\nA=6\nexport\tB=7 # said\nC=\n"), [{ A: "5", B: "7", C: "" }, undefined]);
    assert.deepEqual(values(`A=a\\ b\nB="a\\"b"\nC="a\\\\b"\nD=a"b"c\nE="x\ny"\nF='a\nb # c'\nG=a\rH=b`), [
      { A: "a b", B: 'a"b', C: "a\\b", D: "abc", E: "x\ny", F: "a\nb # c", G: "a\rH=b" },
      undefined,
    ]);
  });

  it("replaces what it defined before, and knows nothing of what only the machine defines", () => {
    assert.deepEqual(values("P=ci\nA=$P\nB=${P}x\nC='$P'\nD=\"\\$P\"\nE=a\\$P\nF=$HOME\nG=${F}\nH=$P_x"), [
      { P: "ci", A: "ci", B: "cix", C: "$P", D: "$P", E: "a$P", F: undefined, G: undefined, H: "ci_x" },
      undefined,
    ]);
    const doubling = Array.from({ length: 60 }, (_, at) => `A${at + 1}=$A${at}$A${at}`).join("\n");
    assert.equal(readDotenv(Buffer.from(`A0=aa\n${doubling}`)).variables.at(-1)?.value, undefined);
  });
});

describe("A value of forge's environment", () => {
  it("is a truth, a number, a list, a table or a text, as figment has them", () => {
    const cases: readonly (readonly [text: string, value: unknown])[] = [
      [" true ", true],
      ["+5", 5],
      ["007", 7],
      ["-0", 0],
      ["99999999999999999999999", "99999999999999999999999"],
      ["0x10", "0x10"],
      ['"paris"', "paris"],
      [" contracts ", "contracts"],
      [' [ a b , "c,d" , [e],] ', ["a b", "c,d", ["e"]]],
      ["[a]x", "[a]x"],
      [
        "{yul = true, yulDetails={stackAllocation=false}}",
        { yul: true, yulDetails: { stackAllocation: false } },
      ],
      ['{"yul":true}', '{"yul":true}'],
      ['"a\\u00e9\\n"', "aé\n"],
      ['"a\\x"', '"a\\x"'],
      ["", null],
    ];
    for (const [text, value] of cases) assert.deepEqual(figmentValue(text), value, text);
    assert.equal(typeof figmentValue("5.0"), "symbol");
    const deep = "[".repeat(100_000);
    assert.equal(figmentValue(deep), deep);
  });

  it("chooses the profile whose table for Vyper goes before the one of no profile, and that before the default one's", async () => {
    // As forge 1.7.1 has them.
    const own = '[vyper]\noptimize = "none"\nexperimental_codegen = true\n';
    const ofDefault = '[profile.default.vyper]\noptimize = "gas"\npath = "p"\n';
    const ofCi = '[profile.ci.vyper]\noptimize = "codesize"\n';
    const vyperOf = async (profile: string, toml: string) =>
      (await read(`FOUNDRY_PROFILE=${profile}`, { "foundry.toml": toml })).vyper;
    const merged = { experimental_codegen: true, path: "p" };
    assert.deepEqual(await vyperOf("default", own + ofDefault), { ...merged, optimize: "gas" });
    assert.deepEqual(await vyperOf("ci", own + ofDefault), { ...merged, optimize: "none" });
    assert.deepEqual(await vyperOf("ci", own + ofDefault + ofCi), { ...merged, optimize: "codesize" });
    assert.deepEqual(await vyperOf("ci", ofDefault + ofCi), { optimize: "codesize", path: "p" });
  });

  it("lies on top of foundry.toml, tables on tables, and by names of its own", async () => {
    const { optimizerDetails, libraries, vyper, bytecodeHash, optimizer, optimizerRuns } = await read(
      [
        "FOUNDRY_OPTIMIZER_DETAILS.YUL=true",
        "FOUNDRY_OPTIMIZER_DETAILS={cse=true}",
        "FOUNDRY_LIBRARIES=[src/A.sol:A:0x01,b:B:0x02]",
        "DAPP_VYPER_OPTIMIZE=none",
        "FOUNDRY_VYPER_OPTIMIZE=gas",
        "FOUNDRY_BYTECODE_HASH=NONE",
        "DAPP_BUILD_OPTIMIZE=1",
        "foundry_optimizer_runs=6",
        "FOUNDRY_OPTIMIZER_RUNS=5",
      ].join("\n"),
    );
    assert.deepEqual({ ...optimizerDetails }, { peephole: false, cse: true, yul: true });
    assert.deepEqual([libraries, vyper], [["src/A.sol:A:0x01", "b:B:0x02"], { optimize: "gas" }]);
    assert.deepEqual([bytecodeHash, optimizer, optimizerRuns], ["none", true, 5]);
    assert.deepEqual((await read("DAPP_LIBRARIES=a:A:0x01,b")).libraries, ["a:A:0x01,b"]);
    const emptied = await read(
      "FOUNDRY_SRC=\nFOUNDRY_OPTIMIZER_RUNS=\nFOUNDRY_SOLC=0.8\nFOUNDRY_EVM_VERSION=paris#x\n",
    );
    assert.deepEqual(
      emptied.problems,
      ["src", "solc", "evm_version"].map(
        (name) => `.env: ${name} has no form that Foundry takes; it is left out.`,
      ),
    );
  });

  it("chooses a profile in any case, and is asked for where only the machine knows it", async () => {
    for (const environment of ["FOUNDRY_PROFILE=CI", "P=ci\nfoundry_profile=$P"]) {
      const { profile, optimizerRuns, problems, unknown } = await read(environment);
      assert.deepEqual([profile, optimizerRuns, problems, unknown], ["ci", 777, [], []], environment);
    }
    const { unknown } = await read("A=1\nFOUNDRY_PROFILE=$WHERE\n");
    assert.deepEqual(
      unknown.map(({ setting, place, line, code }) => [setting, place, line, code]),
      [["optimizer", "profile", 2, "$WHERE"]],
    );
    const PROD = `[profile.default]\nbytecode_hash = "none"\nsolc = "0.8.20"\n[profile.prod]\nsolc = "0.8.20"\nbytecode_hash = "ipfs"
      libraries = ["src/A.sol:A:0x0000000000000000000000000000000000000001"]\n[old]\nrevert_strings = "strip"\n[fmt]\nline_length = 99\n`;
    const asked = async (environment: string, toml = PROD) =>
      (await read(environment, { "foundry.toml": toml })).unknown.map(({ setting }) => setting);
    assert.deepEqual(await asked("FOUNDRY_PROFILE=$STAGE\n"), ["metadata", "debug", "libraries"]);
    assert.deepEqual(
      await asked("FOUNDRY_PROFILE=$S\nFOUNDRY_BYTECODE_HASH=ipfs\nFOUNDRY_LIBRARIES=a:A:0x1\n"),
      ["debug"],
    );
    assert.deepEqual(await asked("FOUNDRY_PROFILE=$STAGE\n", "[profile.default]\nvia_ir = true\n"), []);
    const many = Array.from({ length: 200 }, (_, at) => `[profile.p${at}]`).join("\n");
    assert.deepEqual(await asked("FOUNDRY_PROFILE=$STAGE\n", many), EVERYTHING);
    assert.deepEqual(await asked("FOUNDRY_CONFIG=$WHERE\n"), EVERYTHING);
    const some = await read("FOUNDRY_EVM_VERSION=${NETWORK}\nDAPP_VIA_IR=$X\nFOUNDRY_VIA_IR=true\n");
    assert.deepEqual(
      [some.viaIr, some.unknown.map(({ setting, code }) => [setting, code])],
      [true, [["evmVersion", "${NETWORK}"]]],
    );
  });

  it("names another configuration, for the libraries, too, within the project", async () => {
    const files = {
      "cfg/other.toml": '[profile.default]\nextends = "base.toml"\nsrc = "contracts"\n',
      "cfg/base.toml": "[profile.default]\noptimizer_runs = 42\n",
      "lib/dep/foundry.toml": '[profile.default]\nremappings = ["u/=v/"]\n',
      "lib/dep/contracts/B.sol": "",
    };
    const reader = project("foundry_config=cfg/other.toml\n", files);
    const config = await readFoundryConfig(reader, ROOT);
    assert.deepEqual([config.src, config.optimizerRuns, config.problems], ["contracts", 42, []]);
    assert.deepEqual(await foundryRemappings(reader, config), ["dep/=lib/dep/contracts/"]);
    for (const [name, shown] of [
      ["gone.toml", "gone.toml"],
      ["lib", "lib"],
      ["", "FOUNDRY_CONFIG"],
      ["faulty.toml", "faulty.toml"],
    ] as const) {
      const lost = await read(`FOUNDRY_PROFILE=ci\nFOUNDRY_CONFIG=${name}\n`, {
        ...files,
        "faulty.toml": "[",
      });
      assert.deepEqual(
        [lost.problems, lost.unknown.map(({ setting, line }) => [setting, line])],
        [
          [
            `forge builds nothing while ${shown} can't be read: what is deployed was built with another state of it, whose settings are not known.`,
          ],
          EVERYTHING.map((setting) => [setting, 2]),
        ],
        name,
      );
    }
    const outside = await read("FOUNDRY_CONFIG=../../etc/other.toml\n", {
      "../../etc/other.toml": "[profile.default]\noptimizer_runs = 1\n",
    });
    assert.deepEqual(
      [outside.optimizerRuns, outside.unknown.length, outside.problems],
      [
        undefined,
        EVERYTHING.length,
        [
          ".env has forge read ../../etc/other.toml instead of foundry.toml, which lies outside the project and is not read.",
        ],
      ],
    );
  });

  it("has the faults of that configuration told of it, by its name and its path", async () => {
    const config = await read("FOUNDRY_CONFIG=conf/o.toml\nFOUNDRY_PROFILE=zz\n", {
      "conf/o.toml": "via_ir = true\n[profile.default]\nsrc = 1\n",
    });
    assert.deepEqual(config.problems, [
      "conf/o.toml, profile.default: src has no form that Foundry takes; it is left out.",
      "conf/o.toml has no profile zz; the profile default is taken, as forge does.",
      "conf/o.toml: via_ir stands in no profile, which Foundry does not take; it is left out.",
    ]);
    assert.deepEqual(
      new Set(unreadOfFoundry(config).map(({ path }) => path)),
      new Set([`${ROOT}/conf/o.toml`]),
    );
    const { path } = await read("FOUNDRY_CONFIG=gone.toml\n");
    assert.equal(path, `${ROOT}/.env`);
  });

  it("says that forge builds nothing where the configuration extends itself, or a file that extends another", async () => {
    const ANOTHER = "what is deployed was built with another state of it, whose settings are not known.";
    const extending = (path: string) => `[profile.default]\nextends = "${path}"\noptimizer_runs = 5\n`;
    const told = async (files: Readonly<Record<string, string>>, environment = "") =>
      (await read(environment, files)).problems;
    const itself = (file: string) => [`forge builds nothing while ${file} extends itself: ${ANOTHER}`];
    for (const path of ["foundry.toml", "./src/../foundry.toml"])
      assert.deepEqual(await told({ "foundry.toml": extending(path) }), itself("foundry.toml"), path);
    assert.deepEqual(
      await told({ "conf/o.toml": extending("o.toml") }, "FOUNDRY_CONFIG=conf/o.toml\n"),
      itself("conf/o.toml"),
    );
    const files = { "foundry.toml": extending("b.toml"), "b.toml": extending("c.toml") };
    assert.deepEqual(await told(files), [
      `forge builds nothing while b.toml, which foundry.toml extends, extends another file: ${ANOTHER}`,
    ]);
    const gone = { "foundry.toml": extending("gone.toml") };
    assert.equal((await read("", gone)).optimizerRuns, 5);
    // Forge refuses it of the chosen profile alone.
    assert.deepEqual(await told({ ...files, "b.toml": '[profile.ci]\nextends = "c.toml"\n' }), []);
  });

  it("says that forge builds nothing with a number of DappTools that is none, also where another goes before it", async () => {
    const none = ["DAPP_BUILD_OPTIMIZE_RUNS=NONE", "DAPP_BUILD_OPTIMIZE=2", "DAPP_BUILD_OPTIMIZE_RUNS=-0"];
    for (const line of none) {
      const { problems } = await read(`${line}\nFOUNDRY_OPTIMIZER=true\nFOUNDRY_OPTIMIZER_RUNS=5\n`);
      assert.match(problems.join(), /^forge builds nothing while \.env has "/, line);
    }
    const { problems, optimizerRuns } = await read(
      "DAPP_BUILD_OPTIMIZE=01\nDAPP_BUILD_OPTIMIZE_RUNS=4294967296\nFOUNDRY_OPTIMIZER_RUNS=5\n",
    );
    assert.deepEqual([problems, optimizerRuns], [[], 5]);
  });

  it("says that forge builds nothing with a remapping that is none, be it beside a good one", async () => {
    for (const [none, all] of [
      ["c:C:0x03", "[c:C:0x03]"],
      ["=x", "[a/=b/, =x]"],
    ] as const) {
      const { problems: ofTests } = await read(`DAPP_TEST_REMAPPINGS="${all}"\n`);
      assert.match(ofTests.join(), new RegExp(`has the remapping "${none}", which is none`));
    }
    const { problems } = await read('FOUNDRY_REMAPPINGS="nope\na/=b/"\n');
    assert.deepEqual(problems, [
      'forge builds nothing while .env has the remapping "nope", which is none: what is deployed was built with another state of it, whose settings are not known.',
    ]);
  });
});
