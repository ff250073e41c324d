/* Hands the store and the verbs to the components. */
import { createContext, useContext, useSyncExternalStore, type ReactNode } from "react";
import type { Action } from "@/state/action";
import type { State } from "@/state/state";
import type { Store } from "@/state/store";
import type { Verbs } from "@/state/verbs";

export interface App {
  store: Store;
  verbs: Verbs;
}

const AppContext = createContext<App | null>(null);

export function AppProvider({ app, children }: { app: App; children: ReactNode }) {
  return <AppContext value={app}>{children}</AppContext>;
}

function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("outside of AppProvider");
  return app;
}

/** A part of the state. The selector must return something that is already in it, not build something new. */
export function useAppState<Part>(select: (state: State) => Part): Part {
  const { store } = useApp();
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}

export function useDispatch(): (action: Action) => void {
  return useApp().store.dispatch;
}

export function useVerbs(): Verbs {
  return useApp().verbs;
}
