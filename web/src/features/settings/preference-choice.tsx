/* One preference of this device, as a group of radio buttons. */
import { useAppState, useDispatch } from "@/state/app-context";
import type { Preferences } from "@/state/state";

/** Those that are one of a few words. */
type Choosable = "theme" | "enter" | "text";

interface Props<Name extends Choosable> {
  legend: string;
  preference: Name;
  options: [value: Preferences[Name], label: string][];
  /** True when the labels are whole sentences. */
  sentences?: boolean;
}

export function PreferenceChoice<Name extends Choosable>({
  legend,
  preference,
  options,
  sentences = false,
}: Props<Name>) {
  const chosen = useAppState((state) => state.preferences[preference]);
  const dispatch = useDispatch();
  return (
    <fieldset className="section">
      <legend className="section__title settings__legend">{legend}</legend>
      <div className={sentences ? "settings__choices settings__choices--sentences" : "settings__choices"}>
        {options.map(([value, label]) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name={preference}
              checked={value === chosen}
              onChange={() => dispatch({ type: "preferences", preferences: { [preference]: value } })}
            />
            <span className="choice__text">{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
