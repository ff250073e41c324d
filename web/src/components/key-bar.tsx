/* The keys a phone's keyboard lacks, sent to a session's terminal as they are. */
import { useState, type SyntheticEvent } from "react";
import "@/components/key-bar.css";
import { useVerbs } from "@/state/app-context";
import type { Key, NamedKey } from "@/wire/screen";
import type { SessionId } from "@/wire/session";

const named = (label: string, key: NamedKey, face = label): [string, string, Key] => [
  label,
  face,
  { type: "named", key },
];

const ROWS: [label: string, face: string, key: Key][][] = [
  [
    named("Esc", "escape"),
    named("Tab", "tab"),
    named("Shift+Tab", "back-tab", "⇧Tab"),
    ["Ctrl-C", "Ctrl-C", { type: "ctrl", letter: "c" }],
    named("Enter", "enter", "⏎"),
  ],
  [
    named("Left", "left", "←"),
    named("Up", "up", "↑"),
    named("Down", "down", "↓"),
    named("Right", "right", "→"),
  ],
  ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"].map((digit) => [
    digit,
    digit,
    { type: "text", text: digit },
  ]),
];

export function KeyBar({ sessionId }: { sessionId: SessionId }) {
  const { pressKeys } = useVerbs();
  const press = (...keys: Key[]) => void pressKeys(sessionId, keys);
  return (
    <div className="key-bar" role="group" aria-label="Keys">
      {ROWS.map((keys, row) => (
        <div key={row} className="key-bar__row">
          {keys.map(([label, face, key]) => (
            <button key={label} type="button" className="key" aria-label={label} onClick={() => press(key)}>
              {face}
            </button>
          ))}
        </div>
      ))}
      <TypeText onType={press} />
    </div>
  );
}

function TypeText({ onType }: { onType: (...keys: Key[]) => void }) {
  const [text, setText] = useState("");

  function type(...after: Key[]) {
    if (text === "" && after.length === 0) return;
    onType(...(text === "" ? [] : [{ type: "text", text } as const]), ...after);
    setText("");
  }

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    type();
  }

  return (
    <form className="input-row" onSubmit={submit}>
      <input
        className="input input--mono"
        aria-label="Text to type"
        placeholder="type into the terminal"
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
      />
      <button type="submit" className="button" disabled={text === ""}>
        Type
      </button>
      <button
        type="button"
        className="button"
        aria-label="Type with Enter"
        disabled={text === ""}
        onClick={() => type({ type: "named", key: "enter" })}
      >
        Type ⏎
      </button>
    </form>
  );
}
