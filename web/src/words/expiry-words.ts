/* The end of a prompt's time, in words. */
import { clock } from "@/words/time";
import type { InteractivePrompt } from "@/wire/prompt";

/** How long it still waits, and what comes then: a certain permission with one plain no is refused, anything else waits on. */
export function timeLeft(prompt: InteractivePrompt, now: number): string {
  const left = (prompt.expiresAt ?? now) - now;
  if (left <= 0) return "its time is over";
  const refusals = prompt.options?.filter(({ role }) => role === "deny").length ?? 0;
  const refuses = prompt.type === "permission" && prompt.confidence === "certain" && refusals === 1;
  return `${refuses ? "refused" : "ends"} in ${clock(left)}`;
}
