/*
 * Writes to this device what must survive a reload (drafts and their files, the outbox, what was read, preferences), and
 * takes over what another tab of it has written. Each draft and each message has a key of its own in the storage: tabs that
 * write different ones never overwrite each other's, and of the same one they always show the same.
 */
import { forget, onRememberedElsewhere, remember } from "@/lib/storage";
import type { Outgoing } from "@/state/outbox";
import type { Preferences, State } from "@/state/state";
import type { Store } from "@/state/store";
import type { AttachedFile } from "@/wire/compose";

export function persist(store: Store): () => void {
  let last = store.getState();
  const stopWriting = store.subscribe(() => {
    const state = store.getState();
    rememberEach("draft", state.drafts, last.drafts);
    rememberEach("attached", state.attached, last.attached);
    rememberEach("seen", state.seen, last.seen);
    if (state.outbox !== last.outbox) rememberEach("outbox", kept(state), kept(last));
    if (state.preferences !== last.preferences) remember("preferences", state.preferences);
    last = state;
  });
  const stopListening = onRememberedElsewhere((key, value) => takeOver(store, key, value));
  return () => {
    stopWriting();
    stopListening();
  };
}

function rememberEach<Value>(name: string, now: Record<string, Value>, before: Record<string, Value>) {
  if (now === before) return;
  for (const [key, value] of Object.entries(now)) {
    if (value !== before[key]) remember(`${name}.${key}`, value);
  }
  for (const key of Object.keys(before)) {
    if (!(key in now)) forget(`${name}.${key}`);
  }
}

/** The outbox as it is kept. That a message is under way just now is nothing to keep: after a reload it is sent again. */
function kept({ outbox }: State): Record<string, Outgoing> {
  return Object.fromEntries(
    outbox.map(({ key, sessionId, text, files, at, status, note }) => [
      key,
      {
        key,
        sessionId,
        text,
        files,
        at,
        status: status === "held" ? status : "waiting",
        ...(status === "held" && note !== undefined && { note }),
      },
    ]),
  );
}

function takeOver({ dispatch, getState }: Store, key: string, value: unknown) {
  const [name, id = ""] = split(key);
  switch (name) {
    case "draft": {
      dispatch({ type: "draft", sessionId: id, text: (value as string | undefined) ?? "" });
      return;
    }
    case "attached": {
      dispatch({ type: "attached", sessionId: id, files: (value as AttachedFile[] | undefined) ?? [] });
      return;
    }
    case "outbox": {
      dispatch({ type: "outgoing-elsewhere", key: id, outgoing: value as Outgoing | undefined });
      return;
    }
    case "seen": {
      if (value !== undefined) dispatch({ type: "seen-elsewhere", sessionId: id, count: value as number });
      return;
    }
    case "preferences": {
      const preferences = { ...getState().preferences, ...(value as Partial<Preferences> | undefined) };
      dispatch({ type: "preferences", preferences });
      return;
    }
  }
}

function split(key: string): [string, string?] {
  const dot = key.indexOf(".");
  return dot < 0 ? [key] : [key.slice(0, dot), key.slice(dot + 1)];
}
