import { joinPath } from "../../files/fileReader.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { walkFolders } from "../../files/walk.ts";
import { readJson } from "../../json/dataFile.ts";
import { asRecord, asText, field, fieldAt, parseJson } from "../../json/looseData.ts";
import type { WorkspaceContract } from "../../sources/contractReference.ts";
import { recordsIn } from "../recordsIn.ts";
import type { KeptInput } from "../toolShape.ts";

/**
 * hardhat-deploy keeps the input of each deployed contract: `deployments/<network>/<Name>.json` names it by hash in
 * `solcInputs`, and its metadata names the compiler (wighawag/hardhat-deploy, src/DeploymentsManager.ts).
 *
 * @param deployments the folder of all networks
 */
export async function hardhatDeployInputs(
  files: FolderReader,
  deployments: string,
  { path, contractName }: Pick<WorkspaceContract, "path" | "contractName">,
): Promise<readonly KeptInput[]> {
  const found: KeptInput[] = [];
  for (const { path: network } of (await walkFolders(files, deployments, { deepest: 1 })).slice(1)) {
    for (const file of await recordsIn(files, network)) {
      const deployment = await readJson(files, file);
      const hash = asText(field(deployment, "solcInputHash"));
      const metadata = parseJson(asText(field(deployment, "metadata")) ?? "");
      const target = Object.entries(asRecord(fieldAt(metadata, "settings", "compilationTarget")) ?? {})[0];
      if (hash === undefined || target?.[1] !== contractName || !path.endsWith(`/${target[0]}`)) continue;
      found.push({
        deployment: file,
        input: joinPath(network, `solcInputs/${hash}.json`),
        compilerVersion: asText(fieldAt(metadata, "compiler", "version")),
      });
    }
  }
  return found;
}
