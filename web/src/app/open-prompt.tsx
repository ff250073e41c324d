/* What a notification opens: the sheet of its prompt, over the chat that asks; or, when that is over, the list with a word about it. */
import { useEffect } from "react";
import { replaceRoute } from "@/lib/router";
import { useAppState, useDispatch } from "@/state/app-context";
import type { PromptId } from "@/wire/prompt";

export function OpenPrompt({ requestId }: { requestId: PromptId }) {
  const dispatch = useDispatch();
  // What was remembered may show it at once; that it is over, only the server can say.
  const spoken = useAppState((state) => state.loaded && state.knownAt === null);
  const prompt = useAppState(
    (state) => state.prompts.find((pending) => pending.prompt.requestId === requestId)?.prompt,
  );

  useEffect(() => {
    if (prompt) {
      dispatch({ type: "sheet-raised", requestId });
      replaceRoute(
        prompt.sessionId === undefined ? { page: "home" } : { page: "chat", sessionId: prompt.sessionId },
      );
    } else if (spoken) {
      dispatch({ type: "notice", tone: "plain", text: "That question is over." });
      replaceRoute({ page: "home" });
    }
  }, [dispatch, requestId, prompt, spoken]);

  return <p className="page empty">opening the question…</p>;
}
