/*
 * Keeps a fault in one part of the page from taking the rest along: the part says that it could not be shown, and where the terminal is,
 * which shows everything. A newer server may say things that this page does not understand.
 */
import { Component, type ReactNode } from "react";
import { hrefOf } from "@/lib/router";
import type { SessionId } from "@/wire/session";

interface Props {
  /** What could not be shown, as in "this prompt". */
  what: string;
  /** Whose terminal shows it all the same. */
  sessionId?: SessionId | undefined;
  /** Leaves what covers the terminal. */
  onLeave?: () => void;
  children: ReactNode;
}

export class Contained extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { what, sessionId, onLeave, children } = this.props;
    if (!this.state.failed) return children;
    return (
      <div className="contained" role="alert">
        <p>The page could not show {what}.</p>
        <div className="contained__ways">
          <button type="button" className="button" onClick={() => this.setState({ failed: false })}>
            Try again
          </button>
          {sessionId !== undefined && (
            <a className="button" href={hrefOf({ page: "terminal", sessionId })} onClick={onLeave}>
              Open terminal
            </a>
          )}
        </div>
      </div>
    );
  }
}
