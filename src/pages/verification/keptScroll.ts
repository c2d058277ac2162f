/**
 * Keeps how far the page is scrolled, and scrolls there again until a person scrolls: what a page shows comes in several
 * steps, and a page that comes back is as wide as it was only after a while.
 *
 * @param top where it was, in pixels
 * @returns to be called whenever something more is drawn
 */
export function keptScroll(top: number, keep: (top: number) => void): () => void {
  const { style } = document.documentElement;
  let wanted: number | undefined = top > 0 ? top : undefined;
  let own = 0;
  const scrollBack = () => {
    if (wanted === undefined) return;
    window.scrollTo(0, wanted);
    own = window.scrollY;
  };
  // Else the browser scrolls by itself to where what was on top has moved.
  if (wanted !== undefined) style.overflowAnchor = "none";
  window.addEventListener("resize", scrollBack);
  window.addEventListener("scroll", () => {
    if (wanted !== undefined && window.scrollY === own) return;
    wanted = undefined;
    style.overflowAnchor = "";
    keep(window.scrollY);
  });
  return scrollBack;
}
