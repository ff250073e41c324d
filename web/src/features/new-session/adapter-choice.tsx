/* Which agent to start: those that are installed, with their versions. The others are named, so that nobody wonders. */
import { AdapterMark } from "@/components/adapter-badge";
import type { AdapterInfo, AdapterKind } from "@/wire/session";

interface Props {
  adapters: AdapterInfo[];
  chosen: AdapterKind | undefined;
  onChoose: (kind: AdapterKind) => void;
}

export function AdapterChoice({ adapters, chosen, onChoose }: Props) {
  const agents = adapters.filter(({ isAgent }) => isAgent);
  const none = agents.every(({ installed }) => !installed);
  // Without any agent the demo is the thing to see first.
  const here = adapters.filter(({ installed }) => installed);
  const missing = agents.filter(({ installed }) => !installed);
  const ordered = none
    ? here.toSorted((a, b) => Number(b.kind === "demo") - Number(a.kind === "demo"))
    : here;
  return (
    <fieldset className="stack">
      <legend className="field__label new-session__legend">Agent</legend>
      {none && adapters.length > 0 && (
        <p className="new-session__hint">
          No AI CLI was found on the workstation. The demo agent shows every kind of prompt without one.
        </p>
      )}
      <div className="adapters">
        {ordered.map((adapter) => (
          <label key={adapter.kind} className="choice">
            <input
              type="radio"
              name="adapter"
              aria-label={adapter.name}
              checked={adapter.kind === chosen}
              onChange={() => onChoose(adapter.kind)}
            />
            <span className="choice__text">
              <span className="adapters__name">
                <AdapterMark kind={adapter.kind} />
                {adapter.name}
              </span>
              {adapter.version !== undefined && <span className="small dim tabular">{adapter.version}</span>}
            </span>
          </label>
        ))}
      </div>
      {!none && missing.length > 0 && (
        <p className="new-session__hint">Not installed: {missing.map(({ name }) => name).join(", ")}</p>
      )}
    </fieldset>
  );
}
