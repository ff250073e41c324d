/* What one must know of a session before an answer: how freely it acts, and whether only its screen tells what it does. */
import { useAppState } from "@/state/app-context";
import { modeWords } from "@/words/mode-words";
import { rulesMark } from "@/words/rule-words";
import "@/components/session-marks.css";
import type { PermissionMode, Session } from "@/wire/session";

/** The ordinary mode is quiet, so that the others are seen. */
const MODE_CLASSES: Partial<Record<PermissionMode, string>> = {
  ask: "mark-chip mark-chip--quiet",
  bypass: "mark-chip mark-chip--bad",
};

/** `all` names rules that are simply on as well. */
export function SessionMarks({ session, all = false }: { session: Session; all?: boolean }) {
  const { mode, screenOnly } = session;
  const status = useAppState((state) => state.rules);
  const over = session.state.type === "ended";
  const rules = over ? null : rulesMark(status, session.id);
  return (
    <>
      {mode !== undefined && !(over && mode === "ask") && (
        <span className={MODE_CLASSES[mode] ?? "mark-chip"} title={modeWords(mode).meaning}>
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
