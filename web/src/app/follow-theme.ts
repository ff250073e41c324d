/* Puts the chosen theme on the document; the style sheet does the rest. */
import type { Store } from "@/state/store";

export function followTheme(store: Store): void {
  let applied: string | null = null;
  function apply() {
    const { theme } = store.getState().preferences;
    if (theme === applied) return;
    applied = theme;
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
  apply();
  store.subscribe(apply);
}
