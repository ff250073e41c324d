/* What stands in the composer's place once a session is over. */
import { Fetched } from "@/components/fetched";
import { LiveScreen } from "@/components/terminal-parts";
import { navigate, replaceRoute } from "@/lib/router";
import { Problem } from "@/components/problem";
import { useSubmit } from "@/lib/use-submit";
import { ConfirmButton } from "@/components/confirm-button";
import { useVerbs } from "@/state/app-context";
import { endWords } from "@/words/session-words";
import type { EndReason, Session } from "@/wire/session";
import { useState } from "react";

export function EndedNote({ session, reason }: { session: Session; reason: EndReason }) {
  const verbs = useVerbs();
  const [screen, setScreen] = useState(false);
  const { problem, submit } = useSubmit();

  /** Goes on in the same place: the server knows the conversation, the folder and the mode. */
  const resume = () => submit(() => verbs.ask({ type: "resume", sessionId: session.id }, "started"));

  function startAgain() {
    navigate({ page: "new", adapter: session.adapter, folder: session.folder });
  }

  async function forget() {
    if (await verbs.tryTo({ type: "forget", sessionId: session.id })) replaceRoute({ page: "home" });
  }

  return (
    <div className="composer ended">
      {screen && (
        <div className="ended__screen">
          <Fetched until="waiting for the screen…">
            <LiveScreen sessionId={session.id} />
          </Fetched>
        </div>
      )}
      <p className="dim">This session is over: {endWords(reason)}.</p>
      {problem !== null && <Problem text={problem} />}
      <div className="ended__ways">
        {session.conversation !== undefined && (
          <button type="button" className="button button--primary" onClick={() => void resume()}>
            Resume
          </button>
        )}
        <button type="button" className="button" onClick={startAgain}>
          Start again
        </button>
        {session.hasMessages && (
          <button type="button" className="button" aria-expanded={screen} onClick={() => setScreen(!screen)}>
            Last screen
          </button>
        )}
        <ConfirmButton
          className="button button--quiet"
          question="Tap again to forget"
          onConfirm={() => void forget()}
        >
          Forget
        </ConfirmButton>
      </div>
    </div>
  );
}
