import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CompilerOutput, SolidityCompilers } from "./solidityCompilers.ts";

/** What solc says of a source that it was not given: the name it asks for. */
const WANTED = /Source "([^"]+)" not found/;

/**
 * Compiles a file of a plain folder by letting solc itself say which sources it needs: whatever it does not
 * find is read from the folder or from `node_modules` and handed in at the next try.
 */
export async function resolveLikeSolc(
  compilers: SolidityCompilers,
  version: string,
  folder: string,
  file: string,
  input: object,
): Promise<CompilerOutput> {
  const sources: Record<string, { content: string }> = {
    [file]: { content: readFileSync(join(folder, file), "utf8") },
  };
  for (;;) {
    const output = await compilers.compile(version, { ...input, sources });
    if (!output) throw new Error(`solc ${version} is not installed.`);
    const wanted = (output.errors ?? []).flatMap(({ message }) => WANTED.exec(message)?.[1] ?? []);
    if (wanted.length === 0) return output;
    for (const name of wanted) {
      const path = [join(folder, name), join(folder, "node_modules", name)].find(existsSync);
      if (!path) throw new Error(`solc asks for ${name}, which is nowhere.`);
      sources[name] = { content: readFileSync(path, "utf8") };
    }
  }
}
