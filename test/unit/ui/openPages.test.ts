import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { WebviewPanel } from "vscode";
import { OpenPages } from "../../../src/editor/ui/openPages.ts";

/** Pages that end what waits for their end, as panels of the editor do. */
function pages() {
  const made: { readonly key: string; isOpen: boolean }[] = [];
  const open = new OpenPages(
    (key) => {
      const page = { key, isOpen: true };
      made.push(page);
      let closed: () => void = () => undefined;
      return {
        key,
        page: {
          onVisibility: () => undefined,
          onClosed: (listener: () => void) => void (closed = listener),
          reveal: () => undefined,
          dispose: () => {
            page.isOpen = false;
            closed();
          },
        },
      };
    },
    () => undefined,
  );
  const panel = () => ({}) as WebviewPanel;
  return { open, made, panel };
}

describe("Pages of one thing", () => {
  it("are one, also when the editor brings back a tab of what was opened meanwhile", () => {
    const { open, made, panel } = pages();
    open.show("job 1", panel, { focus: true });
    open.fill("job 1", panel());
    assert.deepEqual(
      made.map(({ isOpen }) => isOpen),
      [false, true],
    );
    assert.equal([...open].length, 1);
    assert.notEqual(open.show("job 1", panel, { focus: true }), undefined);
    open.close("job 1");
    assert.deepEqual([...open], []);
    assert.equal(made.length, 2);
  });
});
