/* Which model: the CLI's own choice, one of those known to work, or any other by its name. */
import { ExactInput, Field } from "@/components/field";
interface Props {
  suggestions: string[];
  model: string;
  onChange: (model: string) => void;
}

export function ModelField({ suggestions, model, onChange }: Props) {
  return (
    <div className="stack">
      <Field label="Model (optional)">
        <ExactInput value={model} onChange={onChange} placeholder="the CLI’s own choice" />
      </Field>
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
