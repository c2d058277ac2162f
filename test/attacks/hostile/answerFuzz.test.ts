import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import { FUZZ_INPUTS, tryTextReaders } from "./fuzzing.ts";
import { ANSWER_READERS } from "./textReaders.ts";

tryTextReaders(ANSWER_READERS, random("fuzz of readers of answers"), proofSize(FUZZ_INPUTS));
