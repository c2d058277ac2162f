import { isOptimizing } from "../languages/solidity/solcCode.ts";
import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { t } from "@vscode/l10n";
import { asRecord } from "../json/looseData.ts";
import { detailsInWords } from "../matching/optimizerDetails.ts";
import { settingInWords } from "../matching/settingWords.ts";
import type { Submittable } from "../matching/resubmission.ts";
import { foreign } from "../text/shownText.ts";
import { grouped } from "../text/counted.ts";
import { shortVersion } from "../versions.ts";
import { NAMING_FORMS } from "../tools/tool.ts";

/** What a submission has set otherwise than the given one, as the end of a sentence: "0.8.28, runs 1,000, IR pipeline on". */
export function submissionDifferenceInWords(given: Submittable, other: Submittable): string {
  const [before, after] = [partsOf(given), partsOf(other)];
  const changed = after.filter((part, at) => part !== before[at]);
  return changed.length > 0 ? changed.join(", ") : t`as given`;
}

/** How many remappings are named. */
const MAX_NAMED = 2;

function remappingsInWords(remappings: readonly string[]): string {
  if (remappings.length === 0) return t`without remappings`;
  const named = foreign(remappings.slice(0, MAX_NAMED).join(" "));
  const more = remappings.length - MAX_NAMED;
  return t`remappings ${named}${more > 0 ? t` and ${grouped(more)} more` : ""}`;
}

/** Names of sources by the tool that writes them so, where no other one does, with that of the contract's file. */
function namesInWords(contractIdentifier: string): string {
  const entry = splitIdentifier(contractIdentifier).file;
  const fitting = NAMING_FORMS.filter(({ before }) => before !== "" && entry.startsWith(before));
  const usual = NAMING_FORMS.filter(({ before, folder }) => before === "" && entry.startsWith(`${folder}/`));
  const [form] = [...fitting, ...usual];
  const writer = form ? t`source names as ${form.title} writes them` : t`source names`;
  return `${writer}, ${foreign(entry)}`;
}

function partsOf({ compilerVersion, contractIdentifier, stdJsonInput }: Submittable): string[] {
  const { settings, sources } = stdJsonInput;
  const { optimizer, evmVersion } = settings;
  const metadata = asRecord(settings["metadata"]) ?? {};
  const revertStrings = asRecord(settings["debug"])?.["revertStrings"];
  const contents = Object.values(sources).map(({ content }) => content);
  return [
    foreign(shortVersion(compilerVersion)),
    settingInWords("optimizer", { enabled: isOptimizing(settings) }),
    `runs ${grouped(optimizer?.runs ?? 200)}`,
    optimizer?.["details"] === undefined
      ? t`the usual details`
      : foreign(detailsInWords(compilerVersion, optimizer["details"])),
    settingInWords("viaIR", settings["viaIR"]),
    settingInWords("evmVersion", evmVersion),
    t`bytecodeHash ${foreign(typeof metadata["bytecodeHash"] === "string" ? metadata["bytecodeHash"] : t`as usual`)}`,
    metadata["appendCBOR"] === false ? t`no metadata in the code` : t`metadata in the code`,
    metadata["useLiteralContent"] === true ? t`literal sources in the metadata` : t`hashes in the metadata`,
    t`revertStrings ${foreign(typeof revertStrings === "string" ? revertStrings : "default")}`,
    Object.keys(asRecord(settings["libraries"]) ?? {}).length > 0
      ? t`libraries ${foreign(JSON.stringify(settings["libraries"]))}`
      : t`no library addresses`,
    remappingsInWords(settings.remappings ?? []),
    namesInWords(contractIdentifier),
    contents.some((content) => content.includes("\r\n")) ? t`CRLF line endings` : t`LF line endings`,
  ];
}
