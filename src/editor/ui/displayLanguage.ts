import { config } from "@vscode/l10n";
import { l10n } from "vscode";

// Texts are looked up in what the editor read for its language. This runs before any other module of ours, since several
// of them have texts that they make once. English is what stands in the sources.
config({ contents: l10n.bundle ?? {} });
