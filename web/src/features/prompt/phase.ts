/* How far the answer to a prompt has got, as one value for the sheet and the card. Pure. */
import type { OwnAnswer } from "@/state/state";
import type { PendingPrompt } from "@/wire/prompt";

export type Phase =
  | { type: "open" }
  /** Not answerable: an answer is on its way. */
  | { type: "under-way"; words: string }
  /** Answerable again, with the reason why the last answer did not hold. */
  | { type: "failed"; words: string; canRetry: boolean };

export function phaseOf(pending: PendingPrompt, own: OwnAnswer | undefined): Phase {
  const { progress } = pending;
  const mine = own?.status === "sending" || own?.status === "accepted";
  if (progress && progress.step.type !== "failed") {
    const by = progress.answer.by.type === "device" && !own ? `${progress.answer.by.name}: ` : "";
    const words = progress.step.type === "sending" ? "sending…" : "typed, waiting for the terminal…";
    return { type: "under-way", words: `${by}${progress.answer.summary} — ${words}` };
  }
  if (mine) return { type: "under-way", words: "sending…" };
  if (own?.status === "refused") return { type: "failed", words: own.message ?? "refused", canRetry: false };
  if (own?.status === "unsent") {
    return { type: "failed", words: `not sent: ${own.message ?? ""}`, canRetry: own.response !== undefined };
  }
  if (progress?.step.type === "failed") {
    return {
      type: "failed",
      words: `still asking: ${progress.step.reason}`,
      canRetry: own?.response !== undefined,
    };
  }
  return { type: "open" };
}
