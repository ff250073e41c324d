/* Puts the chosen theme and text size on the document; the style sheet does the rest, and the status bar takes the same colour. */
import type { Preferences } from "@/state/state";
import type { Store } from "@/state/store";

/** `--bg` of `tokens.css`. */
const BACKGROUND = { light: "#f7f7f4", dark: "#0e1013" };

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
    for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
      const own = meta.getAttribute("media")?.includes("dark") ? "dark" : "light";
      meta.content = BACKGROUND[theme === "system" ? own : theme];
    }
  }
  apply();
  store.subscribe(apply);
}
