/* The files of the message being written, small, each with the way to take it out again. */
import { Icon } from "@/components/icon";
import type { Attachments, Upload } from "@/features/chat/use-attachments";
import { Picture } from "@/components/picture";
import { addressOf } from "@/lib/api";
import { useVerbs } from "@/state/app-context";
import type { AttachedFile } from "@/wire/compose";
import type { SessionId } from "@/wire/session";

interface Props {
  sessionId: SessionId;
  attachments: Attachments;
}

export function AttachedFiles({ sessionId, attachments }: Props) {
  const { files, uploads, again, dismiss } = attachments;
  const { detach } = useVerbs();
  if (files.length === 0 && uploads.length === 0) return null;
  return (
    <ul className="attached" aria-label="Attached files">
      {files.map((file) => (
        <li key={file.id} className="attached__item">
          <Thumbnail sessionId={sessionId} file={file} />
          <button
            type="button"
            className="icon-button attached__remove"
            aria-label={`Remove ${file.name}`}
            onClick={() => detach(sessionId, file.id)}
          >
            <Icon name="close" size={16} />
          </button>
        </li>
      ))}
      {uploads.map((upload) => (
        <UploadItem key={upload.key} upload={upload} again={again} dismiss={dismiss} />
      ))}
    </ul>
  );
}

export function Thumbnail({ sessionId, file }: { sessionId: SessionId; file: AttachedFile }) {
  return file.kind.startsWith("image/") ? (
    <Picture className="attached__picture" address={addressOf(sessionId, file.id)} alt={file.name} />
  ) : (
    <span className="attached__name small" dir="auto">
      {file.name}
    </span>
  );
}

type UploadProps = { upload: Upload } & Pick<Attachments, "again" | "dismiss">;

function UploadItem({ upload, again, dismiss }: UploadProps) {
  const { file, problem } = upload;
  if (problem === null) {
    return (
      <li className="attached__item attached__name small dim" role="status">
        {file.name}: uploading…
      </li>
    );
  }
  return (
    <li className="attached__item attached__problem">
      <span className="small bad" role="alert">
        {problem}
      </span>
      <button type="button" className="text-button" onClick={() => again(upload)}>
        try again
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`Dismiss ${file.name}`}
        onClick={() => dismiss(upload)}
      >
        <Icon name="close" size={16} />
      </button>
    </li>
  );
}
