import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../src/core/concurrency/turns.ts";
import { codeSummaryInPieces, creationSummaryInPieces } from "../../src/core/matching/codeSummary.ts";
import { proofSize } from "../rig/proofSize.ts";
import { compileVyper } from "../sandbox/vyperCompiler.ts";
import { vyperEnvironment } from "../sandbox/vyperEnvironment.ts";

const RELEASES = proofSize({ sample: ["0.4.3"], whole: ["0.3.7", "0.3.10", "0.4.3"] });
const environments = RELEASES.map((release) => [release, vyperEnvironment(release)] as const);
const missing = environments.find(([, environment]) => "missing" in environment)?.[1];

const ledger = (release: string) => `owner: public(address)
LIMIT: immutable(uint256)
balances: public(HashMap[address, uint256])
names: HashMap[address, String[40]]

${release.startsWith("0.3.") ? "@external" : "@deploy"}
def __init__(limit: uint256):
    LIMIT = limit
    self.owner = msg.sender

@internal
def _move(giver: address, taker: address, amount: uint256):
    assert amount <= LIMIT, "over the limit"
    self.balances[giver] -= amount
    self.balances[taker] += amount

@external
def give(taker: address, amount: uint256) -> bool:
    self._move(msg.sender, taker, amount)
    return True

@external
def take(giver: address, amount: uint256) -> bool:
    assert msg.sender == self.owner
    self._move(giver, msg.sender, amount)
    return True

@external
def call_me(name: String[40]):
    self.names[msg.sender] = name

@external
@view
def name_of(who: address) -> String[40]:
    return self.names[who]

@external
@view
def limit() -> uint256:
    return LIMIT

@external
@payable
def pay():
    self.balances[msg.sender] += msg.value

@external
@view
def sum(ones: DynArray[uint256, 8]) -> uint256:
    all: uint256 = 0
    for one${release.startsWith("0.3.") ? "" : ": uint256"} in ones:
        all += one
    return all
`;

const settingsOf = (release: string): object[] =>
  release === "0.3.7"
    ? [{}, { optimize: false }]
    : [{ optimize: "gas" }, { optimize: "codesize" }, { optimize: "none" }];

describe(
  "Functions of Vyper's code that differ",
  { skip: missing && "missing" in missing ? missing.missing : false },
  () => {
    for (const [release, environment] of environments) {
      const codeOf = async (content: string, settings: object) => {
        const output = await compileVyper("bin" in environment ? environment.bin : "", {
          language: "Vyper",
          sources: { "Ledger.vy": { content } },
          settings: {
            ...settings,
            outputSelection: { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] },
          },
        });
        const contract = output.contracts?.["Ledger.vy"]?.["Ledger"];
        assert.ok(contract, output.errors?.[0]?.message);
        const { bytecode, deployedBytecode } = contract.evm;
        return { creation: bytecode.object, runtime: deployedBytecode.object.replace(/^0x/, "") };
      };

      for (const settings of settingsOf(release)) {
        const said = async (from: string, to: string) => {
          const content = ledger(release).replace(from, to);
          const [deployed, compiled] = [
            await codeOf(ledger(release), settings),
            await codeOf(content, settings),
          ];
          // What the deployment appends: its one immutable.
          const onChain = `0x${deployed.runtime}${"2a".padStart(64, "0")}`;
          const sources = {
            language: "Vyper",
            sources: { "Ledger.vy": { content } },
            settings: {},
            contractIdentifier: "Ledger.vy:Ledger",
          } as const;
          const recompiled = `0x${compiled.runtime}`;
          const summary = atOnce(codeSummaryInPieces(onChain, recompiled, sources, compiled.creation));
          const words = summary?.facts.find(({ label }) => label === "Functions")?.value;
          const created = atOnce(
            creationSummaryInPieces(deployed.creation, compiled.creation, sources, {
              deployed: onChain,
              recompiled,
            }),
          );
          // What the creation code returns is told of the runtime code, and not of it again.
          const facts = (created?.facts ?? []).map(({ label, value }) => `${label}: ${value}`);
          assert.ok(!facts.some((fact) => /^(?:Functions|Values): /.test(fact)), facts.join("\n"));
          assert.equal(
            facts.some((fact) => fact.startsWith("Difference: the same as in the runtime code")),
            words !== undefined,
            facts.join("\n"),
          );
          return words;
        };
        const name = `${release}, ${JSON.stringify(settings)}`;

        it(`are named, and no others: ${name}`, async () => {
          assert.equal(
            await said("all += one", "all += 2 * one"),
            "The code of sum(uint256[]) (Ledger.vy:49) differs; that of the other 8 functions is the same",
          );
          assert.equal(
            await said("+= msg.value", "+= msg.value + 1"),
            "The code of pay() (Ledger.vy:44) differs; that of the other 8 functions is the same",
          );
        });

        it(`are named by those that call them where they are internal: ${name}`, async () => {
          assert.equal(
            await said("self.balances[giver] -= amount", "self.balances[giver] -= amount + 1"),
            "The code of give(address,uint256) (Ledger.vy:18) and take(address,uint256) (Ledger.vy:23) differs; that of the other 7 functions is the same. In the sources both lead to _move (Ledger.vy:12), and no other does",
          );
        });

        it(`are none where a comment changed: ${name}`, async () => {
          assert.equal(
            await said("    all: uint256 = 0", "    # From nothing.\n    all: uint256 = 0"),
            undefined,
          );
        });
      }
    }
  },
);
