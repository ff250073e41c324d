/* The keyboard of an iPhone: the page keeps its height, and only what can be seen of it shrinks. */
import type { Page } from "@playwright/test";

/** Shrinks what can be seen, as a keyboard does that the browser lays over the page. Returns where it begins. */
export async function openKeyboard(page: Page, left = 0.55): Promise<number> {
  return page.evaluate((share) => {
    const viewport = window.visualViewport;
    if (!viewport) throw new Error("no visual viewport");
    const height = Math.round(innerHeight * share);
    Object.defineProperty(viewport, "height", { configurable: true, get: () => height });
    viewport.dispatchEvent(new Event("resize"));
    return height;
  }, left);
}

export function bottomOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom);
}
