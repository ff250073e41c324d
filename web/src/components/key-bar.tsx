/*
 * The keys a phone's keyboard lacks, sent to a session's terminal as they are. While there is no connection none is sent, now or later:
 * it was meant for the screen that was there. For the same reason each names what was asked there, and when something else is asked none
 * is taken for a moment.
 */
import { useMemo, useState, type SyntheticEvent } from "react";
import "@/components/key-bar.css";
import { offeredKeys } from "@/lib/offered-keys";
import { useSettling } from "@/lib/settle";
import { useAppState, useVerbs } from "@/state/app-context";
import type { Key, NamedKey } from "@/wire/screen";
import type { SessionId } from "@/wire/session";

type KeyFace = [label: string, face: string, key: Key];

const named = (label: string, key: NamedKey, face = label): KeyFace => [label, face, { type: "named", key }];
const ctrl = (letter: string): KeyFace => {
  const label = `Ctrl-${letter.toUpperCase()}`;
  return [label, label, { type: "ctrl", letter }];
};

/** Those that are needed most come first: the row scrolls. */
const KEYS: KeyFace[] = [
  named("Enter", "enter", "⏎"),
  named("Up", "up", "↑"),
  named("Down", "down", "↓"),
  named("Left", "left", "←"),
  named("Right", "right", "→"),
  named("Esc", "escape"),
  named("Tab", "tab"),
  named("Shift+Tab", "back-tab", "⇧Tab"),
  named("Space", "space"),
  named("Backspace", "backspace", "⌫"),
  ctrl("c"),
  ctrl("d"),
  ctrl("o"),
  ctrl("r"),
  named("Page up", "page-up", "PgUp"),
  named("Page down", "page-down", "PgDn"),
];

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"].map((digit): KeyFace => [
  digit,
  digit,
  { type: "text", text: digit },
]);

export function KeyBar({ sessionId }: { sessionId: SessionId }) {
  const { pressKeys } = useVerbs();
  const live = useAppState((state) => state.connection.type === "live");
  const frame = useAppState((state) => state.screens[sessionId]);
  const offered = useMemo(
    () => (frame ? offeredKeys(frame) : []).map(({ label, key }): KeyFace => [`Press ${label}`, label, key]),
    [frame],
  );
  // Another dialog, or a row of keys that comes in above the others.
  const { settling, isSettled } = useSettling(
    [frame?.asks ?? "", ...offered.map(([label]) => label)].join(" "),
  );

  /** True when they were sent. */
  function press(...keys: Key[]): boolean {
    if (!isSettled()) return false;
    void pressKeys(sessionId, keys, frame?.asks);
    return true;
  }

  return (
    <div className={settling ? "key-bar settling" : "key-bar"} role="group" aria-label="Keys">
      {!live && (
        <p className="key-bar__off small" role="status">
          Not connected: keys are not sent.
        </p>
      )}
      {[offered, KEYS, DIGITS].map(
        (keys, row) =>
          keys.length > 0 && (
            <div key={row} className="key-bar__row">
              {keys.map(([label, face, key]) => (
                <button
                  key={label}
                  type="button"
                  className={row === 0 ? "key key--offered" : "key"}
                  aria-label={label}
                  disabled={!live}
                  onClick={() => press(key)}
                >
                  {face}
                </button>
              ))}
            </div>
          ),
      )}
      <TypeText live={live} onType={press} />
    </div>
  );
}

function TypeText({ live, onType }: { live: boolean; onType: (...keys: Key[]) => boolean }) {
  const [text, setText] = useState("");
  const idle = !live || text === "";

  function type(...after: Key[]) {
    if (idle) return;
    if (onType({ type: "text", text }, ...after)) setText("");
  }

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    type({ type: "named", key: "enter" });
  }

  return (
    <form className="input-row" onSubmit={submit}>
      <input
        className="input input--mono"
        aria-label="Text to type"
        placeholder="type here"
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="send"
      />
      <button type="button" className="button" disabled={idle} onClick={() => type()}>
        Type
      </button>
      <button type="submit" className="button" aria-label="Type with Enter" disabled={idle}>
        ⏎
      </button>
    </form>
  );
}
