/** The editor's own rule for links in messages, inputs and views (microsoft/vscode, `linkedText.ts`). */
export const EDITORS_LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

/** The editor's own rule for icons (microsoft/vscode, `iconLabels.ts`). */
export const EDITORS_ICON = /\$\([a-z0-9-]+(?:~[a-z]+)?\)/i;
