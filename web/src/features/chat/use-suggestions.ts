/* What could stand at the caret: commands of the CLI after a slash, files of the folder after an @. */
import { useEffect, useMemo, useState } from "react";
import { complete, completionAt } from "@/lib/completion";
import { useVerbs } from "@/state/app-context";
import type { SlashCommand } from "@/wire/compose";
import type { SessionId } from "@/wire/session";

export interface Suggestion {
  value: string;
  label: string;
  detail: string;
}

export interface SuggestionKeys {
  /** True when the key was for the list. */
  onKey: (key: string) => boolean;
}

export interface SuggestionList extends SuggestionKeys {
  open: boolean;
  kind: "command" | "file";
  items: Suggestion[];
  active: number;
  pick: (at: number) => void;
}

/** A listing is asked for when the fingers rest for this long. */
const REST_MS = 120;
/** More than this nobody reads on a phone. */
const SHOWN = 8;

export function useSuggestions(
  sessionId: SessionId,
  text: string,
  caret: number,
  write: (text: string, caret: number) => void,
): SuggestionList {
  const completion = useMemo(() => completionAt(text, caret), [text, caret]);
  const commands = useCommands(sessionId, completion?.kind === "command");
  const paths = usePaths(sessionId, completion?.kind === "file" ? completion.query : null);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [chosen, setChosen] = useState({ query: "", at: 0 });

  const query = completion ? `${completion.kind}:${completion.query}` : "";
  const items = useMemo(() => {
    if (!completion) return [];
    return completion.kind === "command" ? fitting(commands, completion.query) : paths.map(asPath);
  }, [completion, commands, paths]);
  const whole = items.length === 1 && items[0]?.value === completion?.query;
  const open = completion !== null && items.length > 0 && closedFor !== query && !whole;
  const active = chosen.query === query ? Math.min(chosen.at, items.length - 1) : 0;

  function pick(at: number) {
    const item = items[at];
    if (!item || !completion) return;
    const done = complete(text, completion, item.value);
    write(done.text, done.caret);
  }

  function onKey(key: string): boolean {
    if (!open) return false;
    switch (key) {
      case "ArrowDown":
      case "ArrowUp": {
        const by = key === "ArrowDown" ? 1 : items.length - 1;
        setChosen({ query, at: (active + by) % items.length });
        return true;
      }
      case "Enter":
      case "Tab":
        pick(active);
        return true;
      case "Escape":
        setClosedFor(query);
        return true;
      default:
        return false;
    }
  }

  return { open, kind: completion?.kind ?? "command", items, active, pick, onKey };
}

/** The commands, asked for anew each time a slash is typed: files may have changed. */
function useCommands(sessionId: SessionId, wanted: boolean): SlashCommand[] {
  const { ask } = useVerbs();
  const [commands, setCommands] = useState<SlashCommand[]>([]);
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    ask({ type: "slash-commands", sessionId }, "slash-commands").then(
      (reply) => current && setCommands(reply.commands),
      // Without them one can still type.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [ask, sessionId, wanted]);
  return commands;
}

function usePaths(sessionId: SessionId, query: string | null): string[] {
  const { ask } = useVerbs();
  const [listed, setListed] = useState<{ query: string; paths: string[] }>({ query: "", paths: NONE });
  useEffect(() => {
    if (query === null) return;
    let current = true;
    const timer = setTimeout(() => {
      ask({ type: "files", sessionId, query }, "files").then(
        (reply) => current && setListed({ query, paths: reply.paths.slice(0, SHOWN) }),
        () => undefined,
      );
    }, REST_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [ask, sessionId, query]);
  return useMemo(() => {
    if (query === null) return NONE;
    if (listed.query === query) return listed.paths;
    // Until the next reply is there, of the last one only what still fits: Enter takes what stands here.
    return listed.paths.filter((path) => path.toLowerCase().includes(query.toLowerCase()));
  }, [listed, query]);
}

const NONE: string[] = [];

/** Those that begin with what was typed come first, then those that have it somewhere. */
function fitting(commands: SlashCommand[], query: string): Suggestion[] {
  const wanted = query.toLowerCase();
  const rank = ({ name }: SlashCommand) => name.toLowerCase().indexOf(wanted);
  return commands
    .filter((command) => rank(command) >= 0)
    .sort((one, other) => Number(rank(one) > 0) - Number(rank(other) > 0))
    .map(({ name, description, origin }) => ({
      value: name,
      label: `/${name}`,
      detail:
        origin === "built-in"
          ? description
          : `${description || "no description"} · ${(ORIGIN as Partial<typeof ORIGIN>)[origin] ?? origin}`,
    }));
}

const ORIGIN = { project: "this project’s", person: "your own" } as const;

function asPath(path: string): Suggestion {
  const slash = path.lastIndexOf("/");
  return { value: path, label: path.slice(slash + 1), detail: path.slice(0, Math.max(0, slash)) };
}
