import { expect, test } from "vitest";
import { phaseOf, type Phase } from "@/features/prompt/phase";
import type { OwnAnswer } from "@/state/state";
import { aPrompt } from "@/testing/builders";
import type { AnswerStep } from "@/wire/prompt";

const response = { requestId: "p1" };
const answer = { by: { type: "device", deviceId: "d2", name: "iPad" }, summary: "Yes" } as const;

test.each<[string, AnswerStep | null, OwnAnswer | undefined, Phase]>([
  ["nobody answered", null, undefined, { type: "open" }],
  ["sent from here", null, { status: "sending" }, { type: "under-way", words: "sending…" }],
  ["taken, no progress yet", null, { status: "accepted" }, { type: "under-way", words: "sending…" }],
  ["sending", { type: "sending" }, { status: "accepted" }, { type: "under-way", words: "Yes — sending…" }],
  [
    "typed",
    { type: "typed" },
    { status: "accepted" },
    { type: "under-way", words: "Yes — typed, waiting for the terminal…" },
  ],
  ["by another device", { type: "sending" }, undefined, { type: "under-way", words: "iPad: Yes — sending…" }],
  [
    "refused",
    null,
    { status: "refused", message: "Somebody was first." },
    { type: "failed", words: "Somebody was first.", canRetry: false },
  ],
  [
    "not sent",
    null,
    { status: "unsent", message: "No reply.", response },
    { type: "failed", words: "not sent: No reply.", canRetry: true },
  ],
  [
    "failed here",
    { type: "failed", reason: "it did not close" },
    { status: "failed", response },
    { type: "failed", words: "still asking: it did not close", canRetry: true },
  ],
  [
    "failed, and the secret is not kept",
    { type: "failed", reason: "no" },
    { status: "failed" },
    { type: "failed", words: "still asking: no", canRetry: false },
  ],
  [
    "tried again after a failure",
    { type: "failed", reason: "no" },
    { status: "sending", response },
    { type: "under-way", words: "sending…" },
  ],
])("%s", (_, progress, own, phase) => {
  const pending = {
    prompt: aPrompt(),
    ...(progress && { progress: { requestId: "p1", answer, step: progress } }),
  };
  expect(phaseOf(pending, own)).toEqual(phase);
});
