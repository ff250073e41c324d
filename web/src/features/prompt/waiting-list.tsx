/* NEEDS YOU: every prompt that waits, of all sessions, in the order they came: a new one moves none of the others. */
import { Contained } from "@/components/contained";
import { versionOf } from "@/features/prompt/shown-input";
import { WaitingCard } from "@/features/prompt/waiting-card";
import "@/features/prompt/waiting-list.css";
import { useSettling } from "@/lib/settle";
import { useAppState } from "@/state/app-context";

export function WaitingList() {
  const prompts = useAppState((state) => state.prompts);
  // One that comes, goes or changes may move those below it.
  const settling = useSettling(
    prompts.map(({ prompt, progress }) => `${versionOf(prompt)} ${progress?.step.type ?? ""}`).join("\n"),
  );
  if (prompts.length === 0) return null;
  return (
    <section className="section" aria-label="Needs you">
      <h2 className="section__title waiting__title tabular">Needs you · {prompts.length}</h2>
      <ul className="stack">
        {prompts.map((pending) => (
          <li key={pending.prompt.requestId}>
            <Contained what="this prompt" sessionId={pending.prompt.sessionId}>
              <WaitingCard pending={pending} settling={settling} />
            </Contained>
          </li>
        ))}
      </ul>
    </section>
  );
}
