/* NEEDS YOU: every prompt that waits, of all sessions, newest on top. */
import { useMemo } from "react";
import { WaitingCard } from "@/features/prompt/waiting-card";
import "@/features/prompt/waiting-list.css";
import { useAppState } from "@/state/app-context";

export function WaitingList() {
  const prompts = useAppState((state) => state.prompts);
  const newestFirst = useMemo(
    () => prompts.toSorted((a, b) => (b.prompt.createdAt ?? 0) - (a.prompt.createdAt ?? 0)),
    [prompts],
  );
  if (prompts.length === 0) return null;
  return (
    <section className="section" aria-label="Needs you">
      <h2 className="section__title waiting__title tabular">Needs you · {prompts.length}</h2>
      <ul className="stack">
        {newestFirst.map((pending) => (
          <li key={pending.prompt.requestId}>
            <WaitingCard pending={pending} />
          </li>
        ))}
      </ul>
    </section>
  );
}
