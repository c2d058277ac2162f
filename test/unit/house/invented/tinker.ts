import { writtenChainId } from "../../../../src/core/chainId.ts";
import { isInside, joinPath, relativePath } from "../../../../src/core/files/fileReader.ts";
import { filesEnding } from "../../../../src/core/files/folderReader.ts";
import { readJson } from "../../../../src/core/json/dataFile.ts";
import { asText, field } from "../../../../src/core/json/looseData.ts";
import { remappingResolver } from "../../../../src/core/languages/solidity/solidityClosure.ts";
import { SourceFinder } from "../../../../src/core/sources/sourceLookup.ts";
import type { BuildTool, ToolPlace } from "../../../../src/core/tools/toolShape.ts";
import { recordedAddress } from "../../../../src/core/tools/deployment.ts";

async function configOf({ files, configuration = "" }: ToolPlace) {
  const config = await readJson(files, configuration);
  return {
    sources: asText(field(config, "sources")) ?? "workshop",
    launches: asText(field(config, "launches")) ?? "launches",
    solc: asText(field(config, "solc")),
  };
}

const inRoot = async (place: ToolPlace, folder: "sources" | "launches") =>
  joinPath(place.root, (await configOf(place))[folder]);

/** A build tool that there is not. */
export const tinker: BuildTool = {
  name: "tinker",
  title: "Tinker & Sons",
  configurations: ["tinker.json"],
  dependencyFolders: ["crates"],
  outputFolders: ["assembled"],
  watched: ["*.launch"],
  recorders: [{ name: "tinker-launch", title: "Tinker Launch", builds: [], watched: ["*.launch"] }],
  rules: () =>
    Promise.resolve({
      folders: async (place) => ({
        own: [await inRoot(place, "sources")],
        foreign: ["crates", "assembled"].map((folder) => joinPath(place.root, folder)),
      }),
      dependencies: ({ root }) => Promise.resolve([joinPath(root, "crates")]),
      solidity: {
        async compilation(place, sources, { path }) {
          const { solc } = await configOf(place);
          return {
            name: relativePath(path, place.root) ?? path,
            resolver: remappingResolver(new SourceFinder(sources, { project: place.root }), []),
            configured: solc === undefined ? [] : [solc],
            configuration: "tinker.json",
            settings: () => ({ optimizer: { enabled: true, runs: 77 } }),
            findings: [],
          };
        },
        standing: async (place, path) => ({
          compiles: isInside(path, await inRoot(place, "sources")),
          says: "all",
        }),
      },
      deployments: [
        {
          recorder: "tinker-launch",
          places: async (place) => [await inRoot(place, "launches")],
          async read(place) {
            const folder = await inRoot(place, "launches");
            const records = (await filesEnding(place.files, folder, ".launch")).map((name) =>
              joinPath(folder, name),
            );
            return (
              await Promise.all(
                records.map(async (record) => {
                  const launch = await readJson(place.files, record);
                  const address = recordedAddress(field(launch, "at"));
                  const chainId = writtenChainId(field(launch, "chain"));
                  const contract = asText(field(launch, "what"));
                  return address !== undefined && chainId !== undefined && contract !== undefined
                    ? [{ address, chainId, contract, recordedBy: "tinker-launch", record }]
                    : [];
                }),
              )
            ).flat();
          },
        },
      ],
    }),
};
