/**
 * Scrolls as little as shows a line whole; lines are `pixels` high.
 *
 * @param head height of what stands still above the lines
 */
export function bringIntoView(element: HTMLElement | null, line: number, pixels: number, head = 0): void {
  if (!element) return;
  const top = line * pixels;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + pixels > element.scrollTop + element.clientHeight - head)
    element.scrollTop = top + pixels - element.clientHeight + head;
}

/** Who scrolls on ends one scroll after the other within this time: by the wheel, or a key that is held down. */
const GOES_ON_MS = 150;

/**
 * Tells where what is scrolled comes to rest: at once where it is scrolled once, and else when no further scroll follows. What
 * is kept at each of many would make the window slow.
 *
 * @param rests is given the pixels above what is seen
 * @returns ends that; what was not told yet is told then
 */
export function onScrollAtRest(element: HTMLElement, rests: (top: number) => void): () => void {
  let endedAt = -Infinity;
  let untold: { readonly top: number; readonly rest: ReturnType<typeof setTimeout> } | undefined;
  const tell = () => {
    if (!untold) return;
    const { top, rest } = untold;
    untold = undefined;
    clearTimeout(rest);
    rests(top);
  };
  const ended = ({ timeStamp }: Event) => {
    const goesOn = timeStamp - endedAt < GOES_ON_MS;
    endedAt = timeStamp;
    clearTimeout(untold?.rest);
    // What is hidden by then is at no place any more.
    untold = { top: element.scrollTop, rest: setTimeout(tell, GOES_ON_MS) };
    if (!goesOn) tell();
  };
  element.addEventListener("scrollend", ended);
  return () => {
    element.removeEventListener("scrollend", ended);
    tell();
  };
}
