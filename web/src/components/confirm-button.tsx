/* A button for what cannot be undone: the first tap says what the second will do. */
import { useEffect, useState, type ReactNode } from "react";

/** Long enough to read the question, short enough not to lie in wait for a stray tap. */
const ARMED_MS = 4000;

interface Props {
  children: ReactNode;
  /** What the button is called while it waits for the second tap. */
  question: string;
  /** The accessible name before, where the visible words alone do not say which thing is meant. */
  label?: string;
  className?: string;
  onConfirm: () => void;
}

export function ConfirmButton({
  children,
  question,
  label,
  className = "button button--bad",
  onConfirm,
}: Props) {
  const [armed, setArmed] = useState(false);

  useEffect(() => {
    if (!armed) return;
    const timer = setTimeout(() => setArmed(false), ARMED_MS);
    return () => clearTimeout(timer);
  }, [armed]);

  function press() {
    setArmed(!armed);
    if (armed) onConfirm();
  }

  return (
    <button type="button" className={className} aria-label={armed ? undefined : label} onClick={press}>
      {armed ? question : children}
    </button>
  );
}
