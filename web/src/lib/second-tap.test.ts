import { expect, test } from "vitest";
import { judgeTap, type Armed, type Tap } from "@/lib/second-tap";

const armed: Armed = { what: "always", at: 1_000 };

test.each<[what: string, armed: Armed | null, tapped: string, now: number, tap: Tap]>([
  ["nothing was tapped before", null, "always", 2_000, "first"],
  ["something else was", armed, "yes", 2_000, "first"],
  ["50 ms later", armed, "always", 1_050, "too-soon"],
  ["399 ms later", armed, "always", 1_399, "too-soon"],
  ["400 ms later", armed, "always", 1_400, "second"],
  ["just before it is forgotten", armed, "always", 5_999, "second"],
  ["after it was forgotten", armed, "always", 6_000, "first"],
])("%s", (_, before, tapped, now, tap) => expect(judgeTap(before, tapped, now)).toBe(tap));
