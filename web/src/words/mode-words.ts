/* The permission modes in plain words. */
import type { PermissionMode } from "@/wire/session";

interface ModeWords {
  label: string;
  meaning: string;
}

const WORDS: Partial<Record<string, ModeWords>> = {
  ask: { label: "Ask", meaning: "asks before everything that matters" },
  "accept-edits": { label: "Accept edits", meaning: "edits files in the folder without asking" },
  plan: { label: "Plan only", meaning: "only plans, changes nothing" },
  auto: { label: "Auto", meaning: "the CLI judges for itself what to ask" },
  bypass: { label: "Never ask", meaning: "dangerous: runs and deletes anything without asking" },
};

/** A mode that this page does not know is called by its own name. */
export function modeWords(mode: PermissionMode): ModeWords {
  return WORDS[mode] ?? { label: mode, meaning: "" };
}
