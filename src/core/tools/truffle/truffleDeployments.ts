import { writtenChainId } from "../../chainId.ts";
import { isInside, joinPath, relativePath } from "../../files/fileReader.ts";
import { filesEnding, type FolderReader } from "../../files/folderReader.ts";
import { LARGEST_ARTIFACT_BYTES, readBytes, readJson } from "../../json/dataFile.ts";
import { asItems, asRecord, asText, field, fieldAt } from "../../json/looseData.ts";
import { recordedAddress, recordedHash, type RecordedDeployment } from "../deployment.ts";
import { TRUFFLE_OWN } from "./truffleNames.ts";

/** The id that Ganache's window gives its network, whose chain is that of development. */
const GANACHE = "5777";
/** Ganache takes the time of its start, in milliseconds, for the id of its network where it is given none. */
const STARTED = /^1\d{12}$/;

/**
 * What Truffle deployed: `networks` of its artifacts, by the id of the network, which is that of the chain in all networks
 * that are still deployed to but Ethereum Classic (trufflesuite/truffle, packages/contract-schema): a record does not say
 * which of two chains it is of, so that it is left out where the configuration has both. The proxies of OpenZeppelin's plugin are
 * recorded there as the contracts behind them, so that they are left out.
 *
 * @param artifacts the folder of the artifacts, absolute
 * @param shared the ids of networks that may be of more than one chain
 */
export async function truffleDeployments(
  files: FolderReader,
  root: string,
  artifacts: string,
  shared: ReadonlySet<string>,
): Promise<RecordedDeployment[]> {
  const found: RecordedDeployment[] = [];
  const proxies = await pluginProxies(files, root);
  for (const name of await filesEnding(files, artifacts, ".json")) {
    const record = joinPath(artifacts, name);
    const bytes = await readBytes(files, record, LARGEST_ARTIFACT_BYTES);
    if (!bytes || !namesNetwork(bytes)) continue;
    const artifact = await readJson(files, record);
    const contract = contractOf(artifact, root);
    if (contract === undefined) continue;
    for (const [network, made] of Object.entries(asRecord(field(artifact, "networks")) ?? {})) {
      const chainId = network === GANACHE ? "1337" : writtenChainId(network);
      const address = recordedAddress(field(made, "address"));
      const isUnclear = shared.has(network) || STARTED.test(network);
      if (chainId === undefined || isUnclear || address === undefined || proxies.has(address.toLowerCase()))
        continue;
      const hash = recordedHash(field(made, "transactionHash"));
      found.push({
        chainId,
        address,
        contract,
        ...(hash !== undefined && { creationTransactionHash: hash }),
        recordedBy: "truffle",
        record,
      });
    }
  }
  return found;
}

/** Whether an artifact may name a network: most are of what was never deployed, and large. */
function namesNetwork(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const key = '"networks"';
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + key.length))
    if (/^"networks"\s*:\s*\{\s*"/.test(text.toString("latin1", at, at + 100))) return true;
  return false;
}

/** With the path of its file where that lies in the project; before 5.2 Truffle wrote where it lay on the machine. */
function contractOf(artifact: unknown, root: string): string | undefined {
  const name = asText(field(artifact, "contractName"));
  if (name === undefined) return undefined;
  const named = [fieldAt(artifact, "ast", "absolutePath"), field(artifact, "sourcePath")].map(asText);
  const own = named.find((path) => path?.startsWith(TRUFFLE_OWN))?.slice(TRUFFLE_OWN.length);
  const here = named.find((path) => path !== undefined && isInside(path, root));
  const path = own ?? (here === undefined ? undefined : relativePath(here, root));
  return path === undefined ? name : `${path}:${name}`;
}

/** The addresses of the proxies that OpenZeppelin's plugin keeps, in lower case. */
async function pluginProxies(files: FolderReader, root: string): Promise<ReadonlySet<string>> {
  const folder = joinPath(root, ".openzeppelin");
  const found = new Set<string>();
  for (const name of await filesEnding(files, folder, ".json"))
    for (const proxy of asItems(field(await readJson(files, joinPath(folder, name)), "proxies"))) {
      const address = recordedAddress(field(proxy, "address"));
      if (address !== undefined) found.add(address.toLowerCase());
    }
  return found;
}
