/* The conversations that the chosen agent has kept for the chosen folder: tap one to go on with it. */
import { useState } from "react";
import { useNow } from "@/lib/ticker";
import { ago } from "@/words/time";
import { useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import { sizeWords } from "@/words/size-words";
import type { AdapterInfo, ConversationInfo } from "@/wire/session";

interface Props {
  adapter: AdapterInfo;
  folder: string;
  disabled: boolean;
  onResume: (conversation: ConversationInfo) => void;
}

/** Whoever types a path need not be told about every folder on the way. */
const PAUSE_MS = 300;
/** Enough to find last week's; the rest on demand. */
const FIRST = 5;

export function EarlierConversations({ adapter, folder, disabled, onResume }: Props) {
  const conversations = useConversations(adapter, folder);
  const [all, setAll] = useState(false);
  const now = useNow();
  if (conversations.length === 0) return null;
  const shown = all ? conversations : conversations.slice(0, FIRST);
  return (
    <section className="stack" aria-labelledby="earlier">
      <h2 className="field__label" id="earlier">
        Earlier conversations
      </h2>
      <ul className="card earlier">
        {shown.map((conversation) => (
          <li key={conversation.id}>
            <button
              type="button"
              className="earlier__item"
              disabled={disabled}
              onClick={() => onResume(conversation)}
            >
              <span className="earlier__title" dir="auto">
                {conversation.title}
              </span>
              <span className="dim small">
                {ago(conversation.updatedAt, now)} · {sizeWords(conversation)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < conversations.length && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          show all {conversations.length}
        </button>
      )}
    </section>
  );
}

function useConversations(adapter: AdapterInfo, folder: string): ConversationInfo[] {
  const { ask } = useVerbs();
  const place = folder.trim();
  const wanted = place === "" || !adapter.isAgent ? null : `${adapter.kind} ${place}`;
  const asked = useAsked(
    wanted,
    () => ask({ type: "conversations", adapter: adapter.kind, folder: place }, "conversations"),
    PAUSE_MS,
  );
  // A folder that does not exist has none; the start itself says what is wrong with it.
  return asked && asked.of === wanted && "data" in asked ? asked.data.conversations : [];
}
