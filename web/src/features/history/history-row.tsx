/* One prompt of the history on two or three lines; open, the prompt as it was and each step of its life. */
import { useId, type ReactNode } from "react";
import { AdapterBadge } from "@/components/adapter-badge";
import { Ago } from "@/components/moment";
import { Problem } from "@/components/problem";
import { Visible } from "@/components/visible";
import { hrefOf } from "@/lib/router";
import { useAppState, useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import { byWords, outcomeWords, stepWords, waitWords } from "@/words/history-words";
import { folderName } from "@/words/session-words";
import { exact } from "@/words/time";
import type { HistoryRow, HistoryStep } from "@/wire/history";
import type { InteractivePrompt } from "@/wire/prompt";

interface Props {
  row: HistoryRow;
  /** All rows are of one session: then none says which. */
  inSession: boolean;
  open: boolean;
  onToggle: () => void;
  onFolder: (folder: string) => void;
  showPrompt: (prompt: InteractivePrompt, answer: string | undefined) => ReactNode;
}

export function HistoryRowView({ row, inSession, open, onToggle, onFolder, showPrompt }: Props) {
  const id = useId();
  const name = useAppState((state) => state.sessions[row.sessionId ?? ""]?.name) ?? row.sessionName;
  const ownDevice = useAppState((state) => state.server?.deviceId ?? null);
  const { words, tone } = outcomeWords(row);
  const facts = [row.by && byWords(row.by, ownDevice), waitWords(row)].filter((fact) => fact);
  return (
    <>
      <button
        type="button"
        className="history-row"
        aria-expanded={open}
        {...(open && { "aria-controls": id })}
        onClick={onToggle}
      >
        <span className="history-row__head dim small">
          <AdapterBadge kind={row.adapter} />
          {!inSession && name !== undefined && <span dir="auto">{name}</span>}
          <Ago at={row.seenAt} />
        </span>
        <span className="history-row__title" dir="auto">
          <Visible text={row.title} />
        </span>
        {row.about !== "" && row.about !== row.title && (
          <span className="history-row__about mono small" dir="auto">
            <Visible text={row.about} />
          </span>
        )}
        <span className="history-row__end small">
          {row.answer !== undefined && (
            <b className="history-row__answer" dir="auto">
              <Visible text={row.answer} />
            </b>
          )}
          <span className={tone === "plain" ? "dim" : tone}>{words}</span>
          {facts.length > 0 && <span className="dim">{facts.join(" · ")}</span>}
        </span>
      </button>
      {open && (
        <div className="history-detail" id={id}>
          <Detail row={row} onFolder={onFolder} showPrompt={showPrompt} />
        </div>
      )}
    </>
  );
}

type DetailProps = Pick<Props, "row" | "onFolder" | "showPrompt">;

function Detail({ row, onFolder, showPrompt }: DetailProps) {
  const { ask } = useVerbs();
  const known = useAppState((state) => state.sessions[row.sessionId ?? ""] !== undefined);
  const asked = useAsked(`${row.requestId} ${row.outcome}`, () =>
    ask({ type: "history-prompt", requestId: row.requestId }, "history-prompt"),
  );
  if (!asked) return <p className="empty">fetching the prompt…</p>;
  if ("problem" in asked) return <Problem text={asked.problem} />;
  const { prompt, steps, messageId } = asked.data;
  return (
    <>
      {showPrompt(prompt, row.answer)}
      {row.reason !== undefined && (
        <p className="bad small">
          <Visible text={row.reason} />
        </p>
      )}
      <Steps steps={steps} />
      <p className="history-detail__links">
        {known && row.sessionId !== undefined && (
          <a
            className="text-button"
            href={hrefOf({
              page: "chat",
              sessionId: row.sessionId,
              ...(messageId !== undefined && { messageId }),
            })}
          >
            show it in the chat
          </a>
        )}
        {row.folder !== undefined && (
          <button type="button" className="text-button" onClick={() => onFolder(row.folder ?? "")}>
            only in {folderName(row.folder)}
          </button>
        )}
      </p>
    </>
  );
}

function Steps({ steps }: { steps: HistoryStep[] }) {
  const ownDevice = useAppState((state) => state.server?.deviceId ?? null);
  return (
    <ol className="history-steps small" aria-label="What happened">
      {steps.map(({ seq, at, kind, by, text }) => (
        <li key={seq}>
          <span className="dim tabular">{exact(at)}</span> {stepWords(kind)}
          {by && ` ${byWords(by, ownDevice)}`}
          {text !== undefined && (
            <>
              {": "}
              <Visible text={text} />
            </>
          )}
          <span className="dim tabular"> · row {seq}</span>
        </li>
      ))}
    </ol>
  );
}
