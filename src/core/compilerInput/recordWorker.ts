// The thread on which large build records are read. It answers one question and ends.
import { parentPort, workerData } from "node:worker_threads";
import { readRecord, type RecordQuestion } from "./recordReading.ts";

parentPort?.postMessage(readRecord(workerData as RecordQuestion));
