/*
 * What was asked, by whom it was answered, and what came of it: over all sessions, or of one. A tap on a row shows the prompt
 * as it was; that picture belongs to the prompts and is handed in.
 */
import { useState, type ReactNode } from "react";
import { PageBar } from "@/components/page-bar";
import { Problem } from "@/components/problem";
import { HistoryFilters, filterOf, type Chosen } from "@/features/history/history-filters";
import "@/features/history/history-page.css";
import { HistoryRowView } from "@/features/history/history-row";
import { useHistory } from "@/features/history/use-history";
import { hrefOf } from "@/lib/router";
import { useNow } from "@/lib/ticker";
import { useSubmit } from "@/lib/use-submit";
import { useAppState } from "@/state/app-context";
import type { InteractivePrompt } from "@/wire/prompt";
import type { SessionId } from "@/wire/session";

interface Props {
  /** Of this session; of all when it is not said. */
  sessionId: SessionId | undefined;
  showPrompt: (prompt: InteractivePrompt, answer: string | undefined) => ReactNode;
}

export function HistoryPage({ sessionId, showPrompt }: Props) {
  const session = useAppState((state) => (sessionId === undefined ? undefined : state.sessions[sessionId]));
  const [chosen, setChosen] = useState<Chosen>({});
  const [open, setOpen] = useState<string | null>(null);
  const now = useNow();
  const filter = { ...filterOf(chosen, now), ...(sessionId !== undefined && { sessionId }) };
  const { found, older } = useHistory(filter);

  return (
    <div className="page">
      <PageBar back={sessionId === undefined ? { page: "settings" } : { page: "chat", sessionId }}>
        <h1 className="bar__title">{session ? `History of ${session.name}` : "History"}</h1>
        {sessionId === undefined && (
          <a className="text-button" href={hrefOf({ page: "insight" })}>
            in numbers
          </a>
        )}
      </PageBar>
      <div className="page__scroll">
        <div className="page__column history">
          <HistoryFilters chosen={chosen} onChoose={setChosen} />
          {found.type === "looking" && <p className="empty">looking…</p>}
          {found.type === "failed" && <Problem text={found.why} />}
          {found.type === "found" && (
            <>
              <p className="visually-hidden" role="status">
                {found.rows.length} prompts{found.more && ", there are older ones"}
              </p>
              {found.rows.length === 0 && <p className="empty">Nothing of that kind was asked.</p>}
              <ul className="card history__rows" aria-label="Prompts">
                {found.rows.map((row) => (
                  <li key={row.requestId} className="history__item">
                    <HistoryRowView
                      row={row}
                      inSession={sessionId !== undefined}
                      open={open === row.requestId}
                      onToggle={() => setOpen(open === row.requestId ? null : row.requestId)}
                      onFolder={(folder) => setChosen({ ...chosen, folder })}
                      showPrompt={showPrompt}
                    />
                  </li>
                ))}
              </ul>
              {found.more && <OlderButton older={older} />}
            </>
          )}
        </div>
      </div>
    </div>
  );
}

function OlderButton({ older }: { older: () => Promise<string | null> }) {
  const [why, setWhy] = useState<string | null>(null);
  const { busy, submit } = useSubmit();
  return (
    <>
      {why !== null && <Problem text={why} />}
      <button
        type="button"
        className="button button--wide"
        disabled={busy}
        onClick={() => void submit(async () => setWhy(await older()))}
      >
        {busy ? "fetching…" : "Show older ones"}
      </button>
    </>
  );
}
