/* What is asked about: all of the tool's input, the change, the plan or the raw screen; the agent's reason; the risk. */
import { Suspense } from "react";
import { DiffView } from "@/components/diff-view";
import { Icon } from "@/components/icon";
import { Markdown } from "@/components/markdown";
import { ReviewAction } from "@/components/review-slot";
import { LiveScreen } from "@/components/terminal-parts";
import { Visible } from "@/components/visible";
import { AgentWords } from "@/features/prompt/agent-words";
import { InputFields } from "@/features/prompt/input-fields";
import { isRaw, isTerminalOnly } from "@/features/prompt/shape";
import { shownInput } from "@/features/prompt/shown-input";
import { WouldRunList } from "@/features/prompt/would-run";
import { useAppState } from "@/state/app-context";
import { visibleText } from "@/lib/visible-text";
import type { InteractivePrompt, Risk } from "@/wire/prompt";

interface Props {
  prompt: InteractivePrompt;
  /** The element with the few words that are read out with the title. */
  summaryId: string;
  /** It is over and only looked at: nothing live stands beside it, and nothing can be done with it. */
  past?: boolean;
}

export function PromptSubject({ prompt, summaryId, past = false }: Props) {
  const { command, fields } = shownInput(prompt);
  const { diff = [], files = [], wouldRun = [], plan, risk, sessionId } = prompt;
  const hasInput = command !== null || fields.length > 0 || diff.length > 0;
  return (
    <>
      <div className="subject__summary" id={summaryId}>
        {prompt.warning !== undefined && <Warning text={prompt.warning} />}
        {prompt.incomplete && (
          <Warning text="Not all of this is shown here: a part was cut. The terminal, or the CLI itself, has the rest." />
        )}
      </div>
      {command !== null && command !== "" && (
        <pre className="subject__command exact">
          <Visible text={command} />
          {prompt.incomplete && <span className="subject__cut">… cut: not all of it is here</span>}
        </pre>
      )}
      <InputFields fields={fields} />
      {diff.length > 0 && <DiffView files={diff} />}
      {!hasInput && files.length > 0 && (
        <ul className="subject__files mono">
          {files.map((file) => (
            <li key={file} className="exact">
              <Visible text={file} />
            </li>
          ))}
        </ul>
      )}
      {wouldRun.length > 0 && <WouldRunList entries={wouldRun} />}
      {plan !== undefined && <Markdown text={visibleText(plan)} exact />}
      {plan !== undefined && sessionId !== undefined && !past && (
        <ReviewAction sessionId={sessionId} subject="Plan" text={plan} />
      )}
      {prompt.description !== "" && <AgentWords adapter={prompt.adapter} text={prompt.description} />}
      {!past && <SaidBefore prompt={prompt} />}
      {risk && risk.level !== "low" && <RiskWords risk={risk} />}
      {!past && <PromptScreen prompt={prompt} />}
      {prompt.moreOptions && (
        <p className="dim small">The CLI has more options than these; the terminal shows them.</p>
      )}
    </>
  );
}

/** The screen, where only it tells. No key is offered before it is there; a warning and the way to the terminal wait for nothing. */
function PromptScreen({ prompt }: { prompt: InteractivePrompt }) {
  const { sessionId, screen } = prompt;
  if (sessionId === undefined) return null;
  const live = <LiveScreen sessionId={sessionId} fallback={screen} />;
  if (isTerminalOnly(prompt)) return <Suspense>{live}</Suspense>;
  return isRaw(prompt) ? live : null;
}

/** Away from its chat nobody sees what led to the question: then the agent's last sentence stands here. */
function SaidBefore({ prompt }: { prompt: InteractivePrompt }) {
  const said = useAppState((state) => {
    const session = state.sessions[prompt.sessionId ?? ""];
    return session?.hasMessages && !state.viewing.includes(session.id) ? session.lastLine : "";
  });
  if (said === "" || said === prompt.description || said === prompt.title) return null;
  return <AgentWords adapter={prompt.adapter} text={said} before />;
}

function Warning({ text }: { text: string }) {
  return (
    <p className="subject__warning" role="note">
      <Icon name="warning" size={18} />
      <span>
        <Visible text={text} />
      </span>
    </p>
  );
}

function RiskWords({ risk }: { risk: Risk }) {
  return (
    <div className={`risk risk--${risk.level}`}>
      <Icon name="warning" size={18} />
      <ul aria-label={risk.level === "high" ? "Risk: high" : "Risk"}>
        {risk.reasons.map((reason) => (
          <li key={reason}>
            <Visible text={reason} />
          </li>
        ))}
      </ul>
    </div>
  );
}
