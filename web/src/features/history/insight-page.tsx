/* The history in numbers: by day as a small plot, by CLI and by session as tables. */
import { useState } from "react";
import { AdapterBadge } from "@/components/adapter-badge";
import { PageBar } from "@/components/page-bar";
import { Problem } from "@/components/problem";
import { DayPlot } from "@/features/history/day-plot";
import "@/features/history/insight-page.css";
import { hrefOf } from "@/lib/router";
import { useNow } from "@/lib/ticker";
import { useAppState, useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import { duration } from "@/words/time";
import type { Insight, InsightGroup, InsightNumbers } from "@/wire/history";

const DAY_MS = 24 * 60 * 60 * 1000;
const SPANS: [number, string][] = [
  [7, "Week"],
  [30, "Month"],
  [90, "Three months"],
];

export function InsightPage() {
  const { ask } = useVerbs();
  const [span, setSpan] = useState(30);
  const now = useNow();
  // From midnight on, as this device counts days.
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const since = midnight - (span - 1) * DAY_MS;
  const utcOffset = -new Date(now).getTimezoneOffset();
  const asked = useAsked(`${since} ${utcOffset}`, () =>
    ask({ type: "insight", since, utcOffset }, "insight"),
  );

  return (
    <div className="page">
      <PageBar back={{ page: "history" }}>In numbers</PageBar>
      <div className="page__scroll">
        <div className="page__column insight">
          <select
            className="input"
            aria-label="Time"
            value={span}
            onChange={(event) => setSpan(Number(event.target.value))}
          >
            {SPANS.map(([days, name]) => (
              <option key={days} value={days}>
                {name}
              </option>
            ))}
          </select>
          {!asked && <p className="empty">counting…</p>}
          {asked && "problem" in asked && <Problem text={asked.problem} />}
          {asked && "data" in asked && <Numbers insight={asked.data.insight} since={since} days={span} />}
        </div>
      </div>
    </div>
  );
}

function Numbers({ insight, since, days }: { insight: Insight; since: number; days: number }) {
  const { total } = insight;
  if (total.prompts === 0) return <p className="empty">Nothing was asked in this time.</p>;
  return (
    <>
      <dl className="insight__total">
        {tiles(total).map(([name, value]) => (
          <div key={name}>
            <dt className="dim small">{name}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <section className="section" aria-label="By day">
        <h2 className="section__title">By day</h2>
        <DayPlot groups={insight.days} since={since} days={days} />
      </section>
      <section className="section" aria-label="By CLI">
        <h2 className="section__title">By CLI</h2>
        <Groups groups={insight.adapters} of="CLI" />
      </section>
      <section className="section" aria-label="By session">
        <h2 className="section__title">By session</h2>
        <Groups groups={insight.sessions} of="Session" />
      </section>
    </>
  );
}

function tiles(numbers: InsightNumbers): [string, string][] {
  return [
    ["Prompts", String(numbers.prompts)],
    ["By rule", share(numbers.byRule, numbers.answered)],
    ["Median wait", wait(numbers)],
    ["Refused", String(numbers.refused)],
    ["Not understood", String(numbers.notUnderstood)],
    ["Failed", String(numbers.failed)],
  ];
}

function share(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`;
}

function wait({ medianWait }: InsightNumbers): string {
  return medianWait === undefined ? "–" : duration(medianWait);
}

function Groups({ groups, of }: { groups: InsightGroup[]; of: "CLI" | "Session" }) {
  return (
    // Wider than a phone with large letters: it scrolls by itself, by keys as well.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="insight__scroll" role="region" aria-label={`Numbers by ${of}`} tabIndex={0}>
      <table className="insight__table small">
        <thead>
          <tr>
            {[of, "Prompts", "By rule", "Median wait", "Refused", "Not understood", "Failed"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ key, name, numbers }) => (
            <tr key={key} className="tabular">
              <th scope="row">
                {of === "CLI" ? <AdapterBadge kind={key} /> : <SessionName id={key} name={name} />}
              </th>
              {tiles(numbers).map(([what, value]) => (
                <td key={what}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** As it is called now, or when it was started. */
function SessionName({ id, name }: { id: string; name: string }) {
  const now = useAppState((state) => state.sessions[id]?.name);
  return (
    <a href={hrefOf({ page: "history", sessionId: id })} dir="auto">
      {now ?? name}
    </a>
  );
}
