/* The keys of the keyboard, on `?`. */
import { useEffect, useRef } from "react";

const KEYS = [
  ["j k", "next and previous session"],
  ["/", "search sessions"],
  ["1–9", "choose an option of the open prompt"],
  ["Esc", "lower the prompt"],
  ["?", "this help"],
] as const;

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog className="help" ref={dialog} aria-label="Keyboard" onClose={onClose}>
      <h2>Keyboard</h2>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys} className="help__row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button button--wide" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
}
