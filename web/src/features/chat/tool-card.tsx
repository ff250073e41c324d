/* A tool the model used: one line until it is opened, then what it was given and what came of it. */
import { useMemo, useState } from "react";
import { DiffView } from "@/components/diff-view";
import { Icon } from "@/components/icon";
import { commandOf, inputText } from "@/lib/tool-input";
import { countChanges, parseUnifiedDiff } from "@/lib/unified-diff";
import type { MessageBody } from "@/wire/message";
import type { ToolResult } from "@/wire/tool";

type ToolBody = Extract<MessageBody, { type: "tool" }>;

export function ToolCard({ body }: { body: ToolBody }) {
  const [open, setOpen] = useState(false);
  const command = commandOf(body.input);
  return (
    <div className="tool">
      <button type="button" className="tool__line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="tool__name mono">{command === null ? body.name : "$"}</span>
        <span className="tool__summary mono" dir="auto">
          {command ?? body.summary}
        </span>
        {body.result?.diff && <Counts result={body.result} />}
        <Outcome result={body.result} />
      </button>
      {open && <Inside body={body} command={command} />}
    </div>
  );
}

function Outcome({ result }: { result: ToolResult | undefined }) {
  if (!result) return <span className="dim small">running…</span>;
  return (
    <span className={result.ok ? "dim" : "bad"}>
      <Icon name={result.ok ? "check" : "close"} size={16} />
      <span className="visually-hidden">{result.ok ? "done" : "failed"}</span>
    </span>
  );
}

function Counts({ result }: { result: ToolResult }) {
  const { added, removed } = useMemo(
    () => countChanges((result.diff ?? []).flatMap(({ unified }) => parseUnifiedDiff(unified))),
    [result.diff],
  );
  return (
    <span className="tabular small tool__counts">
      <span className="good">+{added}</span> <span className="bad">−{removed}</span>
    </span>
  );
}

function Inside({ body, command }: { body: ToolBody; command: string | null }) {
  const { result } = body;
  const given = command ?? (result?.diff?.length ? "" : inputText(body.input));
  return (
    <div className="tool__inside">
      {command !== null && body.summary !== "" && body.summary !== command && (
        <p className="dim small">{body.summary}</p>
      )}
      {given !== "" && <pre className="tool__text">{given}</pre>}
      {result?.diff && result.diff.length > 0 && <DiffView files={result.diff} />}
      {result && result.output !== "" && <Output text={result.output} />}
    </div>
  );
}

/** Some tools print a book; the first part says enough until somebody wants all of it. */
const FIRST_CHARACTERS = 4000;

function Output({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const cut = !all && text.length > FIRST_CHARACTERS;
  return (
    <>
      <pre className="tool__text tool__text--output">{cut ? text.slice(0, FIRST_CHARACTERS) : text}</pre>
      {cut && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          show all of it
        </button>
      )}
    </>
  );
}
