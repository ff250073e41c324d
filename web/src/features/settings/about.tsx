/* What this page talks to, and whether everything is in place there. */
import { useState } from "react";
import { useSubmit } from "@/lib/use-submit";
import { useAppState, useVerbs } from "@/state/app-context";
import type { Finding, Verdict } from "@/wire/finding";
import { PROTOCOL_VERSION } from "@/wire/version";

export function About() {
  const server = useAppState((state) => state.server);
  return (
    <section className="section" aria-label="About">
      <h2 className="section__title">About</h2>
      <p className="dim small tabular">
        Server {server?.version ?? "unknown"} · protocol {server?.protocol ?? "unknown"} (this page speaks{" "}
        {PROTOCOL_VERSION})
      </p>
      <Doctor />
    </section>
  );
}

function Doctor() {
  const { ask } = useVerbs();
  const [findings, setFindings] = useState<Finding[] | null>(null);
  const { busy: looking, problem, submit } = useSubmit();
  const look = () => submit(async () => setFindings((await ask({ type: "doctor" }, "findings")).findings));

  return (
    <>
      {findings && (
        <ul className="card findings" aria-label="What the doctor found">
          {findings.map(({ what, verdict, detail }) => (
            <li key={what} className="findings__item">
              <span className={`findings__verdict small ${TONE[verdict] ?? "dim"}`}>
                {WORDS[verdict] ?? verdict}
              </span>
              <span className="findings__text">
                {what} <span className="small dim">{detail}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {problem !== null && <p className="bad small">{problem}</p>}
      <button type="button" className="button button--wide" disabled={looking} onClick={() => void look()}>
        {looking ? "looking at the machine…" : "Check that everything is in place"}
      </button>
    </>
  );
}

const WORDS: Partial<Record<Verdict, string>> = { good: "ok", note: "note", bad: "bad" };
const TONE: Partial<Record<Verdict, string>> = { good: "good", note: "dim", bad: "bad" };
