import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { getAddress } from "ethers";
import {
  isVyperRelease,
  vyperFiles,
  vyperVersion,
  type VyperProgram,
} from "../../../src/core/compilers/vyperPrograms.ts";
import { vyperReleases } from "../../../src/core/languages/vyper/vyperReleases.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { startChain, type Chain } from "../../sandbox/chain.ts";
import { word } from "../../sandbox/mismatches/mismatchCase.ts";
import { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";
import { VyperCompilers } from "../../sandbox/vyperCompilers.ts";
import { vyperEnvironment } from "../../sandbox/vyperEnvironment.ts";
import { compared, RecordingVerifier, startLocalWorld, type LocalWorld } from "./localWorld.ts";

const RELEASES = proofSize({ sample: ["0.4.3"], whole: ["0.3.7", "0.3.10", "0.4.3"] });
const environments = RELEASES.map((release) => [release, vyperEnvironment(release)] as const);
const missing = environments.find(([, environment]) => "missing" in environment)?.[1];

/** A counter that adds a figure that it is created with, and one that is written in it. */
const counter = (release: string, figure: string) => `owner: public(address)
STEP: immutable(uint256)
count: public(uint256)

${release.startsWith("0.3.") ? "@external" : "@deploy"}
def __init__(step: uint256):
    STEP = step
    self.owner = msg.sender

@external
def advance(times: uint256) -> uint256:
    assert msg.sender == self.owner, "not the owner"
    self.count += times * STEP + ${figure}
    return self.count
`;

const inputOf = (content: string, settings: object = {}) => ({
  language: "Vyper",
  sources: { "Counter.vy": { content } },
  settings: {
    outputSelection: { "Counter.vy": ["evm.bytecode.object", "evm.deployedBytecode.object"] },
    ...settings,
  },
});

describe(
  "A verdict on Vyper that is found here",
  { skip: missing && "missing" in missing ? missing.missing : false },
  () => {
    let chain: Chain;
    let local: LocalWorld;
    let service: RecordingVerifier;
    let programs: string;
    const compilers = new VyperCompilers();
    before(async () => {
      chain = await startChain();
      local = await startLocalWorld([]);
      service = new RecordingVerifier(new SolidityCompilers(), [chain]);
      programs = await mkdtemp(join(tmpdir(), "programs-"));
      for (const [release, environment] of environments) {
        if ("missing" in environment) continue;
        // By the interpreter: what a script names as its own is another path once its environment was moved.
        const file = join(programs, release);
        await writeFile(
          file,
          `#!/bin/sh\nexec "${environment.bin}/python" "${environment.bin}/vyper" "$@"\n`,
        );
        await chmod(file, 0o755);
      }
    });
    after(async () => {
      await rm(programs, { recursive: true });
      await local.stop();
      await chain.stop();
    });

    const fullVersion = (release: string) => vyperReleases.find((one) => one.startsWith(`${release}+`)) ?? "";

    /** As the editor finds one: it has to say that it is the release. */
    async function programOf(version: string): Promise<VyperProgram> {
      for (const release of RELEASES) {
        const [file] = await vyperFiles({ path: join(programs, release), searchPath: "", workspace: [] });
        const said = file === undefined ? undefined : await vyperVersion(file);
        if (file !== undefined && said !== undefined && isVyperRelease(said, version))
          return { file, version: said };
      }
      throw new Error(`no Vyper ${version}`);
    }

    for (const [release, environment] of environments) {
      it(`is the service's with ${release}`, async () => {
        if ("missing" in environment) throw new Error(environment.missing);
        const version = fullVersion(release);
        assert.match(version, /\+commit\.[0-9a-f]{8}$/);
        const compiled = await compilers.compile(version, inputOf(counter(release, "7")));
        const contract = compiled?.contracts?.["Counter.vy"]?.["Counter"];
        assert.ok(contract, compiled?.errors?.[0]?.message);
        const { address, transactionHash } = await chain.deploy(`${contract.evm.bytecode.object}${word(3)}`);
        for (const input of [
          inputOf(counter(release, "7")),
          inputOf(counter(release, "8")),
          inputOf(counter(release, "7 + nothing")),
          inputOf(counter(release, "7"), { evmVersion: release === "0.3.7" ? "istanbul" : "paris" }),
          inputOf(`# ${release}\n${counter(release, "7")}`),
        ])
          await service.verify({
            chainId: chain.chainId,
            address: getAddress(address),
            creationTransactionHash: transactionHash,
            stdJsonInput: input,
            compilerVersion: version,
            contractIdentifier: "Counter.vy:Counter",
          });
        const found = [];
        for (const judged of service.judged.splice(0))
          found.push(await compared(local, judged, chain, { vyper: programOf }));
        for (const one of found)
          console.log(`${release}: ${one.kind === "equal" ? one.word : JSON.stringify(one)}`);
        assert.deepEqual(
          found.filter(({ kind }) => kind !== "equal"),
          [],
        );
        const words = found.map((one) => (one.kind === "equal" ? one.word.split(" / ")[0] : ""));
        assert.equal(words[0], release === "0.4.3" ? "exact_match" : "match");
        assert.ok(words.includes("mismatch"));
      });
    }

    it("is asked of no program that PATH finds as another release", async () => {
      const found = await vyperFiles({
        path: undefined,
        searchPath: [programs, ...environments.map(([, one]) => ("bin" in one ? one.bin : ""))].join(
          delimiter,
        ),
        workspace: [],
      });
      assert.equal(found.length, RELEASES.length);
      await assert.rejects(programOf("0.4.2+commit.4b4da2a5"), /no Vyper/);
    });
  },
);
