/* Writes to this device what must survive a reload: drafts, what was read, preferences. */
import { remember } from "@/lib/storage";
import type { State } from "@/state/state";
import type { Store } from "@/state/store";

const KEPT = ["drafts", "seen", "preferences"] as const satisfies (keyof State)[];

export function persist(store: Store): () => void {
  let last = store.getState();
  return store.subscribe(() => {
    const state = store.getState();
    for (const key of KEPT) {
      if (state[key] !== last[key]) remember(key, state[key]);
    }
    last = state;
  });
}
