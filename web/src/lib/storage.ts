/* Small things remembered on this device. Never fails: private browsing and full disks just forget. */

const PREFIX = "answerback.";

export function recall<Value>(key: string, fallback: Value): Value {
  try {
    const stored = localStorage.getItem(PREFIX + key);
    return stored === null ? fallback : (JSON.parse(stored) as Value);
  } catch {
    return fallback;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Forgetting is the only thing left to do.
  }
}
