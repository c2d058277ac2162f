// `npm run bench`: every figure is a ratio of two measurements of this run.
import { benchActivation } from "./activation.ts";
import { benchCompilerInput } from "./compilerInput.ts";
import { benchInputCost } from "./inputCost.ts";
import { benchDiscovery } from "./discovery.ts";
import { benchHostLoad } from "./hostLoad.ts";
import { benchJobs } from "./jobs.ts";
import { benchLedger } from "./ledger.ts";
import { benchLoad } from "./load.ts";
import { benchStatusLoad } from "./statusLoad.ts";

console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
await benchCompilerInput();
await benchInputCost();
await benchDiscovery();
await benchJobs();
await benchLedger();
await benchActivation();
await benchLoad();
// In the real editor, which takes minutes; with the calls of the longest blocks where they are asked for.
if (process.argv.includes("--host")) await benchHostLoad({ explains: process.argv.includes("--explain") });
await benchStatusLoad();
