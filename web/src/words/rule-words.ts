/* Rules in plain words: what pauses them, how far they reach, what they have said. */
import type { RuleInfo, RulesPause, RulesStatus, RuleVerdict } from "@/wire/rules";
import type { SessionId } from "@/wire/session";

const PAUSES: Partial<Record<RulesPause, string>> = {
  "by-person": "paused by a tap",
  "after-no": "paused: somebody said no",
  "after-interrupt": "paused: somebody interrupted",
  "after-danger": "paused: something dangerous was asked",
};

/** Whether rules act in a session; nothing where there are none. */
export function rulesMark(
  status: RulesStatus | null,
  sessionId: SessionId,
): { label: string; meaning: string } | null {
  if (!status || status.count === 0) return null;
  const paused = status.sessions.find((each) => each.sessionId === sessionId);
  if (status.paused) return { label: "rules paused", meaning: "All rules are paused." };
  if (paused) return { label: "rules paused", meaning: `Rules here are ${pauseWords(paused.why)}.` };
  if (status.mode === "shadow") {
    return { label: "rules shadow", meaning: "Rules only say what they would have answered." };
  }
  return { label: "rules on", meaning: "Rules answer what they cover." };
}

export function pauseWords(why: RulesPause): string {
  return PAUSES[why] ?? "paused";
}

export function verdictWords(verdict: RuleVerdict): string {
  if (verdict === "allow") return "Allowed";
  return verdict === "deny" ? "Refused" : "Asked";
}

/** How often a rule has answered, and how often it still may. */
export function usesWords({ used, uses }: RuleInfo): string {
  const times = used === 1 ? "once" : `${used} times`;
  if (uses !== undefined) return `used ${used} of ${uses} times`;
  return used === 0 ? "not used yet" : `used ${times}`;
}
