/* What is asked about: the whole command, the change, the plan or the raw screen; the CLI's reason; the risk. */
import { DiffView } from "@/components/diff-view";
import { Icon } from "@/components/icon";
import { LiveScreen } from "@/components/live-screen";
import { ReviewButton } from "@/components/review-button";
import { Markdown } from "@/components/markdown";
import { isRaw } from "@/features/prompt/shape";
import { toolText } from "@/lib/tool-input";
import type { InteractivePrompt, Risk } from "@/wire/prompt";

export function PromptSubject({ prompt }: { prompt: InteractivePrompt }) {
  // A diff says it better than the input it was made from.
  const tool = prompt.diff?.length ? "" : toolText(prompt.toolInput);
  return (
    <>
      {tool !== "" && <pre className="subject__command">{tool}</pre>}
      {prompt.diff && prompt.diff.length > 0 && <DiffView files={prompt.diff} />}
      {!prompt.diff?.length && tool === "" && prompt.files && prompt.files.length > 0 && (
        <ul className="subject__files mono">
          {prompt.files.map((file) => (
            <li key={file}>{file}</li>
          ))}
        </ul>
      )}
      {prompt.risk && prompt.risk.level !== "low" && <RiskWords risk={prompt.risk} />}
      {prompt.plan !== undefined && <Markdown text={prompt.plan} />}
      {prompt.plan !== undefined && <ReviewButton subject="Plan" text={prompt.plan} />}
      {prompt.description !== "" && (
        <p className="subject__description" dir="auto">
          {prompt.description}
        </p>
      )}
      {isRaw(prompt) && prompt.sessionId !== undefined && (
        <LiveScreen sessionId={prompt.sessionId} fallback={prompt.screen} />
      )}
      {prompt.moreOptions && (
        <p className="dim small">The CLI has more options than these; the terminal shows them.</p>
      )}
    </>
  );
}

function RiskWords({ risk }: { risk: Risk }) {
  return (
    <div className={`risk risk--${risk.level}`}>
      <Icon name="warning" size={18} />
      <ul aria-label={risk.level === "high" ? "Risk: high" : "Risk"}>
        {risk.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
