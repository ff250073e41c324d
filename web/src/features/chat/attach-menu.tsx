/* The ways to add a file, with what is taken said before one is chosen. */
import { useEffect, useRef, useState, type ChangeEvent } from "react";
import { Icon } from "@/components/icon";
import { ATTACH_WORDS, PICTURES } from "@/lib/attach-kinds";
import { TOUCH, useMedia } from "@/lib/media";

export function AttachMenu({ onChoose }: { onChoose: (files: Iterable<File>) => void }) {
  const [open, setOpen] = useState(false);
  const touch = useMedia(TOUCH);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    function onPointerDown({ target }: PointerEvent) {
      if (!box.current?.contains(target as Node)) setOpen(false);
    }
    function onKey({ key }: KeyboardEvent) {
      if (key === "Escape") setOpen(false);
    }
    addEventListener("pointerdown", onPointerDown);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("pointerdown", onPointerDown);
      removeEventListener("keydown", onKey);
    };
  }, [open]);

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    onChoose([...(target.files ?? [])]);
    // The same file can be chosen again.
    target.value = "";
    setOpen(false);
  }

  return (
    <div className="attach" ref={box}>
      <button
        type="button"
        className="icon-button"
        aria-label="Attach"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="attach" />
      </button>
      {open && (
        <div className="attach__menu" role="group" aria-label="Attach">
          {touch && <Way label="Take a photo" accept={PICTURES} capture onChange={choose} />}
          <Way label="Pictures" accept={PICTURES} onChange={choose} />
          <Way label="Files" onChange={choose} />
          <p className="attach__limits small dim">{ATTACH_WORDS}</p>
        </div>
      )}
    </div>
  );
}

interface WayProps {
  label: string;
  accept?: string;
  capture?: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

function Way({ label, accept, capture = false, onChange }: WayProps) {
  return (
    <label className="attach__way">
      {label}
      <input
        type="file"
        className="visually-hidden"
        accept={accept}
        multiple={!capture}
        onChange={onChange}
        {...(capture && { capture: "environment" })}
      />
    </label>
  );
}
