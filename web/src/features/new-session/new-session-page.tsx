/* A new session: which agent, where, how freely, under which name. Nothing entered is lost when it is refused. */
import { useState, type SyntheticEvent } from "react";
import { ExactInput, Field } from "@/components/field";
import { Icon } from "@/components/icon";
import { Problem } from "@/components/problem";
import { AdapterChoice } from "@/features/new-session/adapter-choice";
import {
  chosenAdapter,
  chosenMode,
  firstChoices,
  startRequest,
  toRemember,
  withDefaults,
  type Choices,
} from "@/features/new-session/choices";
import { EarlierConversations } from "@/features/new-session/earlier-conversations";
import { FolderField } from "@/features/new-session/folder-field";
import { ModeChoice } from "@/features/new-session/mode-choice";
import { ModelField } from "@/features/new-session/model-field";
import "@/features/new-session/new-session-page.css";
import { failureText } from "@/lib/request-failed";
import { hrefOf, replaceRoute } from "@/lib/router";
import { recall, remember } from "@/lib/storage";
import { useAppState, useVerbs } from "@/state/app-context";
import type { ConversationInfo } from "@/wire/session";

export function NewSessionPage() {
  const adapters = useAppState((state) => state.adapters);
  const { ask } = useVerbs();
  const defaults = useAppState((state) => state.preferences.defaults);
  const [choices, setChoices] = useState(() => {
    const last = firstChoices(recall("new-session", {}));
    return withDefaults(last, chosenAdapter(adapters, last)?.kind, defaults);
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [starting, setStarting] = useState(false);
  const [sure, setSure] = useState(false);
  const [resume, setResume] = useState<ConversationInfo | null>(null);
  const adapter = chosenAdapter(adapters, choices);
  const mode = chosenMode(adapter, choices);

  function choose(parts: Partial<Choices>) {
    setChoices((current) => ({ ...current, ...parts }));
    setSure(false);
    setResume(null);
  }

  async function start(from: ConversationInfo | null) {
    setProblem(null);
    setResume(from);
    const request = startRequest(adapter, choices, from);
    if (!request.ok) {
      setProblem(request.reason);
      return;
    }
    if (mode === "bypass" && !sure) {
      setSure(true);
      return;
    }
    setStarting(true);
    try {
      const { sessionId } = await ask({ type: "start", start: request.start }, "started");
      remember("new-session", toRemember({ ...choices, adapter: request.start.adapter }));
      replaceRoute({ page: "chat", sessionId });
    } catch (error) {
      setProblem(failureText(error));
      setStarting(false);
      setSure(false);
      setResume(null);
    }
  }

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    void start(resume);
  }

  return (
    <div className="page">
      <header className="bar">
        <a className="icon-button" href={hrefOf({ page: "home" })} aria-label="Back">
          <Icon name="back" />
        </a>
        <h1 className="bar__title">New session</h1>
      </header>
      <form className="new-session" onSubmit={submit}>
        <div className="page__scroll">
          <div className="page__column">
            <AdapterChoice
              adapters={adapters}
              chosen={adapter?.kind}
              onChoose={(kind) => choose(withDefaults({ ...choices, adapter: kind }, kind, defaults))}
            />
            {adapter?.takesCommand && (
              <Field label="Command">
                <ExactInput
                  value={choices.command}
                  onChange={(command) => choose({ command })}
                  placeholder="npm run dev"
                />
              </Field>
            )}
            <FolderField folder={choices.folder} onChange={(folder) => choose({ folder })} />
            {adapter && adapter.modes.length > 0 && (
              <ModeChoice
                modes={adapter.modes}
                chosen={mode}
                onChoose={(chosen) => choose({ mode: chosen })}
              />
            )}
            {adapter?.models && (
              <ModelField
                suggestions={adapter.models}
                model={choices.models[adapter.kind] ?? ""}
                onChange={(model) => choose({ models: { ...choices.models, [adapter.kind]: model } })}
              />
            )}
            <Field label="First message (optional)">
              <textarea
                className="input"
                rows={2}
                dir="auto"
                value={choices.message}
                onChange={(event) => choose({ message: event.target.value })}
                placeholder="sent once the agent is ready"
              />
            </Field>
            {adapter && (
              <EarlierConversations
                adapter={adapter.kind}
                folder={choices.folder}
                disabled={starting}
                onResume={(conversation) => void start(conversation)}
              />
            )}
            <Field label="Name (optional)">
              <input
                className="input"
                value={choices.name}
                maxLength={100}
                onChange={(event) => choose({ name: event.target.value })}
                placeholder="the folder’s name"
                autoComplete="off"
              />
            </Field>
          </div>
        </div>
        <div className="new-session__foot">
          {problem !== null && <Problem text={problem} />}
          <button
            type="submit"
            className={`button button--wide ${sure ? "button--bad" : "button--primary"}`}
            disabled={starting || !adapter}
          >
            {startWords(starting, sure)}
          </button>
        </div>
      </form>
    </div>
  );
}

function startWords(starting: boolean, sure: boolean): string {
  if (starting) return "Starting…";
  return sure ? "Tap again: start and never ask me" : "Start";
}
