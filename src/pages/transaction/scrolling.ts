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
