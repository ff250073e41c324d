/* A QR code as one path. Loaded only when a phone is to be paired. */
import { useMemo } from "react";
import { encode } from "uqr";

export function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg
      className="offer__picture"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for pairing"
    >
      {/* Cameras want dark on light, whatever the theme. */}
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" shapeRendering="crispEdges" />
    </svg>
  );
}

function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: 3 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { size, path };
}
