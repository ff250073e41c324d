/* Says what the home screen is good for, below everything else, until it is done or sent away. */
import { Icon } from "@/components/icon";
import { install, useInstallWay } from "@/lib/install";
import { useAppState, useDispatch } from "@/state/app-context";

export function InstallHint() {
  const way = useInstallWay();
  const hint = useAppState((state) => state.preferences.installHint);
  const dispatch = useDispatch();
  if (!way || hint === "dismissed") return null;
  return (
    <section className="install-hint" aria-label="Install">
      <p>
        On the home screen Answerback opens like an app, stays paired and can call you.
        {way === "share" && " Tap Share, then Add to Home Screen."}
      </p>
      {way === "offered" && (
        <button type="button" className="button" onClick={() => void install()}>
          Install
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label="Dismiss the hint"
        onClick={() => dispatch({ type: "preferences", preferences: { installHint: "dismissed" } })}
      >
        <Icon name="close" size={16} />
      </button>
    </section>
  );
}
