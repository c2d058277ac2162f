import type { ReviewedInput } from "../../../src/core/jobs/submissionReview.ts";

const LINE =
  "    function transfer(address to, uint256 value) external returns (bool) { return _move(msg.sender, to, value); }\n";

/** A compiler input of so many files and megabytes, all of one project. */
export function largeInput({
  files,
  megabytes,
}: {
  readonly files: number;
  readonly megabytes: number;
}): ReviewedInput {
  const lines = Math.ceil((megabytes * 1e6) / files / LINE.length);
  const names = Array.from({ length: files }, (_, at) => `contracts/File${at}.sol`);
  return {
    stdJsonInput: {
      language: "Solidity",
      sources: Object.fromEntries(
        names.map((name) => [name, { content: `// ${name}\n${LINE.repeat(lines)}` }]),
      ),
      settings: { optimizer: { enabled: true, runs: 200 } },
    },
    contractIdentifier: "contracts/File0.sol:File0",
    contractName: "File0",
    compilerVersion: "0.8.28+commit.7893614a",
    compilerReason: "",
    source: "derived",
    path: "/w/contracts/File0.sol",
    project: "/w",
    files: names.map((name) => ({
      name,
      path: `/w/${name}`,
      bytes: lines * LINE.length,
      origin: "project",
    })),
    findings: [],
    warnings: [],
    changedSinceBuild: [],
  };
}
