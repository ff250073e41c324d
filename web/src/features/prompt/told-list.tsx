/* Who was told of a prompt that waits, when, and what became of it: the steps of the ladder so far. */
import { Visible } from "@/components/visible";
import { useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import { exact } from "@/words/time";
import type { PromptId } from "@/wire/prompt";

export function ToldList({ requestId }: { requestId: PromptId }) {
  const { ask } = useVerbs();
  const asked = useAsked(requestId, () => ask({ type: "history-prompt", requestId }, "history-prompt"));
  if (!asked) return <p className="dim small">fetching…</p>;
  if ("problem" in asked) return <p className="bad small">{asked.problem}</p>;
  const told = asked.data.steps.filter(({ kind }) => kind === "notification");
  if (told.length === 0) return <p className="dim small">Nobody was told outside of this page so far.</p>;
  return (
    <ol className="told-list small" aria-label="Who was told">
      {told.map(({ seq, at, text = "" }) => (
        <li key={seq}>
          <span className="dim tabular">{exact(at)}</span> <Visible text={text} />
        </li>
      ))}
    </ol>
  );
}
