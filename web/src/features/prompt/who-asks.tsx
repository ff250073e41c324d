/* Who asks: the CLI, the session, the sub-agent; and where this prompt stands among those that wait. */
import { AdapterBadge } from "@/components/adapter-badge";
import { SessionMarks } from "@/components/session-marks";
import { Icon } from "@/components/icon";
import { useAppState } from "@/state/app-context";
import { Visible } from "@/components/visible";
import type { InteractivePrompt } from "@/wire/prompt";

interface Props {
  prompt: InteractivePrompt;
  place: { index: number; count: number };
  onTurn: (by: number) => void;
}

export function WhoAsks({ prompt, place, onTurn }: Props) {
  const session = useAppState((state) => state.sessions[prompt.sessionId ?? ""]);
  return (
    <div className="who">
      <p className="who__names">
        <AdapterBadge kind={prompt.adapter} />
        {session && <span dir="auto">{session.name}</span>}
        {session && <SessionMarks session={session} />}
        {prompt.agent && (
          <span>
            sub-agent: <Visible text={prompt.agent} />
          </span>
        )}
        {prompt.position && <span className="tabular">{prompt.position}</span>}
        {prompt.toolName && (
          <span className="mono exact">
            <Visible text={prompt.toolName} />
          </span>
        )}
      </p>
      {place.count > 1 && (
        <div className="who__place">
          <button
            type="button"
            className="icon-button who__turn who__turn--back"
            aria-label="Previous prompt"
            onClick={() => onTurn(-1)}
          >
            <Icon name="chevron" size={18} />
          </button>
          <span className="tabular small">
            {place.index + 1} of {place.count}
            <span className="visually-hidden"> waiting prompts</span>
          </span>
          <button
            type="button"
            className="icon-button who__turn"
            aria-label="Next prompt"
            onClick={() => onTurn(1)}
          >
            <Icon name="chevron" size={18} />
          </button>
        </div>
      )}
    </div>
  );
}
