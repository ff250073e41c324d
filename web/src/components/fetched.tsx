/*
 * A part of the page that is fetched when it is opened. Without a network, or when the server has moved on to a newer build, its file
 * may not come: that is said in its place, with a way out, and everything else on the screen goes on.
 */
import { Component, Suspense, type ReactNode } from "react";

interface Props {
  /** What to say until it is there; nothing in a place too small for words. */
  until?: string;
  children: ReactNode;
}

export class Fetched extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) {
      const { until, children } = this.props;
      const words = until !== undefined && <p className="page empty">{until}</p>;
      return <Suspense fallback={words}>{children}</Suspense>;
    }
    return (
      <div className="page empty" role="alert">
        <p>
          This part of the page could not be shown: it did not come, or the server was upgraded meanwhile.
        </p>
        <button type="button" className="button button--primary" onClick={() => location.reload()}>
          Load the page again
        </button>
        <a className="button" href="#/">
          All sessions
        </a>
      </div>
    );
  }
}
