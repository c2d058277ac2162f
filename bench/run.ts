// `npm run bench`: every figure is a ratio of two measurements of this run. `-- --only inputCost` takes one of them alone.
import { benchActivation } from "./activation.ts";
import { benchCompilerInput } from "./compilerInput.ts";
import { benchInputCost } from "./inputCost.ts";
import { benchDiscovery } from "./discovery.ts";
import { benchHostLoad } from "./hostLoad.ts";
import { benchHouse } from "./house.ts";
import { benchJobs } from "./jobs.ts";
import { benchLedger } from "./ledger.ts";
import { benchLoad } from "./load.ts";
import { benchStatusLoad } from "./statusLoad.ts";

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  house: benchHouse,
  compilerInput: benchCompilerInput,
  inputCost: benchInputCost,
  discovery: benchDiscovery,
  jobs: benchJobs,
  ledger: benchLedger,
  activation: benchActivation,
  load: benchLoad,
  // In the real editor, which takes minutes; with the calls of the longest blocks where they are asked for.
  ...(process.argv.includes("--host") && {
    host: () => benchHostLoad({ explains: process.argv.includes("--explain") }),
  }),
  statusLoad: benchStatusLoad,
};

const at = process.argv.indexOf("--only");
const only = at < 0 ? undefined : process.argv[at + 1];
console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
for (const [name, bench] of Object.entries(BENCHES)) if (only === undefined || only === name) await bench();
