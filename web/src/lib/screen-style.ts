/*
 * How one run of a terminal's screen looks. Programs choose their colours for a dark terminal; the page also has a
 * light theme, so a named colour is moved until it can be read, and text on a named background gets an ink to fit.
 */
import { cssRgb, luminance, parseHex, readableOn, type Rgb } from "@/lib/contrast";
import type { ScreenRun } from "@/wire/screen";

export interface RunStyle {
  className: string;
  color?: string;
  background?: string;
}

/** The grounds of the two themes, as in tokens.css (`--screen-bg`). */
const PAPER: Rgb = [255, 255, 255];
const INK: Rgb = [10, 12, 15];

export function runStyle(run: ScreenRun): RunStyle {
  const { color, background } = run.inverse ? inverse(run) : upright(run);
  return {
    className: FLAGS.filter((flag) => run[flag])
      .map((flag) => `run--${flag}`)
      .join(" "),
    ...(color !== undefined && { color }),
    ...(background !== undefined && { background }),
  };
}

const FLAGS = ["bold", "dim", "italic", "underline", "strike"] as const;

type Colors = Pick<RunStyle, "color" | "background">;

function upright({ fg, bg }: ScreenRun): Colors {
  const background = groundColor(bg);
  if (background === undefined || bg === undefined) return { color: textColor(fg) };
  // White is meant as "the ink for this ground" more often than as white.
  const plain = fg === undefined || fg === "7" || fg === "15";
  return { color: plain ? inkOn(bg) : (groundColor(fg) ?? inkOn(bg)), background };
}

function inverse({ fg, bg }: ScreenRun): Colors {
  return {
    color: bg === undefined ? "var(--screen-bg)" : textColor(bg),
    background: groundColor(fg) ?? "var(--screen-fg)",
  };
}

/** A colour for text on the theme's own ground. */
export function textColor(code: string | undefined): string | undefined {
  const fixed = fixedColor(code);
  if (!fixed) return themeColor(code);
  return `light-dark(${cssRgb(readableOn(PAPER, fixed))}, ${cssRgb(readableOn(INK, fixed))})`;
}

/** A colour exactly as it was named. */
export function groundColor(code: string | undefined): string | undefined {
  const fixed = fixedColor(code);
  return fixed ? cssRgb(fixed) : themeColor(code);
}

function inkOn(bg: string): string {
  const fixed = fixedColor(bg);
  if (fixed) return cssRgb(luminance(fixed) > 0.18 ? INK : PAPER);
  // The theme's sixteen can all be read on its ground, and so the ground on them; but for black in the dark theme.
  return bg === "0" ? cssRgb(PAPER) : "var(--screen-bg)";
}

/** The first sixteen belong to the theme. */
function themeColor(code: string | undefined): string | undefined {
  return code !== undefined && /^(\d|1[0-5])$/.test(code) ? `var(--ansi-${code})` : undefined;
}

/** `#rrggbb` speaks for itself; the colours from 16 to 255 are fixed by convention: a cube and a ramp of greys. */
function fixedColor(code: string | undefined): Rgb | undefined {
  if (code === undefined) return undefined;
  if (/^#[0-9a-f]{6}$/i.test(code)) return parseHex(code);
  const index = Number(code);
  if (!Number.isInteger(index) || index < 16 || index > 255) return undefined;
  if (index >= 232) {
    const grey = 8 + 10 * (index - 232);
    return [grey, grey, grey];
  }
  const level = (value: number) => (value === 0 ? 0 : 55 + 40 * value);
  const cube = index - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}
