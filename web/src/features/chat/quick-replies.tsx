/*
 * What is said often, one tap each, above the composer: goes out as any other message does, and leaves alone what stands in the composer.
 * Always there while the session lives, so that nothing moves when it begins or ends to work.
 */
import { lazy, Suspense, useState } from "react";
import { Icon } from "@/components/icon";
import { useAppState, useVerbs } from "@/state/app-context";
import type { Session } from "@/wire/session";

const QuickReplyEditor = lazy(async () => ({
  default: (await import("@/features/chat/quick-reply-editor")).QuickReplyEditor,
}));

export function QuickReplies({ session }: { session: Session }) {
  const replies = useAppState((state) => state.preferences.quickReplies);
  const [editing, setEditing] = useState(false);
  const { sendText } = useVerbs();
  // A message goes past no dialog; what is tapped now would come back with a reason.
  const locked = session.state.type === "waiting" || session.state.type === "starting";
  if (editing) {
    return (
      <Suspense>
        <QuickReplyEditor onDone={() => setEditing(false)} />
      </Suspense>
    );
  }
  return (
    <div className="quick-replies" role="group" aria-label="Quick replies">
      {replies.map((reply) => (
        <button
          key={reply}
          type="button"
          className="quick-reply"
          disabled={locked}
          onClick={() => sendText(session.id, reply, [], "elsewhere")}
        >
          <span dir="auto">{reply}</span>
        </button>
      ))}
      <button
        type="button"
        className="quick-reply quick-reply--edit"
        aria-label="Edit quick replies"
        onClick={() => setEditing(true)}
      >
        <Icon name="plus" size={16} />
      </button>
    </div>
  );
}
