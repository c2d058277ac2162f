/** A layout in which one file's text goes with an input. */
export interface WayIn {
  readonly name: string;
  /** Texts by path below the open folder. */
  readonly files: Readonly<Record<string, string>>;
  /** `path/File.sol:Name` */
  readonly contract: string;
  /** The file of `files` whose {@link MARK} reaches the input. */
  readonly victim: string;
  /** What goes is the name of a folder so many levels above the victim, or further up. */
  readonly levels?: number;
  /** Linked folders are left out here wherever they lead, so that there is nothing to tell. */
  readonly isSilent?: boolean;
}

/** Stands in the victim's text where it can reach an input. */
export const MARK = "canary_b7e1";

const PRAGMA = "pragma solidity ^0.8.0;";
const importing = (path: string) => `${PRAGMA} import "${path}"; contract A {}`;
const PLAIN = `${PRAGMA} contract A {}`;
const MARKED = `${PRAGMA} contract A {} // ${MARK}`;
const MARKED_B = `${PRAGMA} contract B {} // ${MARK}`;
const PACKAGE = '{ "name": "pkg", "version": "1.0.0" }';

/** What makes a folder a project of a tool that compiles Solidity, and where its sources lie. */
export const SOLIDITY_TOOLS = {
  plain: { folder: "contracts", files: {} },
  Foundry: { folder: "src", files: { "foundry.toml": "[profile.default]\n" } },
  "Hardhat 2": {
    folder: "contracts",
    files: { "hardhat.config.js": 'module.exports = { solidity: "0.8.28" };' },
  },
  "Hardhat 3": {
    folder: "contracts",
    files: {
      "hardhat.config.js": 'export default { solidity: "0.8.28" };',
      "package.json": '{ "devDependencies": { "hardhat": "^3.0.0" } }',
    },
  },
  Truffle: {
    folder: "contracts",
    files: { "truffle-config.js": 'module.exports = { compilers: { solc: { version: "0.8.28" } } };' },
  },
  Remix: { folder: "contracts", files: { "remix.config.json": "{}" } },
} as const;

const ofSolidity = Object.entries(SOLIDITY_TOOLS).flatMap(([tool, { folder, files }]): WayIn[] => [
  {
    name: `the contract of a project of ${tool}`,
    files: { ...files, [`${folder}/A.sol`]: MARKED },
    contract: `${folder}/A.sol:A`,
    victim: `${folder}/A.sol`,
  },
  {
    name: `a file beside the contract, ${tool}`,
    files: { ...files, [`${folder}/A.sol`]: importing("./deep/B.sol"), [`${folder}/deep/B.sol`]: MARKED_B },
    contract: `${folder}/A.sol:A`,
    victim: `${folder}/deep/B.sol`,
  },
  {
    name: `a file of a package, ${tool}`,
    files: {
      ...files,
      [`${folder}/A.sol`]: importing("pkg/B.sol"),
      "node_modules/pkg/package.json": PACKAGE,
      "node_modules/pkg/B.sol": MARKED_B,
    },
    contract: `${folder}/A.sol:A`,
    victim: "node_modules/pkg/B.sol",
  },
]);

const LIBRARIES: readonly WayIn[] = [
  {
    name: "a library of Foundry",
    files: {
      "foundry.toml": "",
      "src/A.sol": importing("dep/B.sol"),
      "lib/dep/src/B.sol": MARKED_B,
    },
    contract: "src/A.sol:A",
    victim: "lib/dep/src/B.sol",
  },
  {
    name: "an include path of Foundry",
    files: {
      "foundry.toml": '[profile.default]\ninclude_paths = ["inc"]\n',
      "src/A.sol": importing("dep/B.sol"),
      "inc/dep/B.sol": MARKED_B,
    },
    contract: "src/A.sol:A",
    victim: "inc/dep/B.sol",
  },
  {
    name: "what Remix fetched",
    files: {
      "remix.config.json": "{}",
      "contracts/A.sol": importing("https://github.com/me/it/blob/main/B.sol"),
      ".deps/github/me/it/B.sol": MARKED_B,
    },
    contract: "contracts/A.sol:A",
    victim: ".deps/github/me/it/B.sol",
  },
];

const OTHER_LANGUAGES: readonly WayIn[] = [
  {
    name: "a contract of Vyper",
    files: { "contracts/A.vy": `# pragma version 0.4.3\n# ${MARK}\n` },
    contract: "contracts/A.vy:A",
    victim: "contracts/A.vy",
  },
  ...["B.vy", "B.vyi"].map((file): WayIn => ({
    name: `an import of Vyper, ${file}`,
    files: {
      "contracts/A.vy": "# pragma version 0.4.3\nfrom deep import B\n",
      [`contracts/deep/${file}`]: `# ${MARK}\n`,
    },
    contract: "contracts/A.vy:A",
    victim: `contracts/deep/${file}`,
  })),
  {
    name: "a JSON interface of Vyper",
    files: {
      "contracts/A.vy": "# pragma version 0.4.3\nfrom deep import B\n",
      "contracts/deep/B.json": `[{ "type": "function", "name": "${MARK}", "inputs": [], "outputs": [] }]`,
    },
    contract: "contracts/A.vy:A",
    victim: "contracts/deep/B.json",
  },
  {
    name: "a JSON interface of an old Vyper",
    files: {
      "contracts/A.vy": "# @version 0.3.10\nfrom contracts.deep import B\n",
      "contracts/deep/B.json": `[{ "type": "function", "name": "${MARK}", "inputs": [], "outputs": [] }]`,
    },
    contract: "contracts/A.vy:A",
    victim: "contracts/deep/B.json",
  },
  {
    name: "a package of a virtual environment",
    files: {
      "contracts/A.vy": "# pragma version 0.4.3\nfrom pkg import B\n",
      ".venv/pyvenv.cfg": "home = /usr/bin\n",
      ".venv/lib/python3.12/site-packages/pkg/B.vy": `# ${MARK}\n`,
    },
    contract: "contracts/A.vy:A",
    victim: ".venv/lib/python3.12/site-packages/pkg/B.vy",
  },
  {
    name: "the sources of moccasin",
    files: {
      "moccasin.toml": '[project]\nsrc = "code"\n',
      "contracts/A.vy": "# pragma version 0.4.3\nimport B\n",
      "code/B.vy": `# ${MARK}\n`,
    },
    contract: "contracts/A.vy:A",
    victim: "code/B.vy",
  },
  {
    name: "a library of moccasin",
    files: {
      "moccasin.toml": "[project]\n",
      "src/A.vy": "# pragma version 0.4.3\nfrom pkg import B\n",
      "lib/github/pkg/B.vy": `# ${MARK}\n`,
    },
    contract: "src/A.vy:A",
    victim: "lib/github/pkg/B.vy",
  },
  {
    name: "a contract of Yul",
    files: { "src/A.yul": `object "A" { code { } } // ${MARK}` },
    contract: "src/A.yul:A",
    victim: "src/A.yul",
  },
  {
    name: "a contract of Fe",
    files: { "src/a.fe": `pub contract A {} // ${MARK}\n` },
    contract: "src/a.fe:A",
    victim: "src/a.fe",
  },
  {
    name: "another file of an ingot",
    files: {
      "fe.toml": '[ingot]\nname = "it"\n',
      "src/lib.fe": "pub contract A {}\n",
      "src/more/b.fe": `// ${MARK}\n`,
    },
    contract: "src/lib.fe:A",
    victim: "src/more/b.fe",
    isSilent: true,
  },
];

const CONFIGURATIONS: readonly WayIn[] = [
  {
    name: "remappings.txt of a plain folder",
    files: { "contracts/A.sol": PLAIN, "remappings.txt": `${MARK}/=lib/\n` },
    contract: "contracts/A.sol:A",
    victim: "remappings.txt",
  },
  {
    name: "remappings.txt of Foundry",
    files: { "foundry.toml": "", "src/A.sol": PLAIN, "remappings.txt": `${MARK}/=lib/\n` },
    contract: "src/A.sol:A",
    victim: "remappings.txt",
  },
  {
    name: "remappings.txt of a library of Foundry",
    files: {
      "foundry.toml": "",
      "src/A.sol": PLAIN,
      "lib/dep/foundry.toml": "",
      "lib/dep/remappings.txt": `${MARK}/=lib/\n`,
    },
    contract: "src/A.sol:A",
    victim: "lib/dep/remappings.txt",
  },
  {
    name: "the names in a folder of libraries",
    files: { "foundry.toml": "", "src/A.sol": PLAIN, [`lib/${MARK}/src/B.sol`]: "" },
    contract: "src/A.sol:A",
    victim: `lib/${MARK}/src/B.sol`,
    levels: 3,
  },
  {
    name: "foundry.toml",
    files: { "foundry.toml": `[profile.default]\nremappings = ["${MARK}/=lib/"]\n`, "src/A.sol": PLAIN },
    contract: "src/A.sol:A",
    victim: "foundry.toml",
  },
  {
    name: "what foundry.toml extends",
    files: {
      "foundry.toml": '[profile.default]\nextends = "base/base.toml"\n',
      "base/base.toml": `[profile.default]\nremappings = ["${MARK}/=lib/"]\n`,
      "src/A.sol": PLAIN,
    },
    contract: "src/A.sol:A",
    victim: "base/base.toml",
  },
  {
    name: "the configuration of Hardhat",
    files: {
      "hardhat.config.js": `module.exports = { solidity: { version: "0.8.28", settings: { evmVersion: "${MARK}" } } };`,
      "contracts/A.sol": PLAIN,
    },
    contract: "contracts/A.sol:A",
    victim: "hardhat.config.js",
  },
  {
    name: "the configuration of Remix",
    files: {
      "remix.config.json": `{ "solidity-compiler": { "settings": { "remappings": ["${MARK}/=lib/"] } } }`,
      "contracts/A.sol": PLAIN,
    },
    contract: "contracts/A.sol:A",
    victim: "remix.config.json",
  },
];

/** Standard JSON input of a build, marked in its settings. */
export function builtInput(language: string, sources: Readonly<Record<string, string>>, mark = ""): object {
  return {
    language,
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings: mark === "" ? {} : { remappings: [`${mark}/=lib/`] },
  };
}

/** The records of builds, by tool: where a record lies, and what it says. */
export const RECORDS = {
  "Hardhat 2": {
    ...SOLIDITY_TOOLS["Hardhat 2"],
    name: (path: string) => path,
    record: (input: object) => ({
      "artifacts/build-info/1.json": JSON.stringify({
        _format: "hh-sol-build-info-1",
        solcLongVersion: "0.8.28+commit.7893614a",
        input,
      }),
    }),
  },
  "Hardhat 3": {
    ...SOLIDITY_TOOLS["Hardhat 3"],
    name: (path: string) => `project/${path}`,
    record: (input: object) => ({
      "artifacts/build-info/1.json": JSON.stringify({
        _format: "hh3-sol-build-info-1",
        solcLongVersion: "0.8.28+commit.7893614a",
        userSourceNameMap: { "contracts/A.sol": "project/contracts/A.sol" },
        input,
      }),
    }),
  },
  Foundry: {
    ...SOLIDITY_TOOLS.Foundry,
    name: (path: string) => path,
    record: (input: object) => ({
      "out/build-info/1.json": JSON.stringify({ source_id_to_path: {}, solcVersion: "0.8.28", input }),
    }),
  },
  "hardhat-deploy": {
    ...SOLIDITY_TOOLS["Hardhat 2"],
    name: (path: string) => path,
    record: (input: object) => ({
      "deployments/main/solcInputs/1.json": JSON.stringify(input),
      "deployments/main/A.json": JSON.stringify({
        solcInputHash: "1",
        metadata: JSON.stringify({
          compiler: { version: "0.8.28+commit.7893614a" },
          settings: { compilationTarget: { "contracts/A.sol": "A" } },
        }),
      }),
    }),
  },
  Remix: {
    ...SOLIDITY_TOOLS.Remix,
    name: (path: string) => path,
    record: (input: object) => ({
      "contracts/artifacts/build-info/1.json": JSON.stringify({
        _format: "hh-sol-build-info-1",
        solcLongVersion: "0.8.28+commit.7893614a",
        input,
      }),
    }),
  },
} as const;

const RECORDED: readonly WayIn[] = [
  ...Object.entries(RECORDS).map(([tool, { folder, files, name, record }]): WayIn => {
    const path = `${folder}/A.sol`;
    const kept = record(builtInput("Solidity", { [name(path)]: PLAIN }, MARK));
    return {
      name: `a record of ${tool}`,
      files: { ...files, [path]: PLAIN, ...kept },
      contract: `${path}:A`,
      victim: Object.keys(kept)[0] ?? "",
      // Folders of artifacts are walked without the links that lead out of them.
      isSilent: tool === "hardhat-deploy",
    };
  }),
  {
    name: "a bundle of Vyper",
    files: {
      "contracts/A.vy": "# pragma version 0.4.3\n",
      "out/A.json": JSON.stringify({
        ...builtInput("Vyper", { "contracts/A.vy": "# pragma version 0.4.3\n" }),
        settings: { search_paths: [MARK], outputSelection: {} },
        compiler_version: "v0.4.3+commit.bff19ea2",
      }),
    },
    contract: "contracts/A.vy:A",
    victim: "out/A.json",
  },
];

/** Every way by which the text of a file reaches an input. */
export const WAYS_IN: readonly WayIn[] = [
  ...ofSolidity,
  ...LIBRARIES,
  ...OTHER_LANGUAGES,
  ...CONFIGURATIONS,
  ...RECORDED,
];
