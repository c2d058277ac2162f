import { config } from "@vscode/l10n";

// The texts of the editor's language, which the document brings; they are there before any module makes one.
config({ contents: document.getElementById("texts")?.textContent ?? "{}" });
