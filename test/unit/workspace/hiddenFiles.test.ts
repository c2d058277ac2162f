import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { globBelow, hidesByPath } from "../../../src/core/workspace/hiddenFiles.ts";

describe("The files that an editor hides", () => {
  it("are hidden by a path where a pattern does not begin with any folder", () => {
    // The editor's own defaults, and what people add.
    const everywhere = { "**/.git": true, "**/.DS_Store": true, "**/*.js": { when: "$(basename).ts" } };
    for (const setting of [undefined, null, {}, everywhere, { ...everywhere, "src/old/**": false }])
      assert.equal(hidesByPath(setting), false, JSON.stringify(setting));
    for (const pattern of ["src/old/**", "build", "*.sol", "/out", "{a,b}/**", "src/**/x.sol"])
      assert.equal(hidesByPath({ ...everywhere, [pattern]: true }), true, pattern);
  });

  it("are looked for from the open folder on, whatever a folder is called", () => {
    assert.equal(globBelow("src/a", "**/*.{sol,vy}"), "src/a/**/*.{sol,vy}");
    assert.equal(globBelow("src/[id]{x}*", "*.sol"), "src/[[]id[]][{]x[}][*]/*.sol");
  });
});
