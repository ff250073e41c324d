/* A button whose first tap says what the second will do: `lib/second-tap.ts` with a clock and a memory. */
import { useState } from "react";
import { judgeTap, type Armed } from "@/lib/second-tap";
import { useDisarm } from "@/lib/use-disarm";

interface SecondTap {
  armed: boolean;
  /** Tells of a tap; true when it is the second. */
  press: () => boolean;
  disarm: () => void;
}

export function useSecondTap(): SecondTap {
  const [armed, setArmed] = useState<Armed | null>(null);
  const disarm = () => setArmed(null);
  useDisarm(armed, disarm);

  function press(): boolean {
    const now = performance.now();
    const tap = judgeTap(armed, "button", now);
    if (tap !== "too-soon") setArmed(tap === "first" ? { what: "button", at: now } : null);
    return tap === "second";
  }

  return { armed: armed !== null, press, disarm };
}
