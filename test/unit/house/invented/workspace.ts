// Runs in a copy of the sources whose tables have the invented tool and the invented language.
import { rememberingReader } from "../../../../src/core/files/folderReader.ts";
import { CONTRACT_ENDINGS } from "../../../../src/core/languages/language.ts";
import { compilerInWords } from "../../../../src/core/jobs/jobWords.ts";
import { findProject } from "../../../../src/core/tools/project.ts";
import { recorderTitle } from "../../../../src/core/tools/tool.ts";
import { WATCHED_GLOB } from "../../../../src/core/workspace/watchedFiles.ts";
import { workspaceDeployments } from "../../../../src/core/workspace/workspaceDeployments.ts";
import { WorkspaceIndex } from "../../../../src/core/workspace/workspaceIndex.ts";
import { globCovers } from "../../../../src/core/files/globPattern.ts";
import { inputFrom } from "../../compilerInput/inputFrom.ts";
import { below, memoryFolders } from "../../files/memoryFolders.ts";
import { mapFinder } from "../../workspace/mapFinder.ts";

const ROOT = "/home/me/bench";
const FILES = {
  "tinker.json": '{ "sources": "workshop", "solc": "0.8.24", "launches": "flights" }',
  "workshop/Kite.sol":
    'pragma solidity ^0.8.20; import "crates/line/Line.sol"; contract Kite is Line { uint public length = 3; }',
  "workshop/Ode.quill": "write Ode\n",
  "workshop/rhymes.feather": "moon, June\n",
  "crates/line/Line.sol": "pragma solidity ^0.8.0; contract Line { }",
  "crates/line/Knot.quill": "write Knot\n",
  "assembled/Spare.sol": "contract Spare { }",
  "flights/first.launch": `{ "chain": 295, "at": "0x${"5a".repeat(20)}", "what": "workshop/Kite.sol:Kite" }`,
  "flights/torn.launch": "{",
};

const all = below(ROOT, FILES);
const reader = memoryFolders(all);
const { root, tools } = await findProject(reader, ROOT, `${ROOT}/workshop/Kite.sol`);
const folders = () => [ROOT];
const index = new WorkspaceIndex({ files: reader, finder: mapFinder(all, [ROOT]), folders });
const contracts = await index.contracts();
const files = rememberingReader(reader);
const { found, skipped, places } = await workspaceDeployments(files, [ROOT], contracts);
const kite = await inputFrom(ROOT, FILES, "workshop/Kite.sol:Kite");
const ode = await inputFrom(ROOT, FILES, "workshop/Ode.quill:Ode", { compilerVersion: "3.1.0" });

console.log(
  JSON.stringify({
    project: { root, tools: tools.map(({ title }) => title) },
    watched: Object.keys(FILES).filter((path) => globCovers(WATCHED_GLOB, `/${path}`)),
    inkpot: globCovers(WATCHED_GLOB, "/inkpot.ini"),
    contracts: contracts.map(({ path, name }) => `${path.slice(ROOT.length + 1)}:${name}`),
    deployments: found.map(({ contract, chainId, recordedBy, defined }) => ({
      contract,
      chainId,
      by: recorderTitle(recordedBy),
      isOurs: defined?.path === `${ROOT}/workshop/Kite.sol`,
    })),
    unreadable: skipped.map(({ path }) => path.slice(ROOT.length + 1)),
    places: places.map((place) => place.slice(ROOT.length + 1)),
    kite: {
      version: kite.compilerVersion,
      identifier: kite.contractIdentifier,
      sources: Object.keys(kite.stdJsonInput.sources),
      optimizer: kite.stdJsonInput.settings.optimizer,
      origins: kite.files.map(({ origin }) => origin),
    },
    ode: {
      version: ode.compilerVersion,
      identifier: ode.contractIdentifier,
      language: ode.stdJsonInput.language,
      findings: ode.findings.map(({ code }) => code),
    },
    screen: compilerInWords("workshop/Ode.quill", "").trim(),
    lenses: CONTRACT_ENDINGS.includes("quill"),
  }),
);
