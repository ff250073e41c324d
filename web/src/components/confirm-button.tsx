/* A button for what cannot be undone: the first tap says what the second will do. */
import type { ReactNode } from "react";
import { useSecondTap } from "@/lib/use-second-tap";

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
  const { armed, press } = useSecondTap();
  return (
    <button
      type="button"
      className={className}
      aria-label={armed ? undefined : label}
      data-armed={armed ? "" : undefined}
      onClick={() => press() && onConfirm()}
    >
      {armed ? question : children}
    </button>
  );
}
