import type { CauseCode } from "../../../src/core/matching/explanation.ts";
import { escrow, vaultOfAges } from "./contracts.ts";
import { word } from "./mismatchCase.ts";
import { ballot, faucet, tariff, TARIFF_OF_DAY, vesting } from "./vyperContracts.ts";

/** A compilation by Vyper. */
export interface VyperBuild {
  readonly source: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** One thing deployed, another one submitted. */
export interface VyperCase {
  readonly name: string;
  readonly causes: readonly CauseCode[];
  readonly deployed: VyperBuild;
  readonly arguments?: string;
  readonly submitted: VyperBuild;
  readonly isBlueprint?: boolean;
  /** The service finds a match: immutables alone differ. */
  readonly isMatch?: boolean;
}

/** The faucet's constructor argument. */
export const limit = word(10n ** 18n);
const vestingArguments = word("0x70997970c51812dc3a010c7d01b50e0d17dc79c8") + word(31_536_000);
/** Every row of the decision table that takes Vyper, at least twice, in different contracts. */
export const vyperCases: readonly VyperCase[] = [
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
    name: "tariff with a function more, and with it a table of them",
    causes: ["edited_source"],
    deployed: { source: tariff + TARIFF_OF_DAY },
    submitted: { source: tariff },
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
  {
    name: "faucet with immutables behind its code: a match",
    causes: [],
    deployed: { source: faucet },
    arguments: limit,
    submitted: { source: faucet },
    isMatch: true,
  },
  {
    name: "vesting with three immutables behind its code: a match",
    causes: [],
    deployed: { source: vesting, settings: { optimize: "codesize" } },
    arguments: vestingArguments,
    submitted: { source: vesting, settings: { optimize: "codesize" } },
    isMatch: true,
  },
  {
    name: "vesting for Shanghai, submitted for Paris",
    causes: ["evm_version"],
    deployed: { source: vesting, settings: { evmVersion: "shanghai" } },
    arguments: vestingArguments,
    submitted: { source: vesting, settings: { evmVersion: "paris" } },
  },
  {
    name: "vesting with another comparison",
    causes: ["edited_source"],
    deployed: { source: vesting },
    arguments: vestingArguments,
    submitted: { source: vesting.replace(">= START", "> START") },
  },
];

/** A contract of the one language deployed, one of the other submitted. */
export const languageCases: Readonly<
  Record<
    string,
    {
      readonly submitted: "Solidity" | "Vyper";
      readonly solidity: string;
      readonly contract: string;
      readonly vyper: string;
    }
  >
> = {
  "Solidity escrow submitted for a Vyper faucet": {
    submitted: "Solidity",
    solidity: escrow,
    contract: "Escrow",
    vyper: faucet,
  },
  "Solidity vault submitted for a Vyper ballot": {
    submitted: "Solidity",
    solidity: vaultOfAges,
    contract: "VaultOfAges",
    vyper: ballot,
  },
  "Vyper ballot submitted for a Solidity escrow": {
    submitted: "Vyper",
    solidity: escrow,
    contract: "Escrow",
    vyper: ballot,
  },
  "Vyper faucet submitted for a Solidity vault": {
    submitted: "Vyper",
    solidity: vaultOfAges,
    contract: "VaultOfAges",
    vyper: faucet,
  },
};
