import type { AdmittedSource } from "./admittedSources.ts";

/** A contract of the workspace: the file on disk and the contract in it. */
export interface WorkspaceContract {
  /** Absolute path of the file. */
  readonly path: string;
  readonly contractName: string;
  /** The open folder that holds the file. */
  readonly folder: string;
}

/** A contract whose file was opened and may go. */
export interface OpenedContract extends WorkspaceContract {
  readonly source: AdmittedSource;
}
