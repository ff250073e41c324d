/*
 * Requests that wait for their reply: ids, promises, time limits, and which of them survive a lost connection.
 * Knows nothing of the socket; `lib/socket.ts` sends what this hands out.
 */
import { RequestFailed } from "@/lib/request-failed";
import type { ClientMessage, Command, Reply, ReplyData, RequestId } from "@/wire/protocol";

/** A person does not wait longer than this for a tap to be acknowledged; a folder listing never takes it. */
export const REQUEST_TIMEOUT_MS = 15_000;

interface Pending {
  command: Command;
  resolve: (data: ReplyData) => void;
  reject: (error: RequestFailed) => void;
  timer: ReturnType<typeof setTimeout>;
}

export interface PendingRequests {
  /** Registers a command and gives the frame to send with the promise of its reply. */
  add(command: Command): { frame: ClientMessage; reply: Promise<ReplyData> };
  settle(id: RequestId, result: Reply): void;
  /** The connection went: what must not be repeated is rejected, the rest stays for `frames`. */
  connectionLost(): void;
  /** What is to be sent (again) on a fresh connection, oldest first. */
  frames(): ClientMessage[];
}

export function createPendingRequests(onTimeout: (command: Command) => void): PendingRequests {
  const pending = new Map<RequestId, Pending>();
  let nextId: RequestId = 1;

  function take(id: RequestId): Pending | undefined {
    const found = pending.get(id);
    if (found) {
      pending.delete(id);
      clearTimeout(found.timer);
    }
    return found;
  }

  return {
    add(command) {
      const id = nextId++;
      const reply = new Promise<ReplyData>((resolve, reject) => {
        const timer = setTimeout(() => {
          take(id)?.reject(new RequestFailed("timeout", "The server did not reply in time."));
          onTimeout(command);
        }, REQUEST_TIMEOUT_MS);
        pending.set(id, { command, resolve, reject, timer });
      });
      return { frame: { type: "request", id, command }, reply };
    },
    settle(id, result) {
      const found = take(id);
      if (result.type === "ok") found?.resolve(result.data);
      else found?.reject(RequestFailed.refused(result.error));
    },
    connectionLost() {
      for (const [id, { command }] of [...pending]) {
        if (mayRepeat(command)) continue;
        take(id)?.reject(
          new RequestFailed("disconnected", "The connection was lost before the server replied."),
        );
      }
    },
    frames() {
      return [...pending].map(([id, { command }]) => ({ type: "request", id, command }));
    },
  };
}

/** What only asks about rules. */
const READS: Extract<Command, { type: "rules" }>["rules"]["do"][] = [
  "list",
  "why",
  "preview",
  "suggest",
  "dry-run",
];

/** True when sending the command twice does no more than sending it once. */
export function mayRepeat(command: Command): boolean {
  switch (command.type) {
    case "messages":
    case "browse":
    case "conversations":
    case "devices":
    case "slash-commands":
    case "files":
    case "doctor":
    case "search":
    case "history":
    case "history-prompt":
    case "insight":
    case "metrics":
      return true;
    case "rules":
      return READS.includes(command.rules.do);
    // What a page shows is old when the line is up again, and is then told anew; a test makes itself heard each time.
    case "notify":
      return command.notify.type !== "presence" && command.notify.type !== "test";
    case "respond":
      return command.response.idempotencyKey !== undefined;
    case "send-text":
      return command.idempotencyKey !== undefined;
    case "start":
      return command.start.idempotencyKey !== undefined;
    // It has an id of its own.
    case "review":
      return true;
    // Watches are named anew by the socket itself; the others could act twice.
    case "watch":
    case "unwatch":
    case "rename":
    case "end":
    case "forget":
    case "send-keys":
    case "set-mode":
    case "interrupt":
    case "revoke":
    case "pair":
    case "resume":
      return false;
  }
}

/** True when the command may go out once there is a connection again; any other is refused at the tap. */
export function mayWait(command: Command): boolean {
  return mayRepeat(command) || command.type === "watch" || command.type === "unwatch";
}
