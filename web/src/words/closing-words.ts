/* How the end of a prompt is told, in one line. Pure. */
import type { Notice } from "@/state/state";
import type { DeviceId } from "@/wire/device";
import type { Actor, InteractivePrompt, PromptOutcome } from "@/wire/prompt";

export function closingWords(
  prompt: InteractivePrompt,
  outcome: PromptOutcome,
  ownDevice: DeviceId | null,
  /** The name of the agent that asked. */
  who: string,
): Pick<Notice, "tone" | "text"> {
  switch (outcome.type) {
    case "verified": {
      const { by, summary } = outcome.answer;
      if (by.type !== "device") return { tone: "plain", text: `answered ${actorWords(by)}: ${summary}` };
      if (by.deviceId !== ownDevice) return { tone: "plain", text: `answered by ${by.name}: ${summary}` };
      const took = prompt.optional ? "took it" : "continued";
      return { tone: "good", text: `${who} ${took}: ${summary}` };
    }
    case "gone":
      return { tone: "plain", text: "answered at the desk or withdrawn" };
    case "session-ended":
      return { tone: "plain", text: "the session ended before an answer" };
    default:
      return { tone: "plain", text: "over" };
  }
}

/** Who answered, where it was no device. A server of tomorrow may name actors that this page does not know. */
export function actorWords(by: Exclude<Actor, { type: "device" }>): string {
  switch (by.type) {
    case "desk":
      return "at the desk";
    case "rule":
      return `by the rule ${by.name}`;
    case "notification":
      return `from a notification on ${by.name}`;
    case "expiry":
      return "because its time was over";
    case "unknown":
    default:
      return "elsewhere";
  }
}
