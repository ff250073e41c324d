/* What one must know of a session before an answer: how freely it acts, and whether only its screen tells what it does. */
import { useAppState } from "@/state/app-context";
import { modeWords } from "@/words/mode-words";
import { rulesMark } from "@/words/rule-words";
import "@/components/session-marks.css";
import type { Session } from "@/wire/session";

/** `all` names the ordinary mode as well. */
export function SessionMarks({ session, all = false }: { session: Session; all?: boolean }) {
  const { mode, screenOnly } = session;
  const status = useAppState((state) => state.rules);
  const rules = session.state.type === "ended" ? null : rulesMark(status, session.id);
  return (
    <>
      {mode !== undefined && (all || mode !== "ask") && (
        <span
          className={mode === "bypass" ? "mark-chip mark-chip--bad" : "mark-chip"}
          title={modeWords(mode).meaning}
        >
          {modeWords(mode).label}
        </span>
      )}
      {rules && (all || rules.label !== "rules on") && (
        <span className="mark-chip" title={rules.meaning}>
          {rules.label}
        </span>
      )}
      {screenOnly && (
        <span
          className="mark-chip"
          title="The CLI does not tell what it asks; it is read from its screen alone, and may be cut."
        >
          screen only
        </span>
      )}
    </>
  );
}
