/* A short word in the sheet's place about what just ended, then the next prompt if there is one. */
import { useEffect } from "react";
import { Icon } from "@/components/icon";
import "@/features/prompt/notice-bar.css";
import { useAppState, useDispatch } from "@/state/app-context";

/** Long enough to be read, and to keep the next prompt from sliding under a thumb. */
const SHOWN_MS = 2600;
/** Bad news takes longer to read. */
const SHOWN_BAD_MS = 8000;

export function NoticeBar() {
  const notice = useAppState((state) => state.notice);
  const dispatch = useDispatch();

  useEffect(() => {
    if (!notice) return;
    const over = () => dispatch({ type: "notice-over", id: notice.id });
    const timer = setTimeout(over, notice.tone === "bad" ? SHOWN_BAD_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, dispatch]);

  return (
    <div className="notice-place" role="status">
      {notice && (
        <div className={`notice notice--${notice.tone}`} key={notice.id}>
          {notice.tone === "good" && <span aria-hidden="true">✓</span>}
          {notice.tone === "bad" && <Icon name="warning" size={18} />}
          <span className="notice__text" dir="auto">
            {notice.text}
          </span>
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss"
            onClick={() => dispatch({ type: "notice-over", id: notice.id })}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
    </div>
  );
}
