import * as vscode from "vscode";
import type { Parts } from "../../container.ts";
import { vyperReleases } from "../../core/compilerInput/vyperReleases.ts";
import { solcReleases } from "../../core/compilerInput/solcReleases.ts";
import type { CompilerInput, CompilerSettings } from "../../core/compilerInput/standardJsonInput.ts";
import { chainLabel } from "../../core/verification/chains.ts";
import type { PredictedOutcome } from "../../core/verification/prediction/predict.ts";
import { shortAddress } from "../../core/verification/parameters.ts";
import { visibleText } from "../../core/visibleText.ts";
import { askText, pick, type Choice, type StepFrame } from "../multiStep.ts";
import { uriOf } from "../workspaceFiles.ts";
import { compilerInputOf } from "./compilerInputOf.ts";
import { lookAtDeployedCompiler } from "./deployedCompiler.ts";
import { predictionOf } from "./predictMatch.ts";
import type { VerifyState } from "./verifyContract.ts";
import { LedgerLensError } from "../../core/errors.ts";

type Item = "submit" | "expectation" | "compiler" | "optimizer" | "evmVersion" | "files";

/** What is known of the result before anything is sent. */
interface Expectation {
  readonly icon: string;
  readonly label: string;
  readonly detail?: string;
  /** Everything that speaks for it. */
  readonly reasons?: readonly string[];
}

const PREDICTING: Expectation = { icon: "sync~spin", label: "Comparing with the deployed code…" };

const EXPECTED: Readonly<Record<PredictedOutcome, Expectation>> = {
  exact_match: { icon: "pass-filled", label: "Exact match expected" },
  match: { icon: "pass", label: "Match expected" },
  mismatch: { icon: "error", label: "No match expected" },
  unknown: { icon: "question", label: "The result can't be told before" },
};

const COMPILERS = { Solidity: "solc", Yul: "solc", Vyper: "vyper", Fe: "fe" } as const;

/** The EVM versions that solc knows, newest first. */
const EVM_VERSIONS = [
  "osaka",
  "prague",
  "cancun",
  "shanghai",
  "paris",
  "london",
  "berlin",
  "istanbul",
  "petersburg",
  "constantinople",
  "byzantium",
];

/**
 * The last step: what will be sent and where. Enter submits; compiler and settings can be changed and the
 * files can be looked at, after which the step comes again.
 */
export async function reviewSubmission(parts: Parts, state: VerifyState, frame: StepFrame): Promise<void> {
  for (;;) {
    await lookAtDeployedCompiler(parts, state);
    const input = await compilerInputOf(state.contract ?? "", state.choice);
    let expected = PREDICTING;
    const item = await pick(frame, {
      placeholder: "Enter submits. Choose another line to look at it or to change it",
      choices: reviewItems(parts, state, input, expected),
      later: async (signal) => {
        expected = await expectation(parts, state, input, signal);
        return reviewItems(parts, state, input, expected);
      },
    });
    if (item === "submit") {
      state.confirmed = true;
      return;
    }
    const sub: StepFrame = { ...frame, canGoBack: true };
    try {
      if (item === "compiler")
        state.choice = { ...state.choice, compilerVersion: await pickCompiler(sub, input) };
      if (item === "optimizer") setSettings(state, await askOptimizer(sub, input));
      if (item === "evmVersion") setSettings(state, { evmVersion: await pickEvmVersion(sub) });
      if (item === "files") await showFiles(sub, input);
      if (item === "expectation") await showReasons(sub, expected);
    } catch (error) {
      // Back returns to this step; leaving leaves the command.
      if (error instanceof LedgerLensError) throw error;
    }
  }
}

/** What the deployed code says of the result; that it can't be read is an answer too. */
async function expectation(
  parts: Parts,
  { chainId = "", address = "" }: VerifyState,
  input: CompilerInput,
  signal: AbortSignal,
): Promise<Expectation> {
  try {
    const { prediction, reasons } = await predictionOf(parts, input, { chainId, address }, signal);
    const [reason] = reasons;
    return { ...EXPECTED[prediction], reasons, ...(reason !== undefined && { detail: visibleText(reason) }) };
  } catch (error) {
    if (!(error instanceof LedgerLensError)) throw error;
    return { ...EXPECTED.unknown, detail: visibleText(error.message) };
  }
}

function reviewItems(
  parts: Parts,
  { chainId = "", address = "" }: VerifyState,
  input: CompilerInput,
  expected: Expectation,
): Choice<Item>[] {
  const { language } = input.stdJsonInput;
  const { evmVersion } = input.stdJsonInput.settings;
  const bytes = input.files.reduce((sum, file) => sum + file.bytes, 0);
  const dependencies = input.files.filter(({ origin }) => origin === "dependency").length;
  const count = `${input.files.length} ${input.files.length === 1 ? "file" : "files"}`;
  return [
    {
      label: `$(cloud-upload) Submit to ${parts.service().host}`,
      detail: `Publishes ${count}, which can't be taken back · ${chainLabel(chainId)} · ${shortAddress(address)}`,
      value: "submit",
    },
    { label: "what to expect", kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(${expected.icon}) ${expected.label}`,
      ...(expected.detail !== undefined && { detail: expected.detail }),
      alwaysShow: true,
      value: "expectation",
    },
    { label: "what is sent", kind: vscode.QuickPickItemKind.Separator },
    {
      label: "$(versions) Compiler",
      description: `${COMPILERS[language]} ${input.compilerVersion} · ${input.compilerReason}`,
      value: "compiler",
    },
    { label: "$(rocket) Optimizer", description: optimizerWords(input), value: "optimizer" },
    {
      label: "$(chip) EVM version",
      description: evmVersion ?? "the compiler's default",
      value: "evmVersion",
    },
    {
      label: "$(files) Files",
      description: `${count} (${dependencies} from dependencies), ${(bytes / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} kB`,
      value: "files",
    },
    {
      label: "$(database) Read from",
      description: visibleText(sourceWords(input)),
      value: "files",
    },
    ...input.findings.map(({ severity, sentence }) => ({
      label: `$(${FINDING_ICONS[severity]}) ${visibleText(sentence)}`,
      value: "files" as const,
    })),
  ];
}

const FINDING_ICONS = { error: "error", warning: "warning", note: "info" } as const;

/** Where the input comes from. */
function sourceWords({ source, record }: CompilerInput): string {
  const file = record === undefined ? "" : ` ${vscode.workspace.asRelativePath(uriOf(record))}`;
  switch (source) {
    case "build-info":
      return `the build that${file || " is on disk"} records`;
    case "metadata":
      return `the metadata in${file || " the artifact"}, every file checked`;
    case "derived":
      return "the project's configuration and the imports";
  }
}

async function pickCompiler(frame: StepFrame, input: CompilerInput): Promise<string> {
  const releases = input.stdJsonInput.language === "Vyper" ? vyperReleases : solcReleases;
  return pick(frame, {
    placeholder: "Which compiler?",
    choices: releases.toReversed().map((version) => ({
      label: version.split("+")[0] ?? version,
      description: version === input.compilerVersion ? `${version} · chosen` : version,
      value: version,
    })),
  });
}

/** The optimizer as the compiler of the language has it. */
function optimizerWords({ stdJsonInput: { language, settings } }: CompilerInput): string {
  if (language === "Vyper") {
    const { optimize } = settings;
    return typeof optimize === "string" ? optimize : optimize === false ? "none" : "the compiler's default";
  }
  const { optimizer } = settings;
  return optimizer?.enabled ? `on, ${(optimizer.runs ?? 200).toLocaleString("en")} runs` : "off";
}

/** The settings that a person chose for the optimizer. */
async function askOptimizer(frame: StepFrame, input: CompilerInput): Promise<CompilerSettings> {
  const { language, settings } = input.stdJsonInput;
  if (language === "Vyper") {
    const optimize = await pick(frame, {
      placeholder: "What does the compiler optimize for?",
      choices: ["gas", "codesize", "none"].map((mode) => ({ label: mode, value: mode })),
    });
    return { optimize };
  }
  const text = await askText(frame, {
    prompt: "Optimizer runs, or off",
    placeholder: "200",
    value: settings.optimizer?.enabled ? String(settings.optimizer.runs ?? 200) : "off",
    check: (value) => {
      if (/^(?:off|\d{1,10})$/.test(value.trim())) return value.trim();
      throw new LedgerLensError("invalid_argument", "Use a number of runs like 200, or off.");
    },
  });
  return {
    optimizer: text === "off" ? { enabled: false, runs: 200 } : { enabled: true, runs: Number(text) },
  };
}

async function pickEvmVersion(frame: StepFrame): Promise<string | undefined> {
  const chosen = await pick(frame, {
    placeholder: "Which EVM version?",
    choices: [
      { label: "The compiler's default", value: "" },
      ...EVM_VERSIONS.map((version) => ({ label: version, value: version })),
    ],
  });
  return chosen || undefined;
}

async function showReasons(frame: StepFrame, { reasons = [], label }: Expectation): Promise<void> {
  await pick(frame, {
    placeholder: `${label}, because`,
    choices: reasons.map((reason) => ({ label: visibleText(reason), value: reason })),
  });
}

async function showFiles(frame: StepFrame, input: CompilerInput): Promise<void> {
  const path = await pick(frame, {
    placeholder: "Files that are sent. Choose one to open it beside",
    choices: input.files.map((file) => ({
      label: visibleText(file.name),
      description: `${file.bytes.toLocaleString("en")} bytes${file.origin === "dependency" ? " · dependency" : ""}`,
      value: file.path,
    })),
  });
  await vscode.window.showTextDocument(uriOf(path), { preview: true, preserveFocus: true });
}

function setSettings(state: VerifyState, change: Readonly<Record<string, unknown>>): void {
  const merged = Object.fromEntries(
    Object.entries({ ...state.choice.settings, ...change }).filter(([, value]) => value !== undefined),
  );
  state.choice = { ...state.choice, settings: merged };
}
