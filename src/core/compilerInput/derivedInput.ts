import { isDeepStrictEqual } from "node:util";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import { lastSegment, relativePath } from "../files/fileReader.ts";
import { definedOnly } from "../json/looseData.ts";
import { ownValue } from "../json/ownValue.ts";
import type { SolcCompilation } from "../languages/compilationContext.ts";
import { languageOfPath, LANGUAGES } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import { shapedSettings } from "../languages/settingsShape.ts";
import { chooseSolc } from "../languages/solidity/solcChoice.ts";
import { SOLC_SETTINGS } from "../languages/solidity/solcSettingsShape.ts";
import { computedFindings, type InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput, LanguageName } from "../sources/standardJsonInput.ts";
import { languageConfig, toolsConfiguring } from "../tools/languageConfig.ts";
import { plainFolderInput } from "../tools/plain/plainFolder.ts";
import { searchPathsOf } from "../tools/searchPaths.ts";
import { TOOLS } from "../tools/tool.ts";
import type { BuildTool } from "../tools/toolShape.ts";
import { furthest, isSameCompilation } from "./competingInputs.ts";
import { deployerOf, inputByOneOf, severalCompile } from "./competingTools.ts";
import { marksAgainst } from "./deploymentMarks.ts";
import { toolsFor, type SolidityTool } from "./toolChoice.ts";
import { compilationBy, inputBy, knownConfiguration, orFailure, type InputContext } from "./toolInput.ts";
import { compilationInWords, settingsInWords, UnknownConfigurationError } from "./unknownConfiguration.ts";

/**
 * What the project's configuration and the imports come to. That another tool deployed the contract than those whose
 * settings are taken is told.
 *
 * @throws UnknownConfigurationError, and what `contractInput` throws
 */
export async function derivedInput(context: InputContext): Promise<CompilerInput> {
  const input = await inputByLanguage(context);
  const deployer = deployerOf(context.options);
  const isTaken = deployer === undefined || (await mayBeOf(deployer, input.stdJsonInput.language, context));
  return isTaken
    ? input
    : { ...input, findings: [await deployerFinding(deployer, input, context), ...input.findings] };
}

async function inputByLanguage(context: InputContext): Promise<CompilerInput> {
  const { files, project, sources, contract, options } = context;
  const language = languageOfPath(contract.path);
  const ownInput = language && RULES[language].ownInput;
  if (!ownInput) return inputByTools(context);
  const inputAsOf = (tool: BuildTool | undefined) =>
    ownInput({
      files,
      sources,
      contract,
      root: project.root,
      options: {
        compilerVersion: options.compilerVersion,
        deployedCompilerVersion: options.deployedCompilerVersion,
        defaultSettings: options.defaultSettings,
        releases: options.releases ?? {},
      },
      configured: () =>
        languageConfig(files, project, language, { profile: options.profile, deployer: tool }),
      searchPaths: () => searchPathsOf(files, project, contract.folder),
      bySolc: () => solcCompilation(context),
    });
  const deployer = deployerOf(options);
  const input = await inputAsOf(deployer);
  if (deployer) return input;
  const { profile } = options;
  const [first, ...others] = await toolsConfiguring({ files, project, language, profile });
  for (const other of others) {
    const made = await orFailure(inputAsOf(other));
    if (first && (made instanceof LedgerLensError || !isSameCompilation(made, input)))
      return { ...input, findings: [twoConfiguredFinding(language, first, other), ...input.findings] };
  }
  return input;
}

/** That two tools are configured for a language, and nothing tells which of them compiled the contract. */
function twoConfiguredFinding(language: LanguageName, taken: BuildTool, other: BuildTool): InputFinding {
  return {
    code: "two_tools",
    severity: "warning",
    sentence: t`Both ${taken.title} and ${other.title} are configured here for ${language}, and nothing that is known of the deployment tells which of them was used; ${taken.title}'s settings are taken. Build with the tool that deployed the contract.`,
  };
}

/** Whether the settings of a contract may be those of a tool: it compiles the file, or no tool compiles the language. */
async function mayBeOf(tool: BuildTool, language: LanguageName, context: InputContext): Promise<boolean> {
  const { files, project, sources, contract, options } = context;
  if (LANGUAGES[language].compiler === LANGUAGES.Solidity.compiler) {
    const { tools, gaveWay } = await toolsFor(files, project, sources, contract.path, options.profile);
    return [...tools, ...gaveWay].some((one) => one.tool === tool);
  }
  const configuring = (await Promise.all(TOOLS.map(async (one) => [one, await one.rules()] as const)))
    .filter(([, { configured = {} }]) => ownValue(configured, language) !== undefined)
    .map(([one]) => one);
  return configuring.length === 0 || (configuring.includes(tool) && project.tools.includes(tool));
}

/** How solc compiles a file of another language than Solidity in a project: as its tool has it for Solidity. */
async function solcCompilation(context: InputContext): Promise<SolcCompilation> {
  const { files, project, sources, contract, options } = context;
  const { tools, gaveWay } = await toolsFor(files, project, sources, contract.path, options.profile);
  const deployer = deployerOf(options);
  const byDeployer = [...tools, ...gaveWay].find((one) => one.tool === deployer);
  const tool = byDeployer ?? tools[0];
  if (tool === undefined) {
    const { compilerVersion: given, deployedCompilerVersion: deployed, releases } = options;
    const compiler = chooseSolc([], { given, deployed }, releases?.solc);
    return { compiler, settings: options.defaultSettings, findings: [] };
  }
  const compilation = await compilationBy(tool, context);
  const known = await knownConfiguration(tool, compilation, [], context);
  const findings: InputFinding[] = [];
  if (!byDeployer && tools.length > 1) {
    if (!(await areAlike(tools, context))) findings.push(undecidedFinding(tools, context));
  } else if (!byDeployer && gaveWay[0]) {
    const { optimizer, evmVersion } = known.settings;
    const taken = compilationInWords(
      LANGUAGES.Solidity.compiler,
      known.compiler.version,
      definedOnly({ optimizer, evmVersion }),
    );
    findings.push(gaveWayFinding(tool.tool.title, gaveWay[0], taken, context));
  }
  return { name: compilation.name, findings: [...findings, ...compilation.findings], ...known };
}

/** Whether several tools have solc compile a file without imports in the same way. */
async function areAlike(tools: readonly SolidityTool[], context: InputContext): Promise<boolean> {
  const made = await Promise.all(
    tools.map((tool) =>
      orFailure(
        compilationBy(tool, context).then(async (compilation) => {
          const { compiler, settings } = await knownConfiguration(tool, compilation, [], context);
          const { optimizer, evmVersion } = settings;
          return { name: compilation.name, version: compiler.version, optimizer, evmVersion };
        }),
      ),
    ),
  );
  const [first, ...others] = made;
  return !(first instanceof LedgerLensError) && others.every((one) => isDeepStrictEqual(one, first));
}

function undecidedFinding(tools: readonly SolidityTool[], context: InputContext): InputFinding {
  const titles = tools.map(({ tool }) => tool.title);
  return {
    code: "two_tools",
    severity: "warning",
    sentence: t`${severalCompile(titles, context)}, there is no build of either, and ${titles[0] ?? ""}'s settings are taken. Build with the tool that deployed it.`,
    path: context.contract.path,
  };
}

/**
 * What the tools that may compile a Solidity file come to; without any what a plain folder comes to. Where several compile it, each
 * one's input is made, and what is known of the deployment decides.
 */
async function inputByTools(context: InputContext): Promise<CompilerInput> {
  const { files, project, sources, contract, options } = context;
  // Those that gave way compile the file, too, and compute how.
  const { tools, gaveWay } = await toolsFor(files, project, sources, contract.path, options.profile);
  const deployer = deployerOf(options);
  if (tools.length === 0) return plainInput(context);
  const open = gaveWay.find((one) => one.tool === deployer) ?? gaveWay[0];
  const made = inputByOneOf(tools, context);
  if (open === undefined) return (await made).input;
  const best = await orFailure(made);
  if (best instanceof LedgerLensError) {
    if (tools.some((one) => one.tool === deployer)) throw best;
    const other = await orFailure(inputBy(open, context));
    if (!(other instanceof LedgerLensError)) return other;
    throw furthest([other, best]) ?? best;
  }
  const { title, input } = best;
  // What was deployed was hardly made so; then the tool made it whose configuration has to be asked for.
  const [, contradictions, doubts] = marksAgainst(input, options);
  if (contradictions + doubts > 0 || deployer === open.tool) return inputBy(open, context);
  if (tools.some((one) => one.tool === deployer)) return input;
  const other = await orFailure(inputBy(open, context));
  const isOther =
    other instanceof LedgerLensError
      ? other instanceof UnknownConfigurationError
      : !isSameCompilation(input, other);
  return isOther
    ? {
        ...input,
        findings: [gaveWayFinding(title, open, settingsInWords(input), context), ...input.findings],
      }
    : input;
}

/** That the tool that deployed the contract is none whose settings are taken. */
async function deployerFinding(
  deployer: BuildTool,
  input: CompilerInput,
  { contract, project, options }: InputContext,
): Promise<InputFinding> {
  const { title } = deployer;
  const path = relativePath(contract.path, project.root) ?? contract.path;
  const taken = settingsInWords(input);
  const { language } = input.stdJsonInput;
  const { solidity, configured = {} } = await deployer.rules();
  const isOfSolc = LANGUAGES[language].compiler === LANGUAGES.Solidity.compiler;
  const isRead = isOfSolc ? solidity !== undefined : ownValue(configured, language) !== undefined;
  return {
    code: "two_tools",
    severity: options.deployedSigns ? "note" : "warning",
    sentence: isRead
      ? t`${title} deployed ${contract.contractName}, and its configuration here says nothing of how ${path} is compiled; taken are ${taken}. Give the compiler version and ledgerLens.compilerSettings if the deployment has others.`
      : t`${title} deployed ${contract.contractName}, and its settings for ${path} are not read; taken are ${taken}. Give the compiler version and ledgerLens.compilerSettings if the deployment has others.`,
    path: contract.path,
  };
}

/** That another tool compiles the contract too, whose settings nothing says. */
function gaveWayFinding(
  taken: string,
  open: SolidityTool,
  settings: string,
  context: InputContext,
): InputFinding {
  const { contract, options } = context;
  const { title } = open.tool;
  const both = severalCompile([taken, title], context);
  const computed = t`${lastSegment(open.place.configuration ?? title)} computes its settings`;
  const isChecked = options.deployedSigns !== undefined;
  const checked = isChecked ? t`, and nothing in the deployed code speaks against them` : "";
  return {
    code: "two_tools",
    severity: isChecked ? "note" : "warning",
    sentence: t`${both}, and ${computed}; ${taken}'s are taken (${settings})${checked}. Build with ${title} if it deployed the contract.`,
    path: contract.path,
  };
}

async function plainInput({ files, sources, contract, options }: InputContext): Promise<CompilerInput> {
  const { settings, problems } = shapedSettings(
    options.defaultSettings ?? {},
    "ledgerLens.compilerSettings",
    SOLC_SETTINGS,
  );
  const plain = await plainFolderInput(files, sources, contract, {
    compilerVersion: options.compilerVersion,
    settings: { ...settings, ...options.settings },
    deployedCompilerVersion: options.deployedCompilerVersion,
    releases: options.releases?.solc,
  });
  return { ...plain, findings: [...computedFindings(problems), ...plain.findings] };
}
