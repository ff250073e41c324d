/* The conversations that the chosen agent has kept for the chosen folder: tap one to go on with it. */
import { useEffect, useState } from "react";
import { useNow } from "@/lib/ticker";
import { ago } from "@/lib/time";
import { useAppState, useVerbs } from "@/state/app-context";
import type { AdapterKind, ConversationInfo } from "@/wire/session";

interface Props {
  adapter: AdapterKind;
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

function useConversations(adapter: AdapterKind, folder: string): ConversationInfo[] {
  const live = useAppState((state) => state.connection.type === "live");
  const { ask } = useVerbs();
  const wanted = `${adapter} ${folder.trim()}`;
  const [listed, setListed] = useState<{ wanted: string; conversations: ConversationInfo[] } | null>(null);

  useEffect(() => {
    const place = folder.trim();
    if (!live || place === "" || adapter === "demo" || adapter === "generic") return;
    const timer = setTimeout(() => {
      ask({ type: "conversations", adapter, folder: place }, "conversations").then(
        ({ conversations }) => setListed({ wanted, conversations }),
        // A folder that does not exist has none; the start itself says what is wrong with it.
        () => setListed(null),
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [live, ask, adapter, folder, wanted]);

  return listed?.wanted === wanted ? listed.conversations : [];
}

function sizeWords({ messages, size }: ConversationInfo): string {
  if (messages !== undefined) return messages === 1 ? "1 message" : `${messages} messages`;
  return size < 1e6 ? `${Math.ceil(size / 1000)} kB` : `${(size / 1e6).toFixed(1)} MB`;
}
