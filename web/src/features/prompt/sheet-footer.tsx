/* The last line of the sheet: the way to the terminal, and how long it has been waiting, which says who was told meanwhile. */
import { Icon } from "@/components/icon";
import { hrefOf } from "@/lib/router";
import { useNow } from "@/lib/ticker";
import { timeLeft } from "@/words/expiry-words";
import { clock } from "@/words/time";
import type { InteractivePrompt } from "@/wire/prompt";

interface Props {
  prompt: InteractivePrompt;
  onLower: () => void;
  /** Why it was asked and how long the answer holds; nothing where rules have no say. */
  rules: { open: boolean; toggle: () => void } | null;
  /** Who was told of it. */
  told: { open: boolean; toggle: () => void };
}

export function SheetFooter({ prompt, onLower, rules, told }: Props) {
  const now = useNow();
  return (
    <footer className="sheet__foot">
      {prompt.sessionId !== undefined && (
        <a
          className="text-button"
          href={hrefOf({ page: "terminal", sessionId: prompt.sessionId })}
          onClick={onLower}
        >
          <Icon name="terminal" size={16} />
          terminal
        </a>
      )}
      {rules && (
        <button type="button" className="text-button" aria-expanded={rules.open} onClick={rules.toggle}>
          why, and remember
        </button>
      )}
      <button
        type="button"
        className="text-button tabular small dim sheet__clock"
        aria-expanded={told.open}
        title="Who was told"
        onClick={told.toggle}
      >
        {prompt.expiresAt !== undefined && `${timeLeft(prompt, now)} · `}
        {prompt.createdAt !== undefined && `waiting ${clock(now - prompt.createdAt)}`}
      </button>
    </footer>
  );
}
