/* Whether this device is told of prompts while the page is closed, a test that says what became of it, and the other ways. */
import { useState } from "react";
import { Moment } from "@/components/moment";
import { Telegram } from "@/features/settings/telegram";
import { pushChoice, pushSupport, turnOff, turnOn, type PushSupport } from "@/lib/push";
import { useSubmit } from "@/lib/use-submit";
import { useAppState, useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import type { NotifyCommand, NotifyStatus, NotifyTarget } from "@/wire/notify";

export function Notifications() {
  const support = pushSupport();
  return (
    <section className="section" aria-label="Notifications">
      <h2 className="section__title">Notifications</h2>
      {support !== "ready" && <p className="dim small">{WHY_NOT[support]}</p>}
      <Choices supported={support === "ready"} />
    </section>
  );
}

const WHY_NOT: Record<Exclude<PushSupport, "ready">, string> = {
  insecure:
    "Browsers allow notifications on https alone. Open this page by a Tailscale or tunnel name, or start the server with a certificate that this device trusts, and pair it there.",
  install:
    "On iPhone and iPad: tap Share, then Add to Home Screen, open Answerback from there, and come back to this page.",
  unsupported: "This browser has no notifications for pages.",
  denied:
    "Notifications of this page are blocked. Allow them in the browser’s settings for this site, then load the page again.",
};

function Choices({ supported }: { supported: boolean }) {
  const { ask } = useVerbs();
  const own = useAppState((state) => state.server?.deviceId);
  const [status, setStatus] = useState<NotifyStatus | null>(null);
  const { busy, problem, submit } = useSubmit();
  const tell = async (notify: NotifyCommand) => (await ask({ type: "notify", notify }, "notify")).status;
  const asked = useAsked("status", () => tell({ type: "status" }));
  const current = status ?? (asked && "data" in asked ? asked.data : null);
  const target = current?.targets.find(({ deviceId }) => deviceId === own);

  if (asked && "problem" in asked) return <p className="bad small">{asked.problem}</p>;
  if (!current) return <p className="dim small">asking the server…</p>;

  const subscribe = (finished: boolean) =>
    submit(async () => {
      const subscription = await turnOn(current.publicKey, { finished });
      setStatus(await tell({ type: "subscribe", subscription }));
    });
  const unsubscribe = () =>
    submit(async () => {
      setStatus(await tell({ type: "unsubscribe" }));
      await turnOff();
    });
  const test = () => submit(async () => setStatus(await tell({ type: "test" })));

  return (
    <>
      {supported && target && pushChoice() && (
        <div className="card defaults">
          <p>This device is told when a session needs you, through {target.host}.</p>
          <label className="choice">
            <input
              type="checkbox"
              checked={target.finished}
              disabled={busy}
              onChange={({ target: box }) => void subscribe(box.checked)}
            />
            Also when a session has finished
          </label>
          <LastDelivery target={target} />
          <button type="button" className="button" disabled={busy} onClick={() => void test()}>
            {busy ? "waiting for the push service…" : "Send a test"}
          </button>
          <button type="button" className="text-button" disabled={busy} onClick={() => void unsubscribe()}>
            Turn off on this device
          </button>
        </div>
      )}
      {supported && !(target && pushChoice()) && (
        <>
          <p className="dim small">
            What a notification says is encrypted to this device. Its maker’s push service learns when it is
            told something, and nothing of what.
          </p>
          <button
            type="button"
            className="button button--wide"
            disabled={busy}
            onClick={() => void subscribe(false)}
          >
            Tell this device when a session needs me
          </button>
        </>
      )}
      {problem !== null && <p className="bad small">{problem}</p>}
      <Telegram status={current} tell={tell} onStatus={setStatus} />
    </>
  );
}

function LastDelivery({ target: { last, held } }: { target: NotifyTarget }) {
  return (
    <>
      {last && (
        <p role="status" className={`small ${last.taken ? "good" : "bad"}`}>
          {last.detail}
          {last.status !== undefined && ` (${last.status})`} · <Moment at={last.at} />
        </p>
      )}
      {held !== undefined && <p className="small dim">Held back now: {held}.</p>}
    </>
  );
}
