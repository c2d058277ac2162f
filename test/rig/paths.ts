import { fileURLToPath } from "node:url";

/** The repository's folder. */
export const repositoryRoot = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** What set-up fetched; deleting it only costs time. */
export const cacheFolder = `${repositoryRoot}/.cache`;

/** Pictures and logs of what went wrong. */
export const failuresFolder = `${cacheFolder}/failures`;
