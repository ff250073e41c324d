/* How the end of a prompt is told, in one line. Pure. */
import { adapterName } from "@/lib/adapter-names";
import type { Notice } from "@/state/state";
import type { DeviceId } from "@/wire/device";
import type { InteractivePrompt, PromptOutcome } from "@/wire/prompt";

export function closingWords(
  prompt: InteractivePrompt,
  outcome: PromptOutcome,
  ownDevice: DeviceId | null,
): Pick<Notice, "tone" | "text"> {
  switch (outcome.type) {
    case "verified": {
      const { by, summary } = outcome.answer;
      if (by.type === "desk") return { tone: "plain", text: `answered at the desk: ${summary}` };
      if (by.deviceId !== ownDevice) return { tone: "plain", text: `answered by ${by.name}: ${summary}` };
      const took = prompt.optional ? "took it" : "went on";
      return { tone: "good", text: `${adapterName(prompt.adapter)} ${took}: ${summary}` };
    }
    case "gone":
      return { tone: "plain", text: "answered at the desk or withdrawn" };
    case "session-ended":
      return { tone: "plain", text: "the session ended before an answer" };
  }
}
