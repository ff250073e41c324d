/* The connection, in words. Pure. */
import { hourAndMinute } from "@/words/time";
import type { Connection } from "@/state/state";

/** A loss shorter than this is only a blink; a longer one gets its time of day. */
const BLINK_MS = 10_000;

export function connectionWords(connection: Connection, now: number): string {
  switch (connection.type) {
    case "live":
      return "live";
    case "connecting":
      return "connecting…";
    case "checking":
      return "checking…";
    case "lost":
      if (now - connection.since < BLINK_MS) return "reconnecting…";
      return `offline since ${hourAndMinute(connection.since)}`;
    case "not-paired":
      return "not paired";
    case "outdated":
      return "out of date";
  }
}
