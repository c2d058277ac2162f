// Makes the environment of a Vyper release in a thread of its own: Python's programs are waited for.
import { parentPort, workerData } from "node:worker_threads";
import { vyperEnvironment } from "./vyperEnvironment.ts";

const { version } = workerData as { version: string };
parentPort?.postMessage(vyperEnvironment(version));
