/* Words of a program, as they are: whatever in them would not be seen stands there as a marked escape. */
import { hasUnseen, visibleParts } from "@/lib/visible-text";
import "@/components/visible.css";

export function Visible({ text }: { text: string }) {
  if (!hasUnseen(text)) return text;
  return visibleParts(text).map(({ text: part, escaped }, index) =>
    escaped ? (
      <span key={index} className="unseen">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
