/* The keys that a program says it waits for, read from the end of its screen: `[y/N/q]`, `press SPACE`, `ctrl+e to explain`. Pure. */
import type { Key, NamedKey, ScreenFrame } from "@/wire/screen";

export interface OfferedKey {
  label: string;
  key: Key;
}

/** What it waits for stands at the end; further up are words of the past. */
const LAST_LINES = 4;

const NAMED: Record<string, NamedKey | undefined> = {
  enter: "enter",
  return: "enter",
  esc: "escape",
  escape: "escape",
  tab: "tab",
  "shift+tab": "back-tab",
};

/** Letters between slashes or commas in brackets: the usual way to say what may be pressed. */
const CHOICES = /[[(]([A-Za-z?](?:[/,|]\s?[A-Za-z?]){1,11})[\])]/g;
const PRESS =
  /\b(?:press|hit|type)\s+(?:the\s+)?['"“<[]?(space(?:bar)?|enter|return|esc(?:ape)?|tab|[a-z])\b/gi;
const MEANS =
  /(?:^|[\s,(·|[])['"“<]?(space|enter|esc|(?:shift\+)?tab|(?:ctrl[+-])?[a-z])['"”>]?\s?(?:to|for|[:=])\s+\w/gi;

export function offeredKeys(frame: ScreenFrame): OfferedKey[] {
  const text = frame.lines
    .map((runs) => runs.map((run) => run.text).join(""))
    .filter((line) => line.trim() !== "")
    .slice(-LAST_LINES)
    .join("\n");
  const named = [...text.matchAll(PRESS), ...text.matchAll(MEANS)].map(([, name = ""]) => name.toLowerCase());
  const letters = [...text.matchAll(CHOICES)].flatMap(([, choices = ""]) =>
    choices.split(/[/,|]\s?/).map((letter) => letter.toLowerCase()),
  );
  // A pager says no more than this.
  const pager = /--More--|\(END\)|^:$/m.test(text) ? ["space", "q"] : [];
  return [...new Set([...letters, ...named, ...pager])].map(keyOf);
}

function keyOf(name: string): OfferedKey {
  if (name.startsWith("space")) return { label: "Space", key: { type: "text", text: " " } };
  const letter = /^ctrl[+-](.)$/.exec(name)?.[1];
  if (letter) return { label: `Ctrl-${letter.toUpperCase()}`, key: { type: "ctrl", letter } };
  const known = NAMED[name];
  if (known)
    return { label: name === "return" ? "Enter" : capital(name), key: { type: "named", key: known } };
  return { label: name, key: { type: "text", text: name } };
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
