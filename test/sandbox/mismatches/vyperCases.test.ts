import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  SourcifyChain,
  SourcifyLibError,
  Verification,
  VyperCompilation,
} from "@ethereum-sourcify/lib-sourcify";
import { getAddress } from "ethers";
import type { CauseCode } from "../../../src/core/verification/explanation/explanation.ts";
import { explain } from "../../../src/core/verification/explanation/explain.ts";
import type { JobError } from "../../../src/core/verification/job.ts";
import { predict } from "../../../src/core/verification/prediction/predict.ts";
import { escrow, vaultOfAges } from "./contracts.ts";
import { compileBuild, contractOf, word } from "./mismatchCase.ts";
import { compileVyper, findVyper, VYPER_FULL_VERSION, type VyperContract } from "./vyperCompiler.ts";
import { startWorld } from "./world.ts";

const faucet = `# pragma version ~=0.4.0

owner: public(address)
LIMIT: immutable(uint256)
OPENS: immutable(uint256)
taken: public(HashMap[address, uint256])
notes: HashMap[address, String[64]]

event Taken:
    who: indexed(address)
    amount: uint256

@deploy
def __init__(limit: uint256):
    LIMIT = limit
    OPENS = block.timestamp
    self.owner = msg.sender

@external
@payable
def __default__():
    pass

@external
@nonreentrant
def take(amount: uint256):
    assert block.timestamp >= OPENS, "not open"
    assert self.taken[msg.sender] + amount <= LIMIT, "over the limit"
    self.taken[msg.sender] += amount
    send(msg.sender, amount)
    log Taken(who=msg.sender, amount=amount)

@external
def note(text: String[64]):
    self.notes[msg.sender] = text

@view
@external
def note_of(who: address) -> String[64]:
    return self.notes[who]

@view
@external
def limit() -> uint256:
    return LIMIT

@external
def close():
    assert msg.sender == self.owner, "not the owner"
    send(self.owner, self.balance)
`;

const ballot = `# pragma version ~=0.4.0

struct Proposal:
    name: Bytes[32]
    votes: uint256

proposals: public(HashMap[uint256, Proposal])
count: public(uint256)
voted: public(HashMap[address, bool])

@external
def propose(name: Bytes[32]) -> uint256:
    self.proposals[self.count] = Proposal(name=name, votes=0)
    self.count += 1
    return self.count - 1

@external
def vote(id: uint256):
    assert not self.voted[msg.sender], "voted"
    assert id < self.count, "no such proposal"
    self.voted[msg.sender] = True
    self.proposals[id].votes += 1

@view
@external
def winner() -> uint256:
    best: uint256 = 0
    for at: uint256 in range(self.count, bound=100):
        if self.proposals[at].votes > self.proposals[best].votes:
            best = at
    return best

@view
@external
def name_of(id: uint256) -> Bytes[64]:
    return concat(self.proposals[id].name, b" (proposal)")
`;

interface VyperBuild {
  readonly source: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

interface VyperCase {
  readonly name: string;
  readonly causes: readonly CauseCode[];
  readonly deployed: VyperBuild;
  readonly arguments?: string;
  readonly submitted: VyperBuild;
  readonly isBlueprint?: boolean;
}

const limit = word(10n ** 18n);
const cases: readonly VyperCase[] = [
  {
    name: "faucet for Paris, submitted with the default",
    causes: ["evm_version"],
    deployed: { source: faucet, settings: { evmVersion: "paris" } },
    arguments: limit,
    submitted: { source: faucet },
  },
  {
    name: "ballot for Cancun, submitted for Shanghai",
    causes: ["evm_version"],
    deployed: { source: ballot, settings: { evmVersion: "cancun" } },
    submitted: { source: ballot, settings: { evmVersion: "shanghai" } },
  },
  {
    name: "faucet optimized for gas, submitted without optimization",
    causes: ["optimizer"],
    deployed: { source: faucet, settings: { optimize: "gas" } },
    arguments: limit,
    submitted: { source: faucet, settings: { optimize: "none" } },
  },
  {
    name: "ballot optimized for code size, submitted with the default",
    causes: ["optimizer"],
    deployed: { source: ballot, settings: { optimize: "codesize" } },
    submitted: { source: ballot },
  },
  {
    name: "faucet by Venom, submitted without",
    causes: ["via_ir"],
    deployed: { source: faucet, settings: { experimentalCodegen: true } },
    arguments: limit,
    submitted: { source: faucet },
  },
  {
    name: "ballot without Venom, submitted with it",
    causes: ["via_ir"],
    deployed: { source: ballot },
    submitted: { source: ballot, settings: { experimentalCodegen: true } },
  },
  {
    name: "faucet with another check",
    causes: ["edited_source"],
    deployed: { source: faucet },
    arguments: limit,
    submitted: { source: faucet.replace("<= LIMIT", "< LIMIT") },
  },
  {
    name: "ballot with a function more",
    causes: ["edited_source"],
    deployed: { source: ballot },
    submitted: { source: `${ballot}\n@external\ndef reset():\n    self.count = 0\n` },
  },
  {
    name: "ballot submitted for a faucet",
    causes: ["wrong_contract"],
    deployed: { source: faucet },
    arguments: limit,
    submitted: { source: ballot },
  },
  {
    name: "blueprint of a ballot",
    causes: ["wrong_contract"],
    deployed: { source: ballot },
    submitted: { source: ballot },
    isBlueprint: true,
  },
  {
    name: "blueprint of a faucet",
    causes: ["wrong_contract"],
    deployed: { source: faucet },
    submitted: { source: faucet },
    isBlueprint: true,
  },
];

const bin = findVyper();
const skip = bin === undefined ? "Vyper is not installed and can't be" : false;

describe("Why deployed and submitted Vyper code differ", { skip }, () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  let chain: SourcifyChain;
  let right = 0;
  let all = 0;
  before(async () => {
    world = await startWorld();
    chain = new SourcifyChain({
      name: "Sandbox",
      chainId: Number(world.chain.chainId),
      supported: true,
      rpcs: [{ rpc: world.chain.rpcUrl, traceSupport: "debug_traceTransaction" }],
    });
  });
  after(() => world.stop());

  const inputOf = ({ source, settings = {} }: VyperBuild) => ({
    language: "Vyper" as const,
    sources: { "Contract.vy": { content: source } },
    settings: { ...settings, outputSelection: { "*": ["*"] } },
  });

  async function compile(build: VyperBuild): Promise<VyperContract> {
    const output = await compileVyper(bin ?? "", inputOf(build));
    const contract = output.contracts?.["Contract.vy"]?.["Contract"];
    if (!contract) throw new Error(output.errors?.[0]?.message ?? "no contract");
    return contract;
  }

  async function verify(
    build: VyperBuild,
    address: string,
    transaction: string,
  ): Promise<JobError | "match" | "exact_match"> {
    const compiler = {
      compile: async (_version: string, input: unknown) => {
        const { settings, ...rest } = input as { settings: object };
        return (await compileVyper(bin ?? "", {
          ...rest,
          settings: { ...settings, outputSelection: { "*": ["*"] } },
        })) as never;
      },
    };
    const compilation = new VyperCompilation(compiler, VYPER_FULL_VERSION, inputOf(build), {
      path: "Contract.vy",
      name: "Contract",
    });
    const verification = new Verification(compilation, chain, getAddress(address), transaction);
    try {
      await verification.verify();
      const { runtimeMatch, creationMatch } = verification.status;
      return [runtimeMatch, creationMatch].includes("perfect") ? "exact_match" : "match";
    } catch (error) {
      if (!(error instanceof SourcifyLibError)) throw error;
      const given = (read: () => string) => {
        try {
          return read();
        } catch {
          return undefined;
        }
      };
      const codes = {
        onchainRuntimeCode: given(() => verification.onchainRuntimeBytecode),
        onchainCreationCode: given(() => verification.onchainCreationBytecode),
        recompiledRuntimeCode: given(() => compilation.runtimeBytecode),
        recompiledCreationCode: given(() => compilation.creationBytecode),
      };
      return { customCode: error.code, message: error.message, ...codes } as JobError;
    }
  }

  for (const one of cases) {
    it(one.name, async () => {
      const compiled = await compile(one.deployed);
      const creation = `${compiled.evm.bytecode.object}${one.arguments ?? ""}`;
      const { address, transactionHash } = await world.chain.deploy(
        one.isBlueprint ? blueprintOf(compiled.evm.bytecode.object) : creation,
      );
      const answer = await verify(one.submitted, address, transactionHash);
      assert.notEqual(typeof answer, "string", "the service found a match");
      const error = answer as JobError;
      const { causes } = explain({
        error,
        submitted: {
          compilerVersion: VYPER_FULL_VERSION,
          stdJsonInput: inputOf(one.submitted),
          contractIdentifier: "Contract.vy:Contract",
        },
      });
      const own = await compile(one.submitted);
      const { prediction } = await predict({
        deployedCode: error.onchainRuntimeCode ?? "",
        localBuild: {
          language: "Vyper",
          compilerVersion: VYPER_FULL_VERSION,
          runtimeBytecode: own.evm.deployedBytecode.object,
        },
      });
      assert.equal(prediction, "mismatch");
      all++;
      const isRight = causes[0] !== undefined && one.causes.includes(causes[0].code);
      if (isRight) right++;
      console.log(
        `${isRight ? "right" : "WRONG"} · ${one.name} · service: ${error.customCode} · ${causes
          .map(({ code, confidence }) => `${code} ${confidence.toFixed(2)}`)
          .join(", ")}\n        ${causes[0]?.evidence ?? ""}`,
      );
    });
  }

  it("tells Vyper and Solidity apart, both ways", async () => {
    const compiled = await compile({ source: faucet });
    const { output, input } = await compileBuild(world.compilers, {
      sources: { "Escrow.sol": escrow },
      contract: "Escrow",
      version: "0.8.28",
    });
    const solidity = contractOf(output, "Escrow").contract.evm.deployedBytecode.object;
    const deployedVyper = await world.chain.deploy(`${compiled.evm.bytecode.object}${limit}`);
    const verdict = await world.verifier.verify({
      chainId: world.chain.chainId,
      address: getAddress(deployedVyper.address),
      creationTransactionHash: deployedVyper.transactionHash,
      stdJsonInput: structuredClone(input) as never,
      compilerVersion: "0.8.28+commit.7893614a",
      contractIdentifier: "Escrow.sol:Escrow",
    });
    const solidityForVyper = explain({
      error: verdict.error as unknown as JobError,
      submitted: {
        compilerVersion: "0.8.28+commit.7893614a",
        stdJsonInput: input,
        contractIdentifier: "Escrow.sol:Escrow",
      },
    });
    console.log(`Solidity for Vyper: ${solidityForVyper.summary}`);
    assert.equal(solidityForVyper.causes[0]?.code, "language");

    const ages = await compileBuild(world.compilers, {
      sources: { "Ages.sol": vaultOfAges },
      contract: "VaultOfAges",
      version: "0.8.28",
    });
    for (const code of [
      solidity,
      contractOf(ages.output, "VaultOfAges").contract.evm.deployedBytecode.object,
    ]) {
      const deployed = await world.chain.deploy(
        `0x61${(code.length / 2).toString(16).padStart(4, "0")}80600a5f395ff3${code}`,
      );
      const answer = await verify({ source: ballot }, deployed.address, deployed.transactionHash);
      const { causes } = explain({
        error: answer as JobError,
        submitted: {
          compilerVersion: VYPER_FULL_VERSION,
          stdJsonInput: inputOf({ source: ballot }),
          contractIdentifier: "Contract.vy:Contract",
        },
      });
      assert.equal(causes[0]?.code, "language", causes[0]?.evidence);
    }
  });

  it("predicts a match with immutables, and an exact one by the creation code", async () => {
    const compiled = await compile({ source: faucet });
    const creation = `${compiled.evm.bytecode.object}${limit}`;
    const { address, transactionHash } = await world.chain.deploy(creation);
    const deployedCode = await world.chain.rpc<string>("eth_getCode", address, "latest");
    const localBuild = {
      language: "Vyper" as const,
      compilerVersion: VYPER_FULL_VERSION,
      runtimeBytecode: compiled.evm.deployedBytecode.object,
      creationBytecode: compiled.evm.bytecode.object,
    };
    assert.equal((await predict({ deployedCode, localBuild })).prediction, "match");
    const withCreation = await predict({ deployedCode, deployedCreationCode: creation, localBuild });
    assert.equal(withCreation.prediction, "exact_match", withCreation.reasons.join(" "));
    // Engines before the integrity hash was read call it a match.
    const answer = await verify({ source: faucet }, address, transactionHash);
    assert.ok(answer === "match" || answer === "exact_match");
  });

  it("ranks the true cause first in at least 95 %", () => {
    console.log(`true cause first: ${right} of ${all}`);
    assert.ok(right >= 0.95 * all, `${right} of ${all}`);
  });
});

/** Creation code of an ERC-5202 blueprint that holds the given creation code. */
function blueprintOf(creation: string): string {
  const runtime = `fe7100${creation.replace(/^0x/, "")}`;
  return `0x61${(runtime.length / 2).toString(16).padStart(4, "0")}80600a5f395ff3${runtime}`;
}
