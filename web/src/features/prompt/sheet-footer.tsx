/* The last line of the sheet: the way to the terminal, and how long it has been waiting. */
import { Icon } from "@/components/icon";
import { hrefOf } from "@/lib/router";
import { useNow } from "@/lib/ticker";
import { clock } from "@/lib/time";
import type { InteractivePrompt } from "@/wire/prompt";

export function SheetFooter({ prompt, onLower }: { prompt: InteractivePrompt; onLower: () => void }) {
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
      <span className="tabular small dim sheet__clock">
        {prompt.expiresAt !== undefined && `ends in ${clock(prompt.expiresAt - now)} · `}
        {prompt.createdAt !== undefined && `waits ${clock(now - prompt.createdAt)}`}
      </span>
    </footer>
  );
}
