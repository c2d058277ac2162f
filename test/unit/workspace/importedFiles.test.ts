import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ImportedFiles } from "../../../src/core/workspace/importedFiles.ts";
import { memoryFiles } from "../files/memoryFiles.ts";

const imported = (
  files: Readonly<Record<string, string | Uint8Array>>,
  importPath: string,
  importer: string,
) =>
  new ImportedFiles(memoryFiles(files), () => ["/h"]).resolve(importPath, importer, (path) =>
    Promise.resolve(Object.hasOwn(files, path)),
  );

describe("Where an import leads on disk", () => {
  it("is below a folder above it or its `lib`, also where a folder is only named like that of packages", async () => {
    for (const folder of ["/h/node_modules_old/app", "/h/my_node_modules", "/h/app"]) {
      const importer = `${folder}/A.sol`;
      const [library, own] = [`${folder}/lib/oz/B.sol`, `${folder}/src/C.sol`];
      assert.equal(await imported({ [library]: "" }, "oz/B.sol", importer), library);
      assert.equal(await imported({ [own]: "" }, "src/C.sol", importer), own);
    }
    const packaged = "/h/node_modules/app";
    const files = { [`${packaged}/lib/oz/B.sol`]: "", [`${packaged}/src/C.sol`]: "" };
    assert.equal(await imported(files, "oz/B.sol", `${packaged}/A.sol`), undefined);
    assert.equal(await imported(files, "src/C.sol", `${packaged}/A.sol`), undefined);
  });

  it("is told by a `remappings.txt` that is UTF-8, as forge reads it, and by no other one", async () => {
    const [importer, named] = ["/h/src/A.sol", "/h/vendor/oz/B.sol"];
    const led = (remappings: Uint8Array) =>
      imported({ "/h/remappings.txt": remappings, [named]: "" }, "@oz/B.sol", importer);
    const text = new TextEncoder().encode("@oz/=vendor/oz/\n");
    assert.equal(await led(text), named);
    assert.equal(await led(new Uint8Array([...text, 0xff, 0x0a])), undefined);
  });
});
