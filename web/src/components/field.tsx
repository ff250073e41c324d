/* What forms are made of: a name above a field, and a field for what a machine will read. */
import type { ComponentProps, ReactNode } from "react";

export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="field">
      <span className="field__label">{label}</span>
      {children}
    </label>
  );
}

interface ExactInputProps extends Omit<ComponentProps<"input">, "className" | "onChange" | "value"> {
  value: string;
  onChange: (value: string) => void;
}

/** A path, a command, a model's name: nothing about it may be completed, corrected or made a capital by the phone. */
export function ExactInput({ onChange, ...rest }: ExactInputProps) {
  return (
    <input
      className="input input--mono"
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
      {...rest}
    />
  );
}
