/* The pictures of a message: small, fetched when they come into view; a tap shows one as large as the screen. */
import { useRef, useState } from "react";
import { Icon } from "@/components/icon";
import { Picture } from "@/components/picture";
import type { ImageInfo } from "@/wire/message";
import type { SessionId } from "@/wire/session";

interface Props {
  sessionId: SessionId;
  images: ImageInfo[];
}

export function MessageImages({ sessionId, images }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [large, setLarge] = useState<string | null>(null);

  function show(address: string) {
    setLarge(address);
    dialog.current?.showModal();
  }

  return (
    <div className="pictures">
      {images.map(({ id }, index) => {
        const address = `/api/sessions/${encodeURIComponent(sessionId)}/images/${encodeURIComponent(id)}`;
        return (
          <button
            key={id}
            type="button"
            className="pictures__small"
            aria-label={`Show picture ${index + 1}`}
            onClick={() => show(address)}
          >
            <Picture address={address} alt="" />
          </button>
        );
      })}
      <dialog ref={dialog} className="pictures__large" aria-label="Picture" onClose={() => setLarge(null)}>
        {large !== null && <Picture address={large} alt="From the conversation" />}
        <button
          type="button"
          className="icon-button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </dialog>
    </div>
  );
}
