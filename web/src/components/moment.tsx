/* A moment in relative words; a tap shows the exact time, where a tap does nothing else. */
import { useState } from "react";
import "@/components/moment.css";
import { useNow } from "@/lib/ticker";
import { ago, exact } from "@/words/time";

export function Moment({ at }: { at: number }) {
  const [precise, setPrecise] = useState(false);
  const now = useNow();
  return (
    <button type="button" className="moment" title={exact(at)} onClick={() => setPrecise(!precise)}>
      <time dateTime={new Date(at).toISOString()}>{precise ? exact(at) : ago(at, now)}</time>
    </button>
  );
}

/** The same inside of something that is tapped for another reason. */
export function Ago({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(at)}>
      {ago(at, useNow())}
    </time>
  );
}
