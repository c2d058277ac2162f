import { t } from "@vscode/l10n";

/** What is said where the chain has no code at an address. */
export const NOT_DEPLOYED = t`Nothing is deployed at this address on this chain.`;

/** The same, where nothing else says what to do. */
export const CHECK_PLACE = t`Nothing is deployed at this address on this chain. Check the chain and the address.`;
