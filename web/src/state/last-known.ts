/*
 * How things stood when this device last heard from the server, kept so that the page opens with something to look at: without
 * a network, and before the line is up. It is shown as old until the server has spoken, and forgotten with the pairing.
 */
import { forget, recall, remember } from "@/lib/storage";
import type { State } from "@/state/state";
import type { PendingPrompt } from "@/wire/prompt";
import type { AdapterInfo, Session } from "@/wire/session";
import { PROTOCOL_VERSION } from "@/wire/version";

interface LastKnown {
  protocol: number;
  at: number;
  sessions: Session[];
  prompts: PendingPrompt[];
  adapters: AdapterInfo[];
}

type Recalled = Pick<State, "knownAt" | "loaded" | "sessions" | "prompts" | "adapters">;

const KEY = "known";
/** More than anybody looks through without a network. */
const MOST_SESSIONS = 50;
/** A longer prompt, such as one with a large change, is not kept: it comes with the line. */
const LONGEST_PROMPT = 20_000;

export function recallLastKnown(): Recalled {
  const known = recall<LastKnown | null>(KEY, null);
  if (known?.protocol !== PROTOCOL_VERSION) {
    return { knownAt: null, loaded: false, sessions: {}, prompts: [], adapters: [] };
  }
  const { at, sessions, prompts, adapters } = known;
  const byId = Object.fromEntries(sessions.map((session) => [session.id, session]));
  return { knownAt: at, loaded: true, sessions: byId, prompts, adapters };
}

export function rememberLastKnown({ sessions, prompts, adapters }: State, at: number): void {
  const newest = Object.values(sessions).sort((one, other) => other.stateSince - one.stateSince);
  const known: LastKnown = {
    protocol: PROTOCOL_VERSION,
    at,
    sessions: newest.slice(0, MOST_SESSIONS),
    prompts: prompts.filter((pending) => JSON.stringify(pending).length <= LONGEST_PROMPT),
    adapters,
  };
  remember(KEY, known);
}

export function forgetLastKnown(): void {
  forget(KEY);
}
