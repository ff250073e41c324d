/* The short name of each adapter, as it is said in a sentence; and which of them are agents. */
import type { AdapterKind } from "@/wire/session";

const NAMES: Record<AdapterKind, string> = {
  claude: "Claude",
  codex: "Codex",
  gemini: "Gemini",
  qwen: "Qwen",
  opencode: "opencode",
  copilot: "Copilot",
  demo: "Demo",
  generic: "Program",
};

export function adapterName(kind: AdapterKind | undefined): string {
  // A newer server may know an adapter that this page does not.
  return (kind && (NAMES as Partial<Record<string, string>>)[kind]) ?? "The program";
}

/** An AI CLI, rather than the demo or any program. */
export function isAgent(kind: AdapterKind): boolean {
  return kind !== "demo" && kind !== "generic";
}
