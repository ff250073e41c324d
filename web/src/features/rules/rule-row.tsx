/* One rule: what it says, where and how long it holds, how often it was used, and the way to be rid of it. */
import { ConfirmButton } from "@/components/confirm-button";
import { Moment } from "@/components/moment";
import { Visible } from "@/components/visible";
import { useNow } from "@/lib/ticker";
import { useAppState } from "@/state/app-context";
import { usesWords } from "@/words/rule-words";
import { clock } from "@/words/time";
import type { RuleInfo } from "@/wire/rules";

export function RuleRow({ rule, onRemove }: { rule: RuleInfo; onRemove: (id: string) => void }) {
  const session = useAppState((state) => state.sessions[rule.sessionId ?? ""]?.name);
  const now = useNow();
  const left = rule.until === undefined ? null : rule.until - now;
  return (
    <li className="rules__item">
      <div className="rules__text">
        <span>
          <Visible text={rule.words} />
        </span>
        <code className="small exact">
          <Visible text={rule.text} />
        </code>
        <span className="small dim">
          {usesWords(rule)}
          {rule.lastUsedAt !== undefined && (
            <>
              , last <Moment at={rule.lastUsedAt} />
            </>
          )}
          {session !== undefined && ` · in ${session}`}
          {rule.folder !== undefined && ` · in ${rule.folder}`}
          {rule.cli !== undefined && ` · for ${rule.cli}`}
          {left !== null && (left > 0 ? ` · ${clock(left)} left` : " · over")}
        </span>
        {rule.message !== undefined && <span className="small dim">The model is told: {rule.message}</span>}
        {rule.note !== undefined && <span className="small dim">{rule.note}</span>}
      </div>
      {rule.origin === "made" && (
        <ConfirmButton
          className="text-button bad"
          label={`Remove ${rule.text}`}
          question="remove?"
          onConfirm={() => onRemove(rule.id)}
        >
          remove
        </ConfirmButton>
      )}
    </li>
  );
}
