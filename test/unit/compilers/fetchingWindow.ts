// A window of the editor without the editor: a process of its own that fetches a compiler into the store that its parent
// names.
import { CompilerDownloads } from "../../../src/core/compilers/compilerDownloads.ts";
import { CompilerStore } from "../../../src/core/compilers/compilerStore.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";

const [folder = "", listUrl = "", longVersion = "", sha256 = ""] = process.argv.slice(2);
const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
const downloads = new CompilerDownloads(client, new CompilerStore(folder, 1024 ** 3), () => listUrl);
const file = await downloads.fetch({ longVersion, sha256: [sha256] }, ({ done }) => process.send?.(done));
await client.dispose();
console.log(file);
process.disconnect();
