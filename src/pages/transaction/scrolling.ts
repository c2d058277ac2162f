/** Scrolls as little as shows a line whole; lines are `pixels` high. */
export function bringIntoView(element: HTMLElement | null, line: number, pixels: number): void {
  if (!element) return;
  const top = line * pixels;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + pixels > element.scrollTop + element.clientHeight)
    element.scrollTop = top + pixels - element.clientHeight;
}
