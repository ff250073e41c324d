/* Where a device that is not paired begins: a code, from the link or typed, and a name for the device. */
import { useEffect, useState, type SyntheticEvent } from "react";
import { Field } from "@/components/field";
import { deviceName } from "@/features/pairing/device-name";
import { isCompleteCode, tidyCode } from "@/features/pairing/pairing-code";
import "@/features/pairing/pairing-page.css";
import { Problem } from "@/components/problem";
import { pair, wasPaired } from "@/lib/api";
import { failureText, RequestFailed } from "@/lib/request-failed";

interface Props {
  /** The code of the link that was opened. */
  code: string | null;
  onPaired: () => void;
}

export function PairingPage({ code: linked, onPaired }: Props) {
  const [code, setCode] = useState(linked ?? "");
  const [name, setName] = useState(() => deviceName(navigator.userAgent));
  const [pairing, setPairing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const [again, setAgain] = useState(false);

  useEffect(() => {
    // Whoever cannot be asked is told what everybody is told.
    wasPaired().then(setAgain, () => undefined);
  }, []);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setPairing(true);
    setProblem(null);
    try {
      await pair({ code, name: name.trim() });
      onPaired();
    } catch (error) {
      setProblem(problemText(error));
      setPairing(false);
    }
  }

  return (
    <main className="pairing">
      <form className="pairing__form" onSubmit={(event) => void submit(event)}>
        <img src="/icon.svg" width="56" height="56" alt="" className="pairing__icon" />
        <h1 className="pairing__title">Pair this device</h1>
        {!linked && (
          <p className="dim">
            On the workstation run answerback pair, then scan its QR code or type the code here.
          </p>
        )}
        <p className="dim">
          Once paired, this device sees every session on <strong>{location.hostname}</strong> and can run
          commands there.
        </p>
        {again && (
          <p>
            This device was paired before. Please pair it once more: it needs a key that only this page keeps,
            so that its cookie alone opens nothing.
          </p>
        )}
        <Field label="Pairing code">
          <input
            className="input input--mono pairing__code"
            value={code}
            onChange={(event) => setCode(tidyCode(event.target.value))}
            placeholder="XXXX-XXXX"
            autoCapitalize="characters"
            autoComplete="one-time-code"
            autoCorrect="off"
            spellCheck={false}
          />
        </Field>
        <Field label="Device name">
          <input
            className="input"
            value={name}
            maxLength={60}
            onChange={(event) => setName(event.target.value)}
            autoComplete="off"
          />
        </Field>
        {problem !== null && <Problem text={problem} />}
        <button
          type="submit"
          className="button button--primary button--wide"
          disabled={pairing || !isCompleteCode(code) || name.trim() === ""}
        >
          {pairing ? "Pairing…" : "Pair this device"}
        </button>
      </form>
    </main>
  );
}

function problemText(error: unknown): string {
  const code = error instanceof RequestFailed ? error.code : null;
  if (code === "bad-code")
    return "This code is wrong, already used or over. Ask the workstation for a new one.";
  if (code === "rate-limited") return "Too many attempts. Wait a minute, then try again.";
  return failureText(error);
}
