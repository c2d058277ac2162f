import { parse } from "smol-toml";
import type { DataFormat } from "./dataFile.ts";

export const toml: DataFormat = { name: "TOML", parse: (text) => parse(text) };
