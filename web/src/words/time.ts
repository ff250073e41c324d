/* Times in words. Pure: the present moment is an argument. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A running clock for something that waits: `0:41`, `12:03`, `1:02:07`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** How long something has been going on: `34s`, `3m 04s`, `2h 11m`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, "0")}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}

/** How long ago, roughly: `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function ago(then: number, now: number): string {
  const ms = now - then;
  if (ms < 45 * SECOND) return "just now";
  if (ms < HOUR) return `${Math.max(1, Math.round(ms / MINUTE))} min ago`;
  if (ms < DAY) return `${Math.round(ms / HOUR)} h ago`;
  const days = Math.round(ms / DAY);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** The hour on the clock of this device: `14:02`. */
export function hourAndMinute(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
}

/** The exact moment, for whoever asks for it. */
export function exact(at: number): string {
  return new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "medium" });
}
