/* What a conversation has used, in words. Pure. */
import type { Usage } from "@/wire/session";

/** How full the model's memory is: `38 %`, or `31k tokens` where its size is not known; null when nothing is known. */
export function contextWords({ contextTokens, contextWindow }: Usage): string | null {
  if (contextTokens === undefined) return null;
  if (contextWindow === undefined || contextWindow === 0) return `${thousands(contextTokens)} tokens`;
  return `${Math.round((100 * contextTokens) / contextWindow)} %`;
}

/** Everything that was sent and came back, and what it cost; null when nothing is known. */
export function totalWords({ inputTokens, outputTokens, costMicros }: Usage): string | null {
  const parts = [
    inputTokens !== undefined && `${thousands(inputTokens)} in`,
    outputTokens !== undefined && `${thousands(outputTokens)} out`,
    costMicros !== undefined && `$${(costMicros / 1e6).toFixed(2)}`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(" · ") : null;
}

function thousands(count: number): string {
  return count < 1000 ? String(count) : `${Math.round(count / 1000)}k`;
}
