/* Small things remembered on this device. Never fails: private browsing and full disks just forget. */

const PREFIX = "answerback.";

export function recall<Value>(key: string, fallback: Value): Value {
  try {
    return parse(localStorage.getItem(PREFIX + key), fallback);
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

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // It was never there.
  }
}

/** Everything remembered under `name.…`, by what follows: each has a key of its own, so two tabs never overwrite each other's. */
export function recallEach<Value>(name: string): Record<string, Value> {
  const found: Record<string, Value> = {};
  try {
    for (let at = 0; at < localStorage.length; at++) {
      const key = localStorage.key(at);
      if (!key?.startsWith(`${PREFIX}${name}.`)) continue;
      const value = parse<Value | null>(localStorage.getItem(key), null);
      if (value !== null) found[key.slice(PREFIX.length + name.length + 1)] = value;
    }
  } catch {
    // What cannot be read is forgotten.
  }
  return found;
}

/** Tells what another tab remembers or forgets; nothing as the value when it was forgotten. */
export function onRememberedElsewhere(tell: (key: string, value: unknown) => void): () => void {
  function listen({ key, newValue, storageArea }: StorageEvent) {
    if (storageArea !== localStorage || !key?.startsWith(PREFIX)) return;
    tell(key.slice(PREFIX.length), parse<unknown>(newValue, undefined));
  }
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}

function parse<Value>(stored: string | null, fallback: Value): Value {
  if (stored === null) return fallback;
  try {
    return JSON.parse(stored) as Value;
  } catch {
    return fallback;
  }
}
