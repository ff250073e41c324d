/* What the history says of a prompt that was asked: what came of it, who answered, how long it waited. Pure. */
import { duration } from "@/words/time";
import { actorWords } from "@/words/closing-words";
import type { DeviceId } from "@/wire/device";
import type { HistoryOutcome, HistoryRow } from "@/wire/history";
import type { Actor, PromptKind } from "@/wire/prompt";

export type Tone = "good" | "bad" | "plain";

const OUTCOMES: Record<HistoryOutcome, { words: string; tone: Tone }> = {
  waiting: { words: "waiting", tone: "plain" },
  answered: { words: "answered, not seen to arrive yet", tone: "plain" },
  verified: { words: "done", tone: "good" },
  failed: { words: "did not work", tone: "bad" },
  unknown: { words: "not known whether it arrived", tone: "bad" },
  gone: { words: "gone without an answer", tone: "plain" },
  "session-ended": { words: "the session ended first", tone: "plain" },
  expired: { words: "its time was over", tone: "plain" },
};

/** A newer server may know more than this page. */
export function outcomeWords({ outcome, refused, by }: HistoryRow): { words: string; tone: Tone } {
  if (outcome === "verified" && refused) return { words: "refused", tone: "plain" };
  if (outcome === "gone" && by?.type === "desk") return { words: "answered at the desk", tone: "plain" };
  return (OUTCOMES as Partial<typeof OUTCOMES>)[outcome] ?? { words: outcome, tone: "plain" };
}

export const OUTCOME_NAMES = Object.entries(OUTCOMES).map(
  ([outcome, { words }]) => [outcome as HistoryOutcome, words] as const,
);

const KINDS: Record<PromptKind, string> = {
  permission: "Permission",
  question: "Question",
  plan: "Plan",
  "loop-detected": "Loop",
  unrecognized: "Not understood",
};
export const KIND_NAMES = Object.entries(KINDS).map(([kind, words]) => [kind as PromptKind, words] as const);

/** Who answered: this phone is you. */
export function byWords(by: Actor, ownDevice: DeviceId | null): string {
  if (by.type !== "device") return actorWords(by);
  return by.deviceId === ownDevice ? "by you, here" : `by ${by.name}`;
}

/** How long it waited for its answer, or for its end; nothing while it waits. */
export function waitWords({ seenAt, answeredAt, endedAt }: HistoryRow): string | null {
  const until = answeredAt ?? endedAt;
  return until === undefined ? null : `waited ${duration(until - seenAt)}`;
}

/** What a step of the journal is called; one that this page does not know is named as it is. */
const STEPS: Partial<Record<string, string>> = {
  "prompt-seen": "shown",
  "prompt-changed": "shown anew",
  answered: "answered",
  pressed: "keys pressed",
  "told-hook": "told the CLI",
  verified: "seen to be taken",
  failed: "did not work",
  unknown: "not known whether it arrived",
  gone: "gone",
  expired: "its time was over",
  notification: "told",
};

export function stepWords(kind: string): string {
  return STEPS[kind] ?? kind;
}
