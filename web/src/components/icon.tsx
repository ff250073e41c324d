/* The page's few icons, inline: no icon font, no request. All are drawn on a 24 by 24 grid with one stroke. */

const PATHS = {
  always: "M7 8.5c4 0 6 7 10 7a3.5 3.5 0 000-7c-4 0-6 7-10 7a3.5 3.5 0 010-7z",
  attach: "M20 11.5l-7.6 7.6a4.8 4.8 0 01-6.8-6.8l8-8a3.2 3.2 0 014.5 4.5l-8 8a1.6 1.6 0 01-2.2-2.3l7-7",
  back: "M15 5l-7 7 7 7",
  check: "M5 12.5l4.5 4.5L19 7.5",
  chevron: "M9 5l7 7-7 7",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v10H9zM15 9V5H5v10h4",
  down: "M12 5v14M6 13l6 6 6-6",
  folder: "M3.5 18.5v-13h6l2 2.5h9v10.5z",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  keyboard: "M3 7h18v10H3zM7 10.5h.01M11 10.5h.01M15 10.5h.01M17.5 10.5h.01M8 14h8",
  mic: "M12 4a2.5 2.5 0 00-2.5 2.5v5a2.5 2.5 0 005 0v-5A2.5 2.5 0 0012 4zM6.5 11.5a5.5 5.5 0 0011 0M12 17v3",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  plus: "M12 5v14M5 12h14",
  search: "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L20 20",
  send: "M12 19V5M6 11l6-6 6 6",
  star: "M12 4l2.5 5.2 5.5.7-4 4 1 5.6-5-2.8-5 2.8 1-5.6-4-4 5.5-.7z",
  stop: "M7 7h10v10H7z",
  terminal: "M5 7l5 5-5 5M13 17h6",
  warning: "M12 4L2.5 20h19zM12 10v4M12 17h.01",
  zoom: "M4 9V4h5M20 15v5h-5M4 4l6 6M20 20l-6-6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  const thick = name === "more" ? 3 : 2;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={name === "stop" ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={thick}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
