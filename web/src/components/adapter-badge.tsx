/*
 * The mark of an adapter: a shape and a hue of its own, never colour alone, with its name beside it. Both are told by the server; one
 * that it does not have looks like any program.
 */
import type { CSSProperties } from "react";
import "@/components/adapter-badge.css";
import { useAdapter, useAdapterName } from "@/state/use-adapter";
import type { AdapterInfo, AdapterKind } from "@/wire/session";

const ANY_PROGRAM = "M3 4l4 4-4 4M9 12h4";

export function AdapterMark({ kind }: { kind: AdapterKind | undefined }) {
  const adapter = useAdapter(kind);
  return (
    <svg
      {...withHue("mark", adapter)}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={adapter?.mark.icon ?? ANY_PROGRAM} />
    </svg>
  );
}

export function AdapterBadge({ kind }: { kind: AdapterKind | undefined }) {
  const adapter = useAdapter(kind);
  const name = useAdapterName(kind);
  return (
    <span {...withHue("badge", adapter)}>
      <AdapterMark kind={kind} />
      {name}
    </span>
  );
}

function withHue(className: string, adapter: AdapterInfo | undefined) {
  if (!adapter) return { className };
  const { light, dark } = adapter.mark;
  const style = { "--mark-light": light, "--mark-dark": dark } as CSSProperties;
  return { className: `${className} mark--told`, style };
}
