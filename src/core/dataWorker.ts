// The thread on which large files of data are read. It answers one question and ends.
import "./text/threadCatalog.ts";
import { parentPort, workerData } from "node:worker_threads";
import { readRecord, type RecordQuestion } from "./compilerInput/recordReading.ts";
import { readArtifactBytes, type ArtifactQuestion } from "./workspace/artifact.ts";

const question = workerData as RecordQuestion | ArtifactQuestion;
const answer = "contractName" in question ? readRecord(question) : readArtifactBytes(question);
const attached = "attached" in answer ? answer.attached : undefined;
// As bytes, which go over as they are and are made data again in pieces: a copy of 100,000 sources comes in one go.
const bytes = new TextEncoder().encode(JSON.stringify({ ...answer, attached: undefined }));
if (attached) parentPort?.postMessage([bytes, attached], [bytes.buffer, attached.buffer]);
else parentPort?.postMessage(bytes, [bytes.buffer]);
