/* What axe finds on a page. Ours has no frames, so axe itself is put into the page and asked there. */
import type { Page } from "@playwright/test";
import axe, { type Result } from "axe-core";

/** The accessibility rules that the page breaks, and where. */
export async function violationsOn(page: Page): Promise<Result[]> {
  // As the debugger does, which no policy of the page's own hinders.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const inPage = (window as unknown as { axe: typeof axe }).axe;
    return (await inPage.run(document)).violations;
  });
}
