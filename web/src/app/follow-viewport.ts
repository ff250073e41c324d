/*
 * Keeps the page as high as what can be seen. iOS neither shrinks `dvh` for its keyboard nor keeps the page from
 * being pushed up by it; the visual viewport tells the truth.
 */

export function followViewport(): void {
  const viewport = window.visualViewport;
  if (!viewport) return;
  const { style } = document.documentElement;
  function follow() {
    if (!viewport) return;
    // A pinch also changes the viewport; the page must not shrink under the fingers.
    if (viewport.scale > 1.01) return;
    style.setProperty("--app-height", `${viewport.height}px`);
    style.setProperty("--app-top", `${viewport.offsetTop}px`);
  }
  viewport.addEventListener("resize", follow);
  viewport.addEventListener("scroll", follow);
  follow();
}
