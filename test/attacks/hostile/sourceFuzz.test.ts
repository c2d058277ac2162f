import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import { FUZZ_INPUTS, tryTextReaders } from "./fuzzing.ts";
import { SOURCE_READERS } from "./textReaders.ts";

tryTextReaders(SOURCE_READERS, random("fuzz of readers of sources"), proofSize(FUZZ_INPUTS));
