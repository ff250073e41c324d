/* How one run of a terminal's screen looks: a class for what the theme decides, a colour for what the program named. */
import type { ScreenRun } from "@/wire/screen";

export interface RunStyle {
  className: string;
  color?: string;
  background?: string;
}

export function runStyle(run: ScreenRun): RunStyle {
  const foreground = colorOf(run.fg);
  const background = colorOf(run.bg);
  const [front, back] = run.inverse
    ? [background ?? "var(--screen-bg)", foreground ?? "var(--screen-fg)"]
    : [foreground, background];
  return {
    className: FLAGS.filter((flag) => run[flag])
      .map((flag) => `run--${flag}`)
      .join(" "),
    ...(front && { color: front }),
    ...(back && { background: back }),
  };
}

const FLAGS = ["bold", "dim", "italic", "underline", "strike"] as const;

/** The first sixteen belong to the theme; the other 240 are fixed by convention; `#rrggbb` speaks for itself. */
export function colorOf(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  if (/^#[0-9a-f]{6}$/i.test(code)) return code;
  const index = Number(code);
  if (!Number.isInteger(index) || index < 0 || index > 255) return undefined;
  if (index < 16) return `var(--ansi-${index})`;
  if (index < 232) {
    const level = (value: number) => (value === 0 ? 0 : 55 + 40 * value);
    const cube = index - 16;
    return rgb(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
  }
  const grey = 8 + 10 * (index - 232);
  return rgb(grey, grey, grey);
}

function rgb(red: number, green: number, blue: number): string {
  return `rgb(${red} ${green} ${blue})`;
}
