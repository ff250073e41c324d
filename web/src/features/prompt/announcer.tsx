/* Says aloud that a prompt has come, wherever the person is on the page; what is seen is not doubled. */
import { adapterName } from "@/lib/adapter-names";
import { useAppState } from "@/state/app-context";

export function Announcer() {
  const newest = useAppState((state) => state.prompts.at(-1));
  const names = useAppState((state) => state.sessions);
  const prompt = newest?.prompt;
  const risk = prompt?.risk?.level === "high" ? ` Risk: ${prompt.risk.reasons.join(", ")}.` : "";
  return (
    <p className="visually-hidden" aria-live="assertive">
      {prompt &&
        `${adapterName(prompt.adapter ?? "generic")}, ${names[prompt.sessionId ?? ""]?.name ?? ""}, asks: ${prompt.title}.${risk}`}
    </p>
  );
}
