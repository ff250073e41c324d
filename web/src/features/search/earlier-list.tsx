/* What there was before: ended sessions, and conversations that the CLIs have kept. A tap goes on with one. */
import { useState } from "react";
import { AdapterBadge } from "@/components/adapter-badge";
import { Problem } from "@/components/problem";
import { earlierOf, type Earlier } from "@/features/search/earlier";
import { useEarlier } from "@/features/search/use-earlier";
import { useSubmit } from "@/lib/use-submit";
import { hrefOf, navigate } from "@/lib/router";
import { useNow } from "@/lib/ticker";
import { ago } from "@/words/time";
import { useAppState, useVerbs } from "@/state/app-context";
import { folderName } from "@/words/session-words";

/** Enough to find last week's; the rest on demand, or by more words. */
const FIRST = 20;

export function EarlierList({ query }: { query: string }) {
  const sessions = useAppState((state) => state.sessions);
  const { conversations, loaded } = useEarlier(query);
  const { ask, resume } = useVerbs();
  const [all, setAll] = useState(false);
  const { busy, problem, submit } = useSubmit();
  const earlier = earlierOf(Object.values(sessions), conversations, query);
  const shown = all ? earlier : earlier.slice(0, FIRST);

  async function goOn(what: Earlier) {
    const { resumed } = what;
    if (!resumed) return;
    await submit(async () => {
      // An ended session goes on in its place; a conversation of the CLI's own becomes a session.
      const sessionId = what.sessionId
        ? (await ask({ type: "resume", sessionId: what.sessionId }, "started")).sessionId
        : await resume(resumed);
      navigate({ page: "chat", sessionId });
    });
  }

  // What is said in the messages stands below; that nothing is called so is no news.
  if (loaded && query !== "" && earlier.length === 0) return null;
  return (
    <section className="section" aria-label="Earlier">
      <h2 className="section__title">Earlier</h2>
      {problem !== null && <Problem text={problem} />}
      {earlier.length === 0 && <p className="empty">{loaded ? "Nothing yet." : "looking…"}</p>}
      <ul className="card earlier-list">
        {shown.map((what) => (
          <li key={what.key} className="earlier-list__item">
            <EarlierRow what={what} disabled={busy} onResume={() => void goOn(what)} />
          </li>
        ))}
      </ul>
      {shown.length < earlier.length && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          show all {earlier.length}
        </button>
      )}
    </section>
  );
}

interface RowProps {
  what: Earlier;
  disabled: boolean;
  onResume: () => void;
}

/** An ended session can be read as well; of a conversation nothing is known here until somebody goes on with it. */
function EarlierRow({ what, disabled, onResume }: RowProps) {
  if (what.sessionId === undefined) {
    return (
      <button type="button" className="earlier-row" disabled={disabled || !what.resumed} onClick={onResume}>
        <Words what={what} />
        <span className="earlier-row__resume small">
          {what.resumed ? "resume" : "its folder is not known"}
        </span>
      </button>
    );
  }
  return (
    <>
      <a className="earlier-row" href={hrefOf({ page: "chat", sessionId: what.sessionId })}>
        <Words what={what} />
      </a>
      {what.resumed && (
        <button
          type="button"
          className="text-button"
          aria-label={`Resume ${what.title}`}
          disabled={disabled}
          onClick={onResume}
        >
          resume
        </button>
      )}
    </>
  );
}

function Words({ what: { adapter, title, folder, at, detail } }: { what: Earlier }) {
  const now = useNow();
  return (
    <span className="earlier-row__words">
      <span className="earlier-row__head">
        <AdapterBadge kind={adapter} />
        <span className="earlier-row__title" dir="auto">
          {title}
        </span>
      </span>
      <span className="dim small" title={folder}>
        {ago(at, now)}
        {folder !== undefined && ` · ${folderName(folder)}`}
        {detail !== "" && ` · ${detail}`}
      </span>
    </span>
  );
}
