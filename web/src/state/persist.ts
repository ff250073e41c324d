/*
 * Writes to this device what must survive a reload (drafts and their files, the outbox, what was read, preferences, how things
 * stand), and takes over what another tab of it has written. Each draft and each message has a key of its own in the storage: tabs that
 * write different ones never overwrite each other's, and of the same one they always show the same.
 */
import { forget, onRememberedElsewhere, remember } from "@/lib/storage";
import { forgetLastKnown, rememberLastKnown } from "@/state/last-known";
import type { Outgoing } from "@/state/outbox";
import type { Preferences, State } from "@/state/state";
import type { Store } from "@/state/store";
import type { AttachedFile } from "@/wire/compose";

/** Sessions change with every line that an agent prints; they are written down once they rest, or the page is left. */
const REST_MS = 1_000;

export function persist(store: Store): () => void {
  let last = store.getState();
  const stopKeeping = keepLastKnown(store);
  const stopWriting = store.subscribe(() => {
    const state = store.getState();
    rememberEach("draft", state.drafts, last.drafts);
    rememberEach("attached", state.attached, last.attached);
    rememberEach("seen", state.seen, last.seen);
    if (state.outbox !== last.outbox) rememberEach("outbox", kept(state), kept(last));
    if (state.dismissed !== last.dismissed) remember("dismissed", state.dismissed);
    if (state.preferences !== last.preferences) remember("preferences", state.preferences);
    last = state;
  });
  const stopListening = onRememberedElsewhere((key, value) => takeOver(store, key, value));
  return () => {
    stopWriting();
    stopKeeping();
    stopListening();
  };
}

function keepLastKnown(store: Store): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = store.getState();
  function write() {
    clearTimeout(timer);
    timer = undefined;
    const { connection, loaded, knownAt } = store.getState();
    // What was only remembered is not news.
    if (!loaded || knownAt !== null) return;
    if (connection.type === "live") rememberLastKnown(store.getState(), Date.now());
    if (connection.type === "lost") rememberLastKnown(store.getState(), connection.since);
  }
  const stop = store.subscribe(() => {
    const state = store.getState();
    if (state.connection.type === "not-paired") forgetAll();
    else if (state.prompts !== last.prompts) write();
    else if (state.sessions !== last.sessions) timer ??= setTimeout(write, REST_MS);
    last = state;
  });
  addEventListener("pagehide", write);
  return () => {
    clearTimeout(timer);
    removeEventListener("pagehide", write);
    stop();
  };
}

/** Nothing about the workstation stays on a device that is locked out: neither how it stood nor where things are. */
function forgetAll() {
  forgetLastKnown();
  for (const key of ["new-session", "favourite-folders"]) forget(key);
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

/** The outbox as it is kept. One that is under way just now may have arrived: after a reload it is sent again under the same key. */
function kept({ outbox }: State): Record<string, Outgoing> {
  return Object.fromEntries(
    outbox.map(({ key, sessionId, text, files, at, status, note, unsure }) => [
      key,
      {
        key,
        sessionId,
        text,
        files,
        at,
        status: status === "held" ? status : "waiting",
        ...(status === "held" && note !== undefined && { note }),
        ...((status === "sending" || unsure) && { unsure: true as const }),
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
