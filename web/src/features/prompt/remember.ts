/* A wish to answer alike from now on. Pure: what is remembered is the rule that was read, and only with a plain yes or no. */
import type { OptionRole, PromptOption, Remember, RememberScope } from "@/wire/prompt";

/** What the person chose, with the rules as they were shown: one for a yes, one for a no. */
export interface Wish {
  scope: Exclude<RememberScope, "once">;
  until?: number;
  uses?: number;
  /** The texts of the rules that were read; nothing where that answer cannot be remembered. */
  allow: string | null;
  deny: string | null;
}

/** The scopes that are offered, in words. */
export const SCOPES: { scope: RememberScope; label: string; minutes?: number; uses?: number }[] = [
  { scope: "once", label: "just this once" },
  { scope: "session", label: "this session" },
  { scope: "time", label: "30 minutes", minutes: 30 },
  { scope: "uses", label: "5 times", uses: 5 },
  { scope: "folder", label: "this folder" },
  { scope: "always", label: "always" },
];

/** What is remembered when this option is chosen. */
export function rememberOf(wish: Wish | null, option: PromptOption | undefined): Remember | null {
  const rule = wish && ruleFor(wish, option?.role);
  if (!wish || !rule) return null;
  const { scope, until, uses } = wish;
  return { scope, rule, ...(until !== undefined && { until }), ...(uses !== undefined && { uses }) };
}

function ruleFor(wish: Wish, role: OptionRole | undefined): string | null {
  if (role === "allow") return wish.allow;
  return role === "deny" || role === "feedback" ? wish.deny : null;
}
