import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { onScrollAtRest } from "./scrolling.ts";

/** What a person does who scrolls. */
const SCROLLING = ["wheel", "pointerdown", "keydown"] as const;

/**
 * Scrolls an element to where it was left, once what is in it reaches so far, since that comes bit by bit; and tells where it
 * rests. A person who scrolls before that is left alone.
 *
 * @param top pixels above what was seen
 */
export function useKeptScroll(
  element: RefObject<HTMLElement | null>,
  top: number,
  keep: (top: number) => void,
): void {
  const left = useRef(top === 0 ? undefined : top);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const end = onScrollAtRest(current, (top) => left.current === undefined && keep(top));
    const stay = () => (left.current = undefined);
    for (const doing of SCROLLING) current.addEventListener(doing, stay, { passive: true });
    return () => {
      end();
      for (const doing of SCROLLING) current.removeEventListener(doing, stay);
    };
  }, []);
  // After every drawing: it may have grown.
  useLayoutEffect(() => {
    const { current } = element;
    if (!current || left.current === undefined) return;
    current.scrollTop = left.current;
    if (current.scrollTop >= left.current - 1) left.current = undefined;
  });
}
