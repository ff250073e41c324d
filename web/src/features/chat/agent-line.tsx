/* All that an agent does which was set to work, in one line; a tap unfolds it below its call. */
import type { AgentRow } from "@/features/chat/rows";
import { toolLine } from "@/words/tool-words";
import type { Message } from "@/wire/message";

export function AgentLine({ row, onToggle }: { row: AgentRow; onToggle: () => void }) {
  const { name, steps, open, last } = row;
  return (
    <button type="button" className="agent-line" aria-expanded={open} onClick={onToggle}>
      <span aria-hidden="true">{open ? "▾" : "▸"}</span>
      <span className="agent-line__name">
        {name ?? "agent"} · <span className="tabular">{steps === 1 ? "1 step" : `${steps} steps`}</span>
      </span>
      {!open && (
        <span className="agent-line__last dim" dir="auto">
          {lastWords(last)}
        </span>
      )}
    </button>
  );
}

function lastWords({ body }: Message): string {
  if (body.type !== "tool") return (body as { text?: string }).text ?? "";
  const { label, words } = toolLine(body);
  return `${label} ${words}`;
}
