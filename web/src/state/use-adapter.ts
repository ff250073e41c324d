/* What the server has told of an adapter. */
import { useAppState } from "@/state/app-context";
import { adapterName } from "@/words/adapter-names";
import type { AdapterInfo, AdapterKind } from "@/wire/session";

export function useAdapter(kind: AdapterKind | undefined): AdapterInfo | undefined {
  return useAppState(({ adapters }) => adapters.find((adapter) => adapter.kind === kind));
}

export function useAdapterName(kind: AdapterKind | undefined): string {
  return useAppState(({ adapters }) => adapterName(adapters, kind));
}
