/* The short name of each adapter, as it is said in a sentence. */
import type { AdapterKind } from "@/wire/session";

const NAMES: Record<AdapterKind, string> = {
  claude: "Claude",
  codex: "Codex",
  gemini: "Gemini",
  demo: "Demo",
  generic: "Program",
};

export function adapterName(kind: AdapterKind | undefined): string {
  // A newer server may know an adapter that this page does not.
  return (kind && (NAMES as Partial<Record<string, string>>)[kind]) ?? "The program";
}
