/* What every new session of an adapter begins with. Never asking cannot be a default: it is chosen anew each time. */
import { ExactInput, Field } from "@/components/field";
import { modeWords } from "@/words/mode-words";
import { useAppState, useDispatch } from "@/state/app-context";
import type { AdapterDefaults } from "@/state/state";
import type { AdapterInfo } from "@/wire/session";

export function SessionDefaults() {
  const adapters = useAppState((state) => state.adapters);
  const offered = adapters.filter(({ installed, isAgent }) => installed && isAgent);
  if (offered.length === 0) return null;
  return (
    <section className="section" aria-label="New sessions">
      <h2 className="section__title">New sessions begin with</h2>
      {offered.map((adapter) => (
        <Defaults key={adapter.kind} adapter={adapter} />
      ))}
    </section>
  );
}

const TEXTS = [
  { name: "folder", label: "Folder", placeholder: "as last time" },
  { name: "model", label: "Model", placeholder: "the CLI’s own choice" },
] as const;

function Defaults({ adapter }: { adapter: AdapterInfo }) {
  const { kind, name, shortName: short, modes } = adapter;
  const defaults = useAppState((state) => state.preferences.defaults);
  const dispatch = useDispatch();
  const own: AdapterDefaults = defaults[kind] ?? {};

  /** What is left empty is not said. */
  function change(name: keyof AdapterDefaults, value: string) {
    const said = Object.fromEntries(
      Object.entries({ ...own, [name]: value }).filter(([, text]) => text !== ""),
    );
    dispatch({ type: "preferences", preferences: { defaults: { ...defaults, [kind]: said } } });
  }

  return (
    <fieldset className="card defaults">
      <legend className="visually-hidden">{name}</legend>
      <p className="defaults__name" aria-hidden="true">
        {name}
      </p>
      {modes.length > 0 && (
        <Field label="Permissions">
          <select
            className="input"
            aria-label={`Permissions of ${short}`}
            value={own.mode ?? ""}
            onChange={({ target }) => change("mode", target.value)}
          >
            <option value="">as last time</option>
            {modes
              .filter((mode) => mode !== "bypass")
              .map((mode) => (
                <option key={mode} value={mode}>
                  {modeWords(mode).label}
                </option>
              ))}
          </select>
        </Field>
      )}
      {TEXTS.map(({ name, label, placeholder }) => (
        <Field key={name} label={label}>
          <ExactInput
            aria-label={`${label} of ${short}`}
            placeholder={placeholder}
            value={own[name] ?? ""}
            onChange={(value) => change(name, value)}
          />
        </Field>
      ))}
    </fieldset>
  );
}
