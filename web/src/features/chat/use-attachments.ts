/* Files for the message being written: chosen, pasted or dropped, handed over at once, and shown until they are sent. */
import { useState, type ClipboardEvent, type DragEvent } from "react";
import { refusalOf } from "@/lib/attach-kinds";
import { failureText } from "@/lib/request-failed";
import { freshUuid } from "@/lib/uuid";
import { useAppState, useVerbs } from "@/state/app-context";
import type { AttachedFile } from "@/wire/compose";
import type { SessionId } from "@/wire/session";

/** A file on its way, or why it did not get there. */
export interface Upload {
  key: string;
  file: File;
  problem: string | null;
}

export interface Attachments {
  files: AttachedFile[];
  uploads: Upload[];
  uploading: boolean;
  add: (files: Iterable<File>) => void;
  again: (upload: Upload) => void;
  dismiss: (upload: Upload) => void;
  onPaste: (event: ClipboardEvent) => void;
  drop: { onDragOver: (event: DragEvent) => void; onDrop: (event: DragEvent) => void };
}

const NONE: AttachedFile[] = [];

export function useAttachments(sessionId: SessionId): Attachments {
  const files = useAppState((state) => state.attached[sessionId] ?? NONE);
  const { attach } = useVerbs();
  const [uploads, setUploads] = useState<Upload[]>([]);

  function put(upload: Upload) {
    setUploads((current) => [...current.filter(({ key }) => key !== upload.key), upload]);
  }

  function dismiss({ key }: Upload) {
    setUploads((current) => current.filter((upload) => upload.key !== key));
  }

  async function begin(upload: Upload) {
    const problem = refusalOf(upload.file);
    put({ ...upload, problem });
    if (problem !== null) return;
    try {
      await attach(sessionId, upload.file);
      dismiss(upload);
    } catch (error) {
      put({ ...upload, problem: `${upload.file.name}: ${failureText(error)}` });
    }
  }

  function add(chosen: Iterable<File>) {
    for (const file of chosen) void begin({ key: freshUuid(), file, problem: null });
  }

  return {
    files,
    uploads,
    uploading: uploads.some(({ problem }) => problem === null),
    add,
    again: (upload) => void begin(upload),
    dismiss,
    onPaste(event) {
      if (event.clipboardData.files.length === 0) return;
      event.preventDefault();
      add(event.clipboardData.files);
    },
    drop: {
      onDragOver(event) {
        if (event.dataTransfer.types.includes("Files")) event.preventDefault();
      },
      onDrop(event) {
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        add(event.dataTransfer.files);
      },
    },
  };
}
