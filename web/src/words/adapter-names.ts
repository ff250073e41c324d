/* The short name of an adapter, as it is said in a sentence. Which adapters there are, the server says. Pure. */
import type { AdapterInfo, AdapterKind } from "@/wire/session";

export function adapterName(adapters: readonly AdapterInfo[], kind: AdapterKind | undefined): string {
  // Of an adapter that this server does not have, only the id is known.
  return adapters.find((adapter) => adapter.kind === kind)?.shortName ?? kind ?? "The program";
}
