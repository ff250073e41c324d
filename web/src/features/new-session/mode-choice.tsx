/* How freely the CLI may act, in plain words. The one that never asks is marked, and Start then wants a second tap. */
import { modeWords } from "@/words/mode-words";
import type { PermissionMode } from "@/wire/session";

interface Props {
  modes: PermissionMode[];
  chosen: PermissionMode | null;
  onChoose: (mode: PermissionMode) => void;
}

export function ModeChoice({ modes, chosen, onChoose }: Props) {
  return (
    <fieldset className="stack">
      <legend className="field__label new-session__legend">Permissions</legend>
      {modes.map((mode) => (
        <label key={mode} className="choice">
          <input
            type="radio"
            name="mode"
            aria-label={modeWords(mode).label}
            checked={mode === chosen}
            onChange={() => onChoose(mode)}
          />
          <span className="choice__text">
            <span className={mode === "bypass" ? "bad" : undefined}>{modeWords(mode).label}</span>
            <span className={mode === "bypass" ? "small bad" : "small dim"}>{modeWords(mode).meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
