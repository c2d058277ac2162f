/** Largest request body the service takes: 30 MB (argotorg/sourcify, services/server/src/config/default.js). */
export const MAX_SUBMISSION_BYTES = 30 * 1024 * 1024;
