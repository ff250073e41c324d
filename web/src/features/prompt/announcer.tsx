/* Says aloud that a prompt has come, wherever the person is on the page; what has the focus on the sheet is not said twice. */
import { useState } from "react";
import { adapterName } from "@/words/adapter-names";
import { visibleText } from "@/lib/visible-text";
import { useAppState } from "@/state/app-context";
import type { InteractivePrompt, PromptId } from "@/wire/prompt";

export function Announcer() {
  const prompts = useAppState((state) => state.prompts);
  const names = useAppState((state) => state.sessions);
  const adapters = useAppState((state) => state.adapters);
  const shown = useAppState((state) => state.sheet.shown);
  const [known, setKnown] = useState<PromptId[]>([]);
  const [words, setWords] = useState("");

  // One that ends makes none of the others new.
  const ids = prompts.map(({ prompt }) => prompt.requestId);
  if (ids.length !== known.length || ids.some((id, at) => id !== known[at])) {
    const fresh = prompts.findLast(({ prompt }) => !known.includes(prompt.requestId))?.prompt;
    setKnown(ids);
    setWords(
      fresh && fresh.requestId !== shown
        ? wordsFor(fresh, adapterName(adapters, fresh.adapter), names[fresh.sessionId ?? ""]?.name ?? "")
        : "",
    );
  }
  return (
    <p className="visually-hidden" aria-live="assertive">
      {words}
    </p>
  );
}

function wordsFor(prompt: InteractivePrompt, who: string, name: string): string {
  const risk = prompt.risk?.level === "high" ? ` Risk: ${prompt.risk.reasons.join(", ")}.` : "";
  return visibleText(`${who}, ${name}, asks: ${prompt.title}.${risk}`);
}
