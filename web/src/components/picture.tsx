/*
 * A picture that only a paired device may see. It is fetched with the proof of this device's key, which no `src` can carry, once it
 * comes into view, and shown from memory.
 */
import { useEffect, useRef, useState } from "react";
import { fetchPicture } from "@/lib/api";
import { useAppState } from "@/state/app-context";

/** What will be seen soon is fetched already. */
const AHEAD = "400px";

interface Props {
  address: string;
  alt: string;
  className?: string;
}

export function Picture({ address, alt, className }: Props) {
  const place = useRef<HTMLImageElement>(null);
  const live = useAppState((state) => state.connection.type === "live");
  const [source, setSource] = useState<string>();
  const wanted = live && source === undefined;

  useEffect(() => {
    if (!wanted || !place.current) return;
    const leave = new AbortController();
    const stop = whenNear(place.current, () => {
      fetchPicture(address, leave.signal).then(
        (blob) => setSource(URL.createObjectURL(blob)),
        () => undefined,
      );
    });
    return () => {
      stop();
      leave.abort();
    };
  }, [address, wanted]);

  useEffect(() => (source === undefined ? undefined : () => URL.revokeObjectURL(source)), [source]);

  return <img ref={place} src={source} alt={alt} className={className} decoding="async" />;
}

function whenNear(element: Element, then: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      then();
    },
    // A list that scrolls cuts off what is out of view before the page's own margin counts, so it gets one as well.
    { rootMargin: AHEAD, scrollMargin: AHEAD },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
