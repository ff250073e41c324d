/* A session and its reviewer: side by side where there is room, else one at a time behind two tabs. */
import { useState } from "react";
import "@/app/pair-page.css";
import { ChatPage } from "@/features/chat/chat-page";
import { SendBack } from "@/features/review/send-back";
import { useMedia } from "@/lib/media";
import { useAppState } from "@/state/app-context";
import type { SessionId } from "@/wire/session";

/** Two chats beside the list need more than one does. */
const ROOM_FOR_TWO = "(min-width: 1100px)";

export function PairPage({ parent, reviewer }: { parent: SessionId; reviewer: SessionId }) {
  const names = useAppState((state) => state.sessions);
  const both = useMedia(ROOM_FOR_TWO);
  const [shown, setShown] = useState<"parent" | "reviewer">("reviewer");
  const parentChat = <ChatPage key={parent} sessionId={parent} />;
  const reviewerChat = (
    <>
      <ChatPage key={reviewer} sessionId={reviewer} />
      <SendBack parent={parent} reviewer={reviewer} onDone={() => setShown("parent")} />
    </>
  );
  if (both) {
    return (
      <div className="page pair pair--wide">
        <section className="pair__side" aria-label="Reviewed session">
          {parentChat}
        </section>
        <section className="pair__side" aria-label="Reviewer">
          {reviewerChat}
        </section>
      </div>
    );
  }
  const tabs = [
    ["parent", names[parent]?.name ?? "reviewed"],
    ["reviewer", names[reviewer]?.name ?? "reviewer"],
  ] as const;
  return (
    <div className="page pair">
      <div className="pair__tabs" role="tablist" aria-label="Review">
        {tabs.map(([side, name]) => (
          <button
            key={side}
            type="button"
            role="tab"
            className="pair__tab"
            aria-selected={shown === side}
            onClick={() => setShown(side)}
          >
            <span className="visually-hidden">{side === "parent" ? "Reviewed: " : "Reviewer: "}</span>
            <span dir="auto">{name}</span>
          </button>
        ))}
      </div>
      <div
        className="pair__side"
        role="tabpanel"
        aria-label={shown === "parent" ? "Reviewed session" : "Reviewer"}
      >
        {shown === "parent" ? parentChat : reviewerChat}
      </div>
    </div>
  );
}
