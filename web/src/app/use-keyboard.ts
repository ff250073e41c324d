/* The keyboard at the desk: sessions, search, help. Options and Escape belong to the sheet itself. */
import { useEffect, useState } from "react";
import { navigate } from "@/lib/router";
import { isTyping } from "@/lib/typing";

export function useKeyboard(wide: boolean): { open: boolean; close: () => void } {
  const [open, setOpen] = useState(false);

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "j") moveBy(1, wide);
      else if (event.key === "k") moveBy(-1, wide);
      else if (event.key === "?") setOpen(true);
      else if (event.key === "/") focusSearch(event);
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [wide]);

  return { open, close: () => setOpen(false) };
}

/** Moves along the list as it stands on the page; beside the list the session is opened as well. */
function moveBy(by: number, opens: boolean) {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>("a[data-session]")];
  const at = rows.findIndex((row) => row === document.activeElement || row.ariaCurrent === "page");
  const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
  next?.focus();
  if (opens) next?.click();
}

function focusSearch(event: KeyboardEvent) {
  event.preventDefault();
  const search = document.querySelector<HTMLInputElement>("input[type=search]");
  if (search) search.focus();
  else navigate({ page: "search" });
}
