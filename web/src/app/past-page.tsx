/* The history, with its prompts drawn as the sheet draws them, without anything that could be tapped. */
import { useId } from "react";
import { HistoryPage } from "@/features/history/history-page";
import { PastPrompt } from "@/features/prompt/past-prompt";
import type { SessionId } from "@/wire/session";

export function PastPage({ sessionId }: { sessionId: SessionId | undefined }) {
  const id = useId();
  return (
    <HistoryPage
      sessionId={sessionId}
      showPrompt={(prompt, answer) => (
        <PastPrompt prompt={prompt} answer={answer} summaryId={`${id}-${prompt.requestId}`} />
      )}
    />
  );
}
