/* Puts the chosen theme and text size on the document; the style sheet does the rest. */
import type { Preferences } from "@/state/state";
import type { Store } from "@/state/store";

export function followTheme(store: Store): void {
  const { dataset } = document.documentElement;
  let applied: Preferences | null = null;
  function apply() {
    const { preferences } = store.getState();
    if (preferences === applied) return;
    applied = preferences;
    const { theme, text } = preferences;
    if (theme === "system") delete dataset.theme;
    else dataset.theme = theme;
    if (text === "normal") delete dataset.text;
    else dataset.text = text;
  }
  apply();
  store.subscribe(apply);
}
