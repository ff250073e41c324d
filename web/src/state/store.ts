/* Holds the state and tells whoever listens. Nothing else may hold it. */
import type { Action } from "@/state/action";
import { reduce } from "@/state/reducer";
import type { State } from "@/state/state";

export interface Store {
  getState: () => State;
  dispatch: (action: Action) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createStore(initial: State): Store {
  const listeners = new Set<() => void>();
  let state = initial;
  return {
    getState: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
