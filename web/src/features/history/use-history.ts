/* The rows of the history that fit a filter: the newest first, older ones on demand. */
import { useState } from "react";
import { failureText } from "@/lib/request-failed";
import { useVerbs } from "@/state/app-context";
import { useAsked } from "@/state/use-asked";
import type { HistoryFilter, HistoryRow } from "@/wire/history";

const PAGE = 50;
/** Whoever types on need not be told about every letter. */
const PAUSE_MS = 150;

export type Found =
  | { type: "looking" }
  | { type: "failed"; why: string }
  | { type: "found"; rows: HistoryRow[]; more: boolean };

interface Older {
  /** The filter they were fetched with. */
  of: string;
  rows: HistoryRow[];
  more: boolean;
}

interface History {
  found: Found;
  /** Fetches the next page; says why when that fails. */
  older: () => Promise<string | null>;
}

export function useHistory(filter: HistoryFilter): History {
  const { ask } = useVerbs();
  const of = JSON.stringify(filter);
  const [fetched, setFetched] = useState<Older | null>(null);
  const newest = useAsked(of, () => ask({ type: "history", filter, limit: PAGE }, "history"), PAUSE_MS);
  const found = join(newest, fetched);

  async function older(): Promise<string | null> {
    const last = found.type === "found" ? found.rows.at(-1) : undefined;
    if (!newest || !last) return null;
    try {
      const shown = JSON.parse(newest.of) as HistoryFilter;
      const next = await ask({ type: "history", filter: shown, before: last.seq, limit: PAGE }, "history");
      setFetched((before) => {
        const rows = before?.of === newest.of ? before.rows : [];
        return { of: newest.of, rows: [...rows, ...next.rows], more: next.more };
      });
      return null;
    } catch (error) {
      return failureText(error);
    }
  }

  return { found, older };
}

/** What was found for the filter before stays until there is something better to see. */
function join(
  newest: ReturnType<typeof useAsked<{ rows: HistoryRow[]; more: boolean }>>,
  older: Older | null,
): Found {
  if (!newest) return { type: "looking" };
  if ("problem" in newest) return { type: "failed", why: newest.problem };
  const { rows, more } = newest.data;
  if (older?.of !== newest.of) return { type: "found", rows, more };
  return { type: "found", rows: [...rows, ...older.rows], more: older.more };
}
