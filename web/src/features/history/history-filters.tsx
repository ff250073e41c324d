/* What narrows the history down: words, and a choice for each property. What is not chosen says nothing. */
import { Icon } from "@/components/icon";
import { KIND_NAMES, OUTCOME_NAMES } from "@/words/history-words";
import { folderName } from "@/words/session-words";
import { useAppState } from "@/state/app-context";
import type { ActorType, HistoryFilter } from "@/wire/history";

const DAY_MS = 24 * 60 * 60 * 1000;
const ACTORS: [ActorType, string][] = [
  ["device", "A phone"],
  ["desk", "The desk"],
  ["rule", "A rule"],
  ["notification", "A notification"],
  ["expiry", "Its time was over"],
];
/** Whole days, so that the page asks for the same until tomorrow. */
const DAYS: [number, string][] = [
  [1, "The last day"],
  [7, "The last week"],
  [30, "The last month"],
];

export interface Chosen extends HistoryFilter {
  days?: number;
}

/** The filter for the server. */
export function filterOf({ days, ...filter }: Chosen, now: number): HistoryFilter {
  if (days === undefined) return filter;
  const hour = Math.floor(now / 3_600_000) * 3_600_000;
  return { ...filter, since: hour - days * DAY_MS };
}

interface Props {
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
}

export function HistoryFilters({ chosen, onChoose }: Props) {
  const adapters = useAppState((state) => state.adapters);
  /** Without what is undefined: that is how a choice is taken back. */
  const choose = (change: Partial<Record<keyof Chosen, unknown>>) => {
    const entries = Object.entries({ ...chosen, ...change }).filter(([, value]) => value !== undefined);
    onChoose(Object.fromEntries(entries));
  };

  return (
    <search className="history-filters">
      <label className="search-field">
        <Icon name="search" size={16} />
        <input
          type="search"
          className="input"
          aria-label="Search the history"
          placeholder="Command, file, question, answer"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={chosen.text ?? ""}
          onChange={(event) => choose({ text: event.target.value === "" ? undefined : event.target.value })}
        />
      </label>
      <div className="history-filters__choices">
        <Choice
          label="Any outcome"
          value={chosen.outcome}
          options={OUTCOME_NAMES}
          onChoose={(outcome) => choose({ outcome })}
        />
        <Choice
          label="Anybody"
          value={chosen.actor}
          options={ACTORS}
          onChoose={(actor) => choose({ actor })}
        />
        <Choice
          label="Any CLI"
          value={chosen.adapter}
          options={adapters.map(({ kind, name }) => [kind, name] as const)}
          onChoose={(adapter) => choose({ adapter })}
        />
        <Choice
          label="Any kind"
          value={chosen.kind}
          options={KIND_NAMES}
          onChoose={(kind) => choose({ kind })}
        />
        <Choice label="Any time" value={chosen.days} options={DAYS} onChoose={(days) => choose({ days })} />
        {chosen.folder !== undefined && (
          <button
            type="button"
            className="button"
            aria-label={`No longer only in ${chosen.folder}`}
            onClick={() => choose({ folder: undefined })}
          >
            {folderName(chosen.folder)} ✕
          </button>
        )}
      </div>
    </search>
  );
}

interface ChoiceProps<Value extends string | number> {
  /** What it is called while nothing is chosen. */
  label: string;
  value: Value | undefined;
  options: readonly (readonly [Value, string])[];
  onChoose: (value: Value | undefined) => void;
}

function Choice<Value extends string | number>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <select
      className="input"
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChoose(options.find(([option]) => String(option) === event.target.value)?.[0])}
    >
      <option value="">{label}</option>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}
