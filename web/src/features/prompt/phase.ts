/* How far the answer to a prompt has got, as one value for the sheet and the card. Pure. */
import type { OwnAnswer } from "@/state/state";
import type { PendingPrompt } from "@/wire/prompt";

export type Phase =
  | { type: "open" }
  /** Not answerable: an answer is on its way. */
  | { type: "under-way"; words: string; unsure?: true }
  /** Answerable again, with the reason why the last answer did not hold. */
  | { type: "failed"; words: string; canRetry: boolean };

export function phaseOf(pending: PendingPrompt, own: OwnAnswer | undefined): Phase {
  const { progress } = pending;
  const mine = own?.status === "sending" || own?.status === "accepted";
  // What was answered to another prompt is not tried again with this one.
  const canRetry = own?.response !== undefined && own.response.digest === pending.prompt.digest;
  if (progress && progress.step.type !== "failed") {
    const by = progress.answer.by.type === "device" && !own ? `${progress.answer.by.name}: ` : "";
    const what = `${by}${progress.answer.summary}`;
    switch (progress.step.type) {
      case "sending":
        return { type: "under-way", words: `${what} — sending…` };
      case "typed":
        return { type: "under-way", words: `${what} — typed, waiting for the terminal…` };
      case "unknown":
        return {
          type: "under-way",
          words: `${what} — may not have arrived: ${progress.step.reason}`,
          unsure: true,
        };
      default:
        // A step that this page does not know is still a step on the way.
        return { type: "under-way", words: `${what} — under way…` };
    }
  }
  if (mine) return { type: "under-way", words: "sending…" };
  if (own?.status === "refused") return { type: "failed", words: own.message ?? "refused", canRetry: false };
  if (own?.status === "unsent") {
    return { type: "failed", words: `not sent: ${own.message ?? ""}`, canRetry };
  }
  if (progress?.step.type === "failed") {
    return {
      type: "failed",
      words: `still asking: ${progress.step.reason}`,
      canRetry,
    };
  }
  return { type: "open" };
}
