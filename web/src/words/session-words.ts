/* What a session is doing, in words. Pure. */
import { clock, duration } from "@/words/time";
import type { EndReason, Session } from "@/wire/session";

export function stateWords(session: Session, now: number): string {
  const { state, stateSince } = session;
  switch (state.type) {
    case "starting":
      return state.detail ? `starting: ${state.detail}` : "starting…";
    case "ready":
      return "ready";
    case "busy":
      return `Working ${duration(now - stateSince)}`;
    case "waiting":
      return `waiting ${clock(now - stateSince)}`;
    case "unreachable":
      return state.detail ? `unreachable: ${state.detail}` : "unreachable";
    case "ended":
      return endWords(state.reason);
    default:
      // A newer server may know states that this page does not.
      return (state as { type: string }).type;
  }
}

export function endWords(reason: EndReason): string {
  switch (reason.type) {
    case "exited":
      if (reason.status === null) return "ended";
      return reason.status === 0 ? "finished" : `ended with status ${reason.status}`;
    case "killed":
      return "ended by you";
    case "lost":
      return "its terminal is gone";
    default:
      return "ended";
  }
}

export function folderName(folder: string): string {
  return folder.replace(/\/+$/, "").split("/").pop() || folder;
}
