import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { virtualRows, type DrawnBefore, type VirtualRow, type SeenLines } from "./virtualRows.ts";

/** The {@link virtualRows} of a list, drawn again when those that stayed are to be filled. */
export function useVirtualRows<One>(shown: readonly One[], seen: SeenLines): readonly VirtualRow<One>[] {
  const before = useRef<DrawnBefore<One>>(undefined);
  const [, drawAgain] = useState({});
  const { rows, now, hasOld } = virtualRows(shown, seen, before.current);
  before.current = now;
  useLayoutEffect(() => {
    if (!hasOld) return;
    // The first is that of the jump itself; the second is too late where the next frame has jumped again.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => drawAgain({}));
    });
    return () => cancelAnimationFrame(frame);
  });
  return rows;
}
