import { expect, test } from "vitest";
import { offeredKeys } from "@/lib/offered-keys";

function labels(...lines: string[]): string[] {
  const frame = {
    cols: 80,
    rows: 24,
    lines: lines.map((text) => [{ text }]),
    cursor: { x: 0, y: 0, visible: false },
  };
  return offeredKeys(frame).map(({ label }) => label);
}

test.each<[line: string, keys: string[]]>([
  ["Continue? [y/N]", ["y", "n"]],
  ["Stage this hunk [y,n,q,a,d,?]?", ["y", "n", "q", "a", "d", "?"]],
  ["(y/n/q)", ["y", "n", "q"]],
  ["Press SPACE to continue", ["Space"]],
  ["press q to quit, Enter to go on", ["q", "Enter"]],
  ["Hit any key", []],
  ["Esc to cancel · Tab to amend · ctrl+e to explain", ["Esc", "Tab", "Ctrl-E"]],
  ["Press enter to confirm or esc to cancel or o to open thread", ["Enter", "Esc", "o"]],
  ["shift+tab to approve with this feedback", ["Shift+tab"]],
  ["--More--(12%)", ["Space", "q"]],
  ["(END)", ["Space", "q"]],
  ["Working on it (see README)", []],
  ["[ok] all tests passed", []],
])("%j offers %j", (line, keys) => expect(labels(line)).toEqual(keys));

test("only the end of the screen counts", () => {
  expect(labels("Delete? [y/n]", "a", "b", "c", "d")).toEqual([]);
});
