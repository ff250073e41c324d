/* Colours as numbers: how bright one is, how well two are told apart, and how to make one readable. Pure. */

export type Rgb = readonly [red: number, green: number, blue: number];

/** What every text on the page has to reach. */
const READABLE = 4.5;

export function parseHex(hex: string): Rgb {
  const part = (at: number) => parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

export function cssRgb([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

export function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The colour itself where it can be read on this ground; else moved away from the ground just far enough. */
export function readableOn(ground: Rgb, color: Rgb): Rgb {
  const away = luminance(ground) > 0.5 ? 0 : 255;
  let moved = color;
  for (let share = 0; share <= 1 && contrast(moved, ground) < READABLE; share += 0.1) {
    moved = color.map((value) => Math.round(value + (away - value) * share)) as unknown as Rgb;
  }
  return moved;
}
