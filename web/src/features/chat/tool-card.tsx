/* A tool the model used: one line until it is opened, then what it was given and what came of it. */
import { lazy, Suspense, useMemo } from "react";
import { Icon } from "@/components/icon";
import { useFold } from "@/features/chat/folds";
import { changeOf, toolLine, type ToolBody } from "@/words/tool-words";
import { countChanges, parseUnifiedDiff } from "@/lib/unified-diff";
import type { MessageId } from "@/wire/message";
import type { FileDiff } from "@/wire/prompt";
import type { SessionId } from "@/wire/session";
import type { ToolResult } from "@/wire/tool";

/* Most cards stay shut. */
const ToolInside = lazy(async () => ({ default: (await import("@/features/chat/tool-inside")).ToolInside }));

interface Props {
  /** The message's. */
  id: MessageId;
  body: ToolBody;
  folder?: string;
  sessionId: SessionId;
}

export function ToolCard({ id, body, folder, sessionId }: Props) {
  // Short and worth seeing at once; everything else waits for a tap.
  const [open, toggle] = useFold(id, body.purpose?.type === "todos" || body.purpose?.type === "questions");
  const { label, words } = toolLine(body, folder);
  const change = changeOf(body);
  return (
    <div className="tool">
      <button type="button" className="tool__line" aria-expanded={open} onClick={toggle}>
        <span className="tool__name mono">{label}</span>
        <span className="tool__summary mono" dir="auto">
          {words}
        </span>
        {change.length > 0 && <Counts files={change} />}
        <Outcome result={body.result} />
      </button>
      {open && (
        <Suspense>
          <ToolInside id={id} body={body} sessionId={sessionId} />
        </Suspense>
      )}
    </div>
  );
}

function Outcome({ result }: { result: ToolResult | undefined }) {
  if (!result) return <span className="dim small">running…</span>;
  const code = result.exitCode ?? 0;
  return (
    <span className={result.ok ? "dim tool__outcome" : "bad tool__outcome"}>
      {code !== 0 && <span className="small tabular">exit {code}</span>}
      <Icon name={result.ok ? "check" : "close"} size={16} />
      <span className="visually-hidden">{result.ok ? "done" : "failed"}</span>
    </span>
  );
}

function Counts({ files }: { files: FileDiff[] }) {
  const { added, removed } = useMemo(
    () => countChanges(files.flatMap(({ unified }) => parseUnifiedDiff(unified))),
    [files],
  );
  return (
    <span className="tabular small tool__counts">
      <span className="good">+{added}</span> <span className="bad">−{removed}</span>
    </span>
  );
}
