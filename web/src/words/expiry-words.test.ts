import { describe, expect, it } from "vitest";
import { timeLeft } from "@/words/expiry-words";
import type { InteractivePrompt } from "@/wire/prompt";

const permission: InteractivePrompt = {
  requestId: "p",
  type: "permission",
  title: "Run it?",
  description: "",
  confidence: "certain",
  options: [
    { value: "Yes", label: "Yes", role: "allow" },
    { value: "No", label: "No", role: "deny" },
  ],
  expiresAt: 299_000,
};

describe("timeLeft", () => {
  it.each([
    ["a permission is refused", permission, 0, "refused in 4:59"],
    ["a question waits on", { ...permission, type: "question" as const }, 0, "ends in 4:59"],
    ["without one plain no nothing is chosen", { ...permission, options: [] }, 0, "ends in 4:59"],
    ["a time that is over", permission, 299_000, "its time is over"],
  ])("%s", (_, prompt, now, words) => {
    expect(timeLeft(prompt, now)).toBe(words);
  });
});
