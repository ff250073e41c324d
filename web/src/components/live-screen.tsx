/* The screen of a session as it is now, for as long as this is on the page. */
import { useEffect, useState } from "react";
import { Icon } from "@/components/icon";
import "@/components/live-screen.css";
import { ScreenView } from "@/components/screen-view";
import { useAppState, useVerbs } from "@/state/app-context";
import type { ScreenFrame } from "@/wire/screen";
import type { SessionId } from "@/wire/session";

interface Props {
  sessionId: SessionId;
  /** What to show until the first frame has come. */
  fallback?: ScreenFrame | undefined;
}

export function LiveScreen({ sessionId, fallback }: Props) {
  const { watch } = useVerbs();
  const live = useAppState((state) => state.screens[sessionId]);
  const [zoom, setZoom] = useState(1);
  const [fit, setFit] = useState(false);
  useEffect(() => watch(sessionId), [watch, sessionId]);

  const frame = live ?? fallback;
  if (!frame) return <p className="empty">waiting for the screen…</p>;
  return (
    <div className="live-screen">
      <ScreenView frame={frame} zoom={zoom} onZoom={setZoom} fit={fit} />
      <button
        type="button"
        className="icon-button live-screen__zoom"
        aria-label="Fit all columns"
        aria-pressed={fit}
        onClick={() => {
          setFit(!fit);
          setZoom(1);
        }}
      >
        <Icon name="zoom" />
      </button>
    </div>
  );
}
