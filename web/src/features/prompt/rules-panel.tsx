/*
 * On the sheet: why this was asked, part by part, and how long the answer is to hold. The rule is shown in words, with what it would
 * also cover, before anything is saved; it is saved with the answer, and only as it was read.
 */
import { useState } from "react";
import { Visible } from "@/components/visible";
import type { Form, Input } from "@/features/prompt/form";
import { SCOPES, type Wish } from "@/features/prompt/remember";
import { useNow } from "@/lib/ticker";
import { useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import { verdictWords } from "@/words/rule-words";
import type { InteractivePrompt, RememberScope } from "@/wire/prompt";
import type { RuleOffer, RulesReply, RuleVerdict } from "@/wire/rules";
import "@/features/prompt/rules-panel.css";

interface Props {
  prompt: InteractivePrompt;
  form: Form;
  onInput: (input: Input) => void;
}

export function RulesPanel({ prompt, form, onInput }: Props) {
  return (
    <section className="rules-panel" aria-label="Rules">
      <WhyAsked prompt={prompt} />
      <Remembering prompt={prompt} form={form} onInput={onInput} />
    </section>
  );
}

/** Asks for something about this prompt, as it is now. */
function useRules<Kind extends RulesReply["kind"]>(
  prompt: InteractivePrompt,
  what: { do: "why" } | { do: "preview"; verdict: RuleVerdict },
  kind: Kind,
) {
  const { ask } = useVerbs();
  const of = `${prompt.requestId} ${prompt.digest ?? ""} ${JSON.stringify(what)}`;
  return useAsked(of, async () => {
    const { rules } = await ask({ type: "rules", rules: { ...what, promptId: prompt.requestId } }, "rules");
    if (rules.kind !== kind) throw new Error("another reply");
    return rules as Extract<RulesReply, { kind: Kind }>;
  });
}

function WhyAsked({ prompt }: { prompt: InteractivePrompt }) {
  const asked = useRules(prompt, { do: "why" }, "why");
  if (!asked) return <p className="dim small">asking why…</p>;
  if ("problem" in asked) return <p className="dim small">{asked.problem}</p>;
  const { why, always, parts } = asked.data.why;
  return (
    <>
      <h3 className="rules-panel__title">Why this was asked</h3>
      <p className="small">
        <Visible text={why} />
        {always && " No rule can answer this."}
      </p>
      <ul className="rules-panel__parts small" aria-label="Part by part">
        {parts.map((part, at) => (
          <li key={`${at} ${part.text}`}>
            <code className="exact">
              <Visible text={part.text} />
            </code>{" "}
            {verdictWords(part.verdict).toLowerCase()}: {part.why}
            {part.rule !== undefined && (
              <>
                {" "}
                <code>{part.rule}</code>
              </>
            )}
            {part.via.length > 0 && <span className="dim"> (through {part.via.join(", ")})</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

function Remembering({ prompt, form, onInput }: Props) {
  const yes = useRules(prompt, { do: "preview", verdict: "allow" }, "offers");
  const no = useRules(prompt, { do: "preview", verdict: "deny" }, "offers");
  const [chosen, setChosen] = useState(0);
  const now = useNow();
  if (!yes || !no) return null;
  const allow = "data" in yes ? yes.data.offers : [];
  const deny = "data" in no ? no.data.offers : [];
  const scope = form.wish?.scope ?? "once";

  function wish(next: RememberScope, offer: number) {
    const { minutes, uses } = SCOPES.find((each) => each.scope === next) ?? {};
    const made: Wish | null =
      next === "once"
        ? null
        : {
            scope: next,
            allow: allow[offer]?.text ?? null,
            deny: deny[0]?.text ?? null,
            ...(minutes !== undefined && { until: now + minutes * 60_000 }),
            ...(uses !== undefined && { uses }),
          };
    setChosen(offer);
    onInput({ type: "wish", wish: made });
  }

  if (allow.length === 0 && deny.length === 0) {
    const refused = "data" in yes ? yes.data.refused : yes.problem;
    return (
      <p className="small dim">Your answer holds just this once: {refused ?? "no rule can say this."}</p>
    );
  }
  return (
    <fieldset className="rules-panel__remember">
      <legend className="rules-panel__title">How long your answer holds</legend>
      <div className="rules-panel__scopes">
        {SCOPES.map((each) => (
          <label key={each.scope} className="choice">
            <input
              type="radio"
              name={`remember ${prompt.requestId}`}
              checked={scope === each.scope}
              onChange={() => wish(each.scope, chosen)}
            />
            <span className="choice__text">{each.label}</span>
          </label>
        ))}
      </div>
      {scope !== "once" && (
        <>
          {allow.length > 1 &&
            allow.map((offer, at) => (
              <label key={offer.text} className="choice">
                <input
                  type="radio"
                  name={`rule ${prompt.requestId}`}
                  checked={chosen === at}
                  onChange={() => wish(scope, at)}
                />
                <span className="choice__text">{offer.words}</span>
              </label>
            ))}
          <Saved answer="Yes" offer={allow[chosen]} refused={"data" in yes ? yes.data.refused : undefined} />
          <Saved answer="No" offer={deny[0]} refused={"data" in no ? no.data.refused : undefined} />
        </>
      )}
    </fieldset>
  );
}

/** What is saved with an answer. */
function Saved({
  answer,
  offer,
  refused,
}: {
  answer: string;
  offer: RuleOffer | undefined;
  refused: string | undefined;
}) {
  if (!offer) {
    return (
      <p className="small dim">
        {answer} holds just this once: {refused ?? "no rule can say this"}.
      </p>
    );
  }
  return (
    <p className="small">
      {answer} saves the rule <code>{offer.text}</code>: <Visible text={offer.words} />.
      {offer.also.length > 0 && (
        <span className="dim">
          {" "}
          It would also cover: <Visible text={offer.also.join(" · ")} />
        </span>
      )}
    </p>
  );
}
