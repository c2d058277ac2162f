import { l10n } from "vscode";
import { useCatalog } from "../../core/text/catalog.ts";

// Texts are looked up in what the editor read for its language. This runs before any other module of ours, since several
// of them have texts that they make once. English is what stands in the sources.
useCatalog(l10n.bundle ?? {});
