/* The mark of an adapter: a shape and a hue of its own, never colour alone, with its name beside it. */
import "@/components/adapter-badge.css";
import { adapterName } from "@/words/adapter-names";
import type { AdapterKind } from "@/wire/session";

const MARKS: Record<AdapterKind, string> = {
  claude: "M8 2v12M2.8 5l10.4 6M13.2 5L2.8 11",
  codex: "M8 1.8l5.4 3.1v6.2L8 14.2l-5.4-3.1V4.9z",
  gemini:
    "M8 1.5c.6 3.9 2.6 5.9 6.5 6.5-3.9.6-5.9 2.6-6.5 6.5-.6-3.9-2.6-5.9-6.5-6.5 3.9-.6 5.9-2.6 6.5-6.5z",
  qwen: "M11.2 11.6a5 5 0 1 1 1.2-1.6M9.4 9.4l4.6 4.8",
  opencode: "M3.5 2.5h9v11h-9zM6.5 5.5h3v5h-3z",
  copilot: "M3 7.5a2.5 2.5 0 0 1 5 0 2.5 2.5 0 0 1 5 0v3a5 3.5 0 0 1-10 0zM6.3 10.5v1M9.7 10.5v1",
  demo: "M5 3l8 5-8 5z",
  generic: "M3 4l4 4-4 4M9 12h4",
};

export function AdapterMark({ kind }: { kind: AdapterKind | undefined }) {
  return (
    <svg
      className={`mark mark--${kind ?? "generic"}`}
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
      <path d={(MARKS as Partial<typeof MARKS>)[kind ?? "generic"] ?? MARKS.generic} />
    </svg>
  );
}

export function AdapterBadge({ kind }: { kind: AdapterKind | undefined }) {
  return (
    <span className={`badge mark--${kind ?? "generic"}`}>
      <AdapterMark kind={kind} />
      {adapterName(kind)}
    </span>
  );
}
