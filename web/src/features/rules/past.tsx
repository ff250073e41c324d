/* What the past says: rules that the person's own answers speak for, and what the rules would have done with it. */
import { useState } from "react";
import { Visible } from "@/components/visible";
import { useSubmit } from "@/lib/use-submit";
import { useVerbs } from "@/state/app-context";
import type { RulesCommand, RulesDryRun, RulesReply, RuleSuggestion } from "@/wire/rules";

export function Past() {
  const { ask } = useVerbs();
  const [suggestions, setSuggestions] = useState<RuleSuggestion[] | null>(null);
  const [run, setRun] = useState<RulesDryRun | null>(null);
  const { busy, problem, submit } = useSubmit();

  async function look<Kind extends RulesReply["kind"]>(rules: RulesCommand, kind: Kind) {
    const reply = await ask({ type: "rules", rules }, "rules");
    if (reply.rules.kind !== kind) throw new Error("another reply");
    return reply.rules as Extract<RulesReply, { kind: Kind }>;
  }
  const suggest = () =>
    submit(async () => setSuggestions((await look({ do: "suggest" }, "suggestions")).suggestions));
  const tryOut = () => submit(async () => setRun((await look({ do: "dry-run" }, "dry-run")).run));

  return (
    <section className="section" aria-label="The past">
      <h2 className="section__title">From your answers so far</h2>
      {suggestions && <Suggestions suggestions={suggestions} onMade={() => void suggest()} />}
      {run && <DryRun run={run} />}
      {problem !== null && <p className="bad small">{problem}</p>}
      <button type="button" className="button button--wide" disabled={busy} onClick={() => void suggest()}>
        Suggest rules
      </button>
      <button type="button" className="button button--wide" disabled={busy} onClick={() => void tryOut()}>
        What would the rules have done?
      </button>
    </section>
  );
}

function Suggestions({ suggestions, onMade }: { suggestions: RuleSuggestion[]; onMade: () => void }) {
  const { tryTo } = useVerbs();
  if (suggestions.length === 0) return <p className="small">Nothing was answered alike often enough yet.</p>;

  async function make({ verdict, text }: RuleSuggestion) {
    const rules = { do: "add", verdict, text, limits: { scope: "always" } } as const;
    if (await tryTo({ type: "rules", rules })) onMade();
  }

  return (
    <ul className="card rules__list" aria-label="Suggestions">
      {suggestions.map((each) => (
        <li key={`${each.verdict} ${each.text}`} className="rules__item">
          <div className="rules__text">
            <span>
              <Visible text={each.words} />
            </span>
            <span className="small dim">
              {each.times} times so far: <Visible text={each.covers.slice(0, 3).join(" · ")} />
            </span>
            {each.also.length > 0 && (
              <span className="small dim">
                Never seen, and covered too: <Visible text={each.also.join(" · ")} />
              </span>
            )}
          </div>
          <button
            type="button"
            className="text-button"
            aria-label={`Make the rule ${each.text}`}
            onClick={() => void make(each)}
          >
            make
          </button>
        </li>
      ))}
    </ul>
  );
}

function DryRun({ run }: { run: RulesDryRun }) {
  const against = [
    ...run.refusedButAllowed.map((what) => `you refused, they would allow: ${what}`),
    ...run.allowedButDenied.map((what) => `you allowed, they would refuse: ${what}`),
  ];
  return (
    <div role="status">
      <p>
        They would have answered {run.allowed + run.denied} of {run.prompts} permission prompts.
      </p>
      {run.prompts > 0 && against.length === 0 && (
        <p className="small">None of them against your own answer.</p>
      )}
      <ul className="small">
        {against.map((what) => (
          <li key={what}>
            <Visible text={what} />
          </li>
        ))}
      </ul>
    </div>
  );
}
