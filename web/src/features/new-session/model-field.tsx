/* Which model: the CLI's own choice, one of those known to work, or any other by its name. */
interface Props {
  suggestions: string[];
  model: string;
  onChange: (model: string) => void;
}

export function ModelField({ suggestions, model, onChange }: Props) {
  return (
    <div className="stack">
      <label className="field">
        <span className="field__label">Model (optional)</span>
        <input
          className="input input--mono"
          value={model}
          onChange={(event) => onChange(event.target.value)}
          placeholder="the CLI’s own choice"
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
        />
      </label>
      <div className="chips" role="group" aria-label="Known models">
        {suggestions.map((name) => (
          <button
            key={name}
            type="button"
            className="chip mono"
            aria-pressed={model === name}
            onClick={() => onChange(model === name ? "" : name)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}
