/* Whether rules act: all of them, in each session that pauses, and whether they are only tried out. */
import { useAppState, useVerbs } from "@/state/app-context";
import { pauseWords } from "@/words/rule-words";
import type { RulesCommand, RulesMode } from "@/wire/rules";

const MODES: [RulesMode, string][] = [
  ["on", "Rules answer"],
  ["shadow", "Rules only say what they would answer"],
];

export function RulesSwitches() {
  const { tryTo } = useVerbs();
  const status = useAppState((state) => state.rules);
  const sessions = useAppState((state) => state.sessions);
  if (!status) return null;
  const change = (rules: RulesCommand) => void tryTo({ type: "rules", rules });
  return (
    <section className="section" aria-label="Whether rules act">
      <fieldset className="rules__modes">
        <legend className="visually-hidden">Mode</legend>
        {MODES.map(([mode, label]) => (
          <label key={mode} className="choice">
            <input
              type="radio"
              name="rules-mode"
              checked={status.mode === mode}
              onChange={() => change({ do: "set-mode", mode })}
            />
            <span className="choice__text">{label}</span>
          </label>
        ))}
      </fieldset>
      <button
        type="button"
        className="button button--wide"
        onClick={() => change({ do: status.paused ? "resume" : "pause" })}
      >
        {status.paused ? "Resume all rules" : "Pause all rules"}
      </button>
      {status.sessions.length > 0 && (
        <ul className="card rules__list" aria-label="Sessions in which rules are paused">
          {status.sessions.map(({ sessionId, why }) => (
            <li key={sessionId} className="rules__item">
              <span className="rules__text">
                <span dir="auto">{sessions[sessionId]?.name ?? "a session that is gone"}</span>
                <span className="small dim">{pauseWords(why)}</span>
              </span>
              <button
                type="button"
                className="text-button"
                onClick={() => change({ do: "resume", sessionId })}
              >
                resume
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
