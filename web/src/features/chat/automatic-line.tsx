/* What a rule has answered, or would have: what was asked about, the rule, and the way to stop it. */
import { useState } from "react";
import { Visible } from "@/components/visible";
import { useAppState, useVerbs } from "@/state/app-context";
import { verdictWords } from "@/words/rule-words";
import type { MessageBody } from "@/wire/message";
import type { RulesCommand } from "@/wire/rules";
import type { SessionId } from "@/wire/session";

type Automatic = Extract<MessageBody, { type: "automatic" }>;

export function AutomaticLine({ body, sessionId }: { body: Automatic; sessionId: SessionId }) {
  const { asked, verdict, rule, shadow } = body;
  const would = shadow ? `Would have been ${verdictWords(verdict).toLowerCase()}` : verdictWords(verdict);
  return (
    <div className="message message--notice">
      {would} by the rule <code>{rule}</code>:{" "}
      <span className="exact mono">
        <Visible text={asked} />
      </span>{" "}
      {!shadow && <Stop ruleId={body.ruleId} sessionId={sessionId} />}
    </div>
  );
}

/** A rule that was made on a phone is removed; one of the file can only be paused from here. */
function Stop({ ruleId, sessionId }: { ruleId: string; sessionId: SessionId }) {
  const { tryTo } = useVerbs();
  const [stopped, setStopped] = useState(false);
  const paused = useAppState(
    ({ rules }) =>
      rules !== null && (rules.paused || rules.sessions.some((each) => each.sessionId === sessionId)),
  );
  const isMade = ruleId.startsWith("made-");
  if (stopped || (!isMade && paused)) return <span className="dim">stopped</span>;
  const rules: RulesCommand = isMade ? { do: "remove", ruleId } : { do: "pause", sessionId };

  async function stop() {
    if (await tryTo({ type: "rules", rules })) setStopped(true);
  }

  return (
    <button type="button" className="text-button" onClick={() => void stop()}>
      {isMade ? "stop this rule" : "pause rules here"}
    </button>
  );
}
