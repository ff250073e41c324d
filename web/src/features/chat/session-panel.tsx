/* Everything about a session that is not its conversation: name, folder, mode, how to join it, how to end it. */
import { Fragment, useEffect, useRef, useState, type SyntheticEvent } from "react";
import { ConfirmButton } from "@/components/confirm-button";
import { CopyButton } from "@/components/copy-button";
import { Moment } from "@/components/moment";
import { SessionReviews } from "@/components/review-slot";
import { hrefOf } from "@/lib/router";
import { modeWords } from "@/words/mode-words";
import { contextWords, totalWords } from "@/words/usage-words";
import { useAppState, useVerbs } from "@/state/app-context";
import type { AdapterInfo, PermissionMode, Session, SessionId, Usage } from "@/wire/session";

/** The modes a running session can be changed to. One that never asks is chosen at the start or not at all. */
function changeableModes(session: Session, adapters: AdapterInfo[]): PermissionMode[] {
  const adapter = adapters.find((candidate) => candidate.kind === session.adapter);
  if (!adapter?.changesMode || session.state.type === "ended") return [];
  return adapter.modes.filter((mode) => mode !== "bypass" || mode === session.mode);
}

export function SessionPanel({ session, onClose }: { session: Session; onClose: () => void }) {
  const { tryTo } = useVerbs();
  const { usage } = session;
  const adapters = useAppState((state) => state.adapters);
  const [name, setName] = useState(session.name);
  const [changing, setChanging] = useState(false);
  const modes = changeableModes(session, adapters);
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => {
    panel.current?.focus();
    function onKey(event: KeyboardEvent) {
      if (event.key !== "Escape") return;
      event.preventDefault();
      onClose();
    }
    // Captured, so that Escape closes the panel and not also the sheet.
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [onClose]);

  async function rename(event: SyntheticEvent) {
    event.preventDefault();
    if (await tryTo({ type: "rename", sessionId: session.id, name: name.trim() })) onClose();
  }

  async function changeMode(mode: PermissionMode) {
    setChanging(true);
    await tryTo({ type: "set-mode", sessionId: session.id, mode });
    setChanging(false);
  }

  async function end() {
    if (await tryTo({ type: "end", sessionId: session.id })) onClose();
  }

  return (
    <>
      {/* On the click, not before it: else the click would go to what lies underneath. */}
      <div className="panel-scrim" onClick={onClose} aria-hidden="true" />
      <div className="panel" role="dialog" aria-label="Session" ref={panel} tabIndex={-1}>
        <form className="input-row" onSubmit={(event) => void rename(event)}>
          <input
            className="input"
            aria-label="Session name"
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.target.value)}
          />
          <button
            type="submit"
            className="button"
            disabled={name.trim() === "" || name.trim() === session.name}
          >
            Rename
          </button>
        </form>
        <dl className="facts">
          <dt>Folder</dt>
          <dd className="mono">{session.folder}</dd>
          {session.mode && (
            <>
              <dt>Permissions</dt>
              <dd>
                {modes.length > 0 ? (
                  <select
                    className="input"
                    aria-label="Permissions"
                    value={session.mode}
                    disabled={session.state.type !== "ready" || changing}
                    onChange={(event) => void changeMode(event.target.value as PermissionMode)}
                  >
                    {modes.map((mode) => (
                      <option key={mode} value={mode}>
                        {modeWords(mode).label}: {modeWords(mode).meaning}
                      </option>
                    ))}
                  </select>
                ) : (
                  modeWords(session.mode).label
                )}
              </dd>
            </>
          )}
          {usage && <Used usage={usage} />}
          <dt>Started</dt>
          <dd>
            <Moment at={session.createdAt} />
          </dd>
          <dt>Join it at the desk</dt>
          <dd className="facts__copy">
            <code>{session.attachCommand}</code>
            <CopyButton text={session.attachCommand} label="Copy the attach command" />
          </dd>
        </dl>
        <a className="button button--wide" href={hrefOf({ page: "history", sessionId: session.id })}>
          History of this session
        </a>
        <RulesSwitch sessionId={session.id} />
        <SessionReviews session={session} />
        {session.state.type !== "ended" && (
          <ConfirmButton
            className="button button--bad button--wide"
            question="Tap again: stop the program and end"
            onConfirm={() => void end()}
          >
            End session
          </ConfirmButton>
        )}
      </div>
    </>
  );
}

function Used({ usage }: { usage: Usage }) {
  const facts = [
    ["Model", usage.model],
    ["Context", contextWords(usage)],
    ["Used so far", totalWords(usage)],
  ].filter(([, words]) => words);
  return facts.map(([name, words]) => (
    <Fragment key={name}>
      <dt>{name}</dt>
      <dd className="tabular">{words}</dd>
    </Fragment>
  ));
}

/** Pauses the rules of this session, or lets them act again. */
function RulesSwitch({ sessionId }: { sessionId: SessionId }) {
  const { tryTo } = useVerbs();
  const rules = useAppState((state) => state.rules);
  if (!rules || rules.count === 0) return null;
  const paused = rules.sessions.some((each) => each.sessionId === sessionId);
  return (
    <button
      type="button"
      className="button button--wide"
      onClick={() => void tryTo({ type: "rules", rules: { do: paused ? "resume" : "pause", sessionId } })}
    >
      {paused ? "Resume rules here" : "Pause rules here"}
    </button>
  );
}
