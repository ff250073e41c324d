/* What is answered without the person: every rule with its uses, what pauses, what the past speaks for, and what they would have done. */
import { useState } from "react";
import { PageBar } from "@/components/page-bar";
import { RuleRow } from "@/features/rules/rule-row";
import { RulesSwitches } from "@/features/rules/rules-switches";
import { Past } from "@/features/rules/past";
import "@/features/rules/rules-page.css";
import { useAppState, useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import type { RuleInfo } from "@/wire/rules";

export function RulesPage() {
  return (
    <div className="page">
      <PageBar back={{ page: "settings" }}>Rules</PageBar>
      <div className="page__scroll">
        <div className="page__column">
          <p className="dim small">
            A rule answers a permission prompt in your place. What is dangerous is asked whatever a rule says.
          </p>
          <RulesSwitches />
          <RuleList />
          <Past />
        </div>
      </div>
    </div>
  );
}

/** The scopes of rules, in the order in which they are listed. */
const SCOPES: [title: string, fits: (rule: RuleInfo) => boolean][] = [
  [
    "Everywhere",
    (rule) => rule.origin === "made" && rule.folder === undefined && rule.sessionId === undefined,
  ],
  ["In a folder", (rule) => rule.origin === "made" && rule.folder !== undefined],
  ["In a session", (rule) => rule.origin === "made" && rule.sessionId !== undefined],
  ["From your file", (rule) => rule.origin === "file"],
  // A newer server may know rules of other origins.
  ["Others", (rule) => !["made", "file"].includes(rule.origin)],
];

function RuleList() {
  const { ask, tryTo } = useVerbs();
  const live = useAppState((state) => state.connection.type === "live");
  const status = useAppState((state) => state.rules);
  const [version, setVersion] = useState(0);
  const asked = useAsked(`${version} ${status?.count ?? 0}`, async () => {
    const { rules } = await ask({ type: "rules", rules: { do: "list" } }, "rules");
    if (rules.kind !== "list") throw new Error("another reply");
    return rules;
  });

  async function remove(ruleId: string) {
    if (await tryTo({ type: "rules", rules: { do: "remove", ruleId } })) setVersion((current) => current + 1);
  }

  if (asked && "problem" in asked) return <p className="bad small">{asked.problem}</p>;
  if (!asked) return <p className="dim small">{live ? "fetching the rules…" : "offline"}</p>;
  const { rules, file, mistakes } = asked.data;
  return (
    <>
      {mistakes.length > 0 && (
        <div className="card rules__mistakes" role="alert">
          <p>
            <code>{file}</code> has mistakes; the last good one holds:
          </p>
          <ul>
            {mistakes.map((mistake) => (
              <li key={mistake} className="small">
                {mistake}
              </li>
            ))}
          </ul>
        </div>
      )}
      {rules.length === 0 && (
        <p className="small">
          There are no rules yet. Make one from the sheet of a prompt, or write <code>{file}</code>.
        </p>
      )}
      {SCOPES.map(([title, fits]) => {
        const own = rules.filter(fits);
        if (own.length === 0) return null;
        return (
          <section key={title} className="section" aria-label={title}>
            <h2 className="section__title">{title}</h2>
            <ul className="card rules__list">
              {own.map((rule) => (
                <RuleRow key={rule.id} rule={rule} onRemove={(id) => void remove(id)} />
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}
