import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import { FUZZ_INPUTS, tryTextReaders } from "./fuzzing.ts";
import { PROJECT_READERS } from "./textReaders.ts";

tryTextReaders(PROJECT_READERS, random("fuzz of readers of projects"), proofSize(FUZZ_INPUTS));
