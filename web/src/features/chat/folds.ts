/* What the person has unfolded, remembered while a line is scrolled out of the page and comes back. */
import { createContext, useContext, useState } from "react";

export const Folds = createContext<Map<string, boolean> | null>(null);

/** Whether the thing of this name is open, and a way to open or close it. */
export function useFold(name: string, atFirst = false): [open: boolean, toggle: () => void] {
  const folds = useContext(Folds);
  const [open, setOpen] = useState(folds?.get(name) ?? atFirst);
  function toggle() {
    folds?.set(name, !open);
    setOpen(!open);
  }
  return [open, toggle];
}
