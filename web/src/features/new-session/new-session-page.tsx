/* A new session: which agent, where, how freely, under which name. Nothing entered is lost when it is refused. */
import { useState, type SyntheticEvent } from "react";
import { ExactInput, Field } from "@/components/field";
import { PageBar } from "@/components/page-bar";
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
import { replaceRoute } from "@/lib/router";
import { recall, remember } from "@/lib/storage";
import { useSecondTap } from "@/lib/use-second-tap";
import { useSubmit } from "@/lib/use-submit";
import { useAppState, useVerbs } from "@/state/app-context";
import type { AdapterKind, ConversationInfo } from "@/wire/session";

interface Props {
  /** What the address has chosen already. */
  adapter?: AdapterKind | undefined;
  folder?: string | undefined;
}

export function NewSessionPage({ adapter: asked, folder }: Props) {
  const adapters = useAppState((state) => state.adapters);
  const { startOnce } = useVerbs();
  const defaults = useAppState((state) => state.preferences.defaults);
  const [choices, setChoices] = useState(() => {
    const last = firstChoices(recall("new-session", {}));
    const wanted = asked === undefined ? last : { ...last, adapter: asked };
    const choices = withDefaults(wanted, chosenAdapter(adapters, wanted)?.kind, defaults);
    return folder === undefined ? choices : { ...choices, folder };
  });
  const { busy: starting, problem, setProblem, submit: send } = useSubmit();
  const sure = useSecondTap();
  const [resume, setResume] = useState<ConversationInfo | null>(null);
  const adapter = chosenAdapter(adapters, choices);
  const mode = chosenMode(adapter, choices);

  function choose(parts: Partial<Choices>) {
    // Trust is given to one folder and one agent.
    const untrusted = "folder" in parts || "adapter" in parts ? { trust: false } : {};
    setChoices((current) => ({ ...current, ...untrusted, ...parts }));
    sure.disarm();
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
    if (mode === "bypass" && !sure.press()) return;
    const started = await send(async () => {
      const sessionId = await startOnce(request.start);
      remember("new-session", toRemember({ ...choices, adapter: request.start.adapter }));
      replaceRoute({ page: "chat", sessionId });
    });
    if (!started) setResume(null);
  }

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    void start(resume);
  }

  return (
    <div className="page">
      <PageBar back={{ page: "home" }}>New session</PageBar>
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
            {adapter?.isAgent && (
              <label className="choice">
                <input
                  type="checkbox"
                  aria-label="Trust this folder"
                  checked={choices.trust}
                  onChange={({ target }) => choose({ trust: target.checked })}
                />
                <span className="choice__text">
                  Trust this folder
                  <span className="small dim">
                    {choices.trust
                      ? "What its own settings tell the CLI to run starts at once, without a question."
                      : "Else the CLI asks first if it does not know the folder, and you see what its settings would run."}
                  </span>
                </span>
              </label>
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
                adapter={adapter}
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
            className={`button button--wide ${sure.armed ? "button--bad" : "button--primary"}`}
            data-armed={sure.armed ? "" : undefined}
            disabled={starting || !adapter}
          >
            {startWords(starting, sure.armed)}
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
