/* The lowered sheet: says how many prompts wait, and raises the nearest one. */
import "@/features/prompt/peek-bar.css";
import { AdapterMark } from "@/components/adapter-badge";
import { Visible } from "@/components/visible";
import { useAppState, useDispatch } from "@/state/app-context";
import type { SessionId } from "@/wire/session";

/** `current` is the session whose page is open. */
export function PeekBar({ current }: { current: SessionId | null }) {
  const prompts = useAppState((state) => state.prompts);
  const sessions = useAppState((state) => state.sessions);
  const dispatch = useDispatch();

  const near = prompts.find(({ prompt }) => prompt.sessionId === current) ?? prompts[0];
  if (!near) return null;
  const { requestId, sessionId, adapter, title } = near.prompt;
  return (
    <button type="button" className="peek" onClick={() => dispatch({ type: "sheet-raised", requestId })}>
      <span className="peek__count tabular">{prompts.length} waiting</span>
      <span className="peek__what" dir="auto">
        <AdapterMark kind={adapter} />
        <span className="peek__title">
          {sessions[sessionId ?? ""]?.name} · <Visible text={title} />
        </span>
      </span>
    </button>
  );
}
