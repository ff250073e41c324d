import { expect, test } from "vitest";
import { contextWords, totalWords } from "@/words/usage-words";

test("how full the memory is", () => {
  expect(contextWords({})).toBeNull();
  expect(contextWords({ contextTokens: 950 })).toBe("950 tokens");
  expect(contextWords({ contextTokens: 31_400 })).toBe("31k tokens");
  expect(contextWords({ contextTokens: 76_000, contextWindow: 200_000 })).toBe("38 %");
});

test("all that was used", () => {
  expect(totalWords({ contextTokens: 5 })).toBeNull();
  expect(totalWords({ inputTokens: 14_000, outputTokens: 700, costMicros: 70_000 })).toBe(
    "14k in · 700 out · $0.07",
  );
});
