/* Everything that can change the state: one closed list. */
import type { Page, Place } from "@/state/conversation";
import type { Outgoing, OutgoingChange, Refused } from "@/state/outbox";
import type { Connection, OwnAnswer, Preferences, ReviewDraft } from "@/state/state";
import type { AttachedFile } from "@/wire/compose";
import type { AlertId } from "@/wire/device";
import type { MessageId } from "@/wire/message";
import type { PromptId } from "@/wire/prompt";
import type { Event, ServerMessage, Snapshot } from "@/wire/protocol";
import type { ScreenFrame } from "@/wire/screen";
import type { SessionId } from "@/wire/session";

export type Welcome = Extract<ServerMessage, { type: "welcome" }>;

export type Action =
  // From the server.
  | { type: "connection"; connection: Connection }
  | { type: "welcome"; welcome: Welcome }
  | { type: "snapshot"; seq: number; snapshot: Snapshot }
  | { type: "event"; seq: number; event: Event }
  | { type: "screen"; sessionId: SessionId; frame: ScreenFrame }
  | ({ type: "messages-loaded"; sessionId: SessionId; place: Place } & Page)
  // From the person.
  | { type: "viewing"; sessionIds: SessionId[] }
  | { type: "visible"; visible: boolean }
  /** Of a long conversation only what surrounds the place that is read stays loaded: from one message to another. */
  | { type: "messages-kept"; sessionId: SessionId; first: MessageId; last: MessageId }
  | { type: "draft"; sessionId: SessionId; text: string }
  | { type: "attached"; sessionId: SessionId; files: AttachedFile[] }
  | { type: "refusal-seen"; sessionId: SessionId }
  /** `from` says where it was written: the composer is then empty, anything else leaves it alone. */
  | { type: "enqueued"; outgoing: Outgoing; from: "composer" | "elsewhere" }
  | { type: "outgoing"; key: string; change: OutgoingChange }
  | { type: "outgoing-refused"; key: string; refused: Refused }
  | { type: "outgoing-edited"; key: string }
  | { type: "outgoing-taken"; key: string; at: number }
  | { type: "outgoing-removed"; key: string }
  | { type: "answer"; requestId: PromptId; answer: OwnAnswer }
  | { type: "answer-accepted"; requestId: PromptId }
  | { type: "sheet-raised"; requestId: PromptId }
  | { type: "sheet-lowered" }
  | { type: "notice"; tone: "good" | "plain" | "bad"; text: string }
  | { type: "notice-over"; id: number }
  | { type: "alert-dismissed"; id: AlertId }
  | { type: "review-drafted"; draft: ReviewDraft | null }
  | { type: "preferences"; preferences: Partial<Preferences> }
  // From another tab of this device.
  | { type: "seen-elsewhere"; sessionId: SessionId; count: number }
  | { type: "outgoing-elsewhere"; key: string; outgoing: Outgoing | undefined };
