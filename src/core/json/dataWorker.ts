// The thread on which large files of data are read. It answers one question and ends.
import { parentPort, workerData } from "node:worker_threads";
import { readRecord, type RecordQuestion } from "../compilerInput/recordReading.ts";
import { readArtifactBytes } from "../workspace/artifact.ts";
import type { ArtifactQuestion } from "../workspace/artifact.ts";

const question = workerData as RecordQuestion | ArtifactQuestion;
parentPort?.postMessage("contractName" in question ? readRecord(question) : readArtifactBytes(question));
