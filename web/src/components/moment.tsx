/* A moment in relative words; a tap shows the exact time. */
import { useState } from "react";
import "@/components/moment.css";
import { useNow } from "@/lib/ticker";
import { ago, exact } from "@/lib/time";

export function Moment({ at }: { at: number }) {
  const [precise, setPrecise] = useState(false);
  const now = useNow();
  return (
    <button type="button" className="moment" title={exact(at)} onClick={() => setPrecise(!precise)}>
      <time dateTime={new Date(at).toISOString()}>{precise ? exact(at) : ago(at, now)}</time>
    </button>
  );
}
