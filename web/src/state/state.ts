/*
 * Everything the page knows, in one value. Changed only by `state/reducer.ts`; read through `state/app-context.tsx`.
 * Server facts (sessions, prompts, messages) have their one home here; forms keep their own half-typed input.
 */
import { recall, recallEach } from "@/lib/storage";
import { recallLastKnown } from "@/state/last-known";
import type { Outgoing, Refused, Taken } from "@/state/outbox";
import type { AttachedFile } from "@/wire/compose";
import type { Alert, AlertId, DeviceId } from "@/wire/device";
import type { Message } from "@/wire/message";
import type { PendingPrompt, PromptId, PromptResponse } from "@/wire/prompt";
import type { RulesStatus } from "@/wire/rules";
import type { ScreenFrame } from "@/wire/screen";
import type { AdapterInfo, AdapterKind, PermissionMode, Session, SessionId } from "@/wire/session";

export type Connection =
  | { type: "connecting" }
  | { type: "live" }
  /** It was live; whether it still is, is being found out. */
  | { type: "checking" }
  | { type: "lost"; since: number }
  | { type: "not-paired" }
  | { type: "outdated" };

/** Where this page stands in the server's order of events. */
export type Sync =
  | { type: "none" }
  | { type: "at"; epoch: string; seq: number }
  /** An event is missing: nothing is trusted until a snapshot has come. */
  | { type: "gap" };

export interface ServerInfo {
  version: string;
  protocol: number;
  epoch: string;
  deviceId: DeviceId;
}

/** The part of a conversation that was loaded, without a hole: its end, or what surrounds a message of its past. */
export interface Conversation {
  messages: Message[];
  /** True when there is nothing older. */
  atStart: boolean;
  /** True when there is nothing newer: then what is said from now on goes behind it. */
  atEnd: boolean;
  /** True until the newest page has come, and when messages may have been missed; "again" when that happens meanwhile. */
  stale: boolean | "again";
}

/** What this device answered to a prompt, until the server's own progress takes over. */
export interface OwnAnswer {
  status: "sending" | "accepted" | "failed" | "refused" | "unsent";
  /** Kept for "try again"; a secret is never kept, so then it is absent. */
  response?: PromptResponse;
  /** Why it was refused or not sent, for people. */
  message?: string;
}

/** A short word about something that is over. */
export interface Notice {
  id: number;
  tone: "good" | "plain" | "bad";
  text: string;
  /** True when it took the place of the raised sheet, which then goes on with the next prompt. */
  fromSheet: boolean;
}

/** The overlay: which prompt it shows, and whether it is raised. */
export interface Sheet {
  shown: PromptId | null;
  /** Lowered by the person: these do not rise by themselves again. */
  lowered: PromptId[];
}

/** Something of a session that another one shall review, until it is sent. */
export interface ReviewDraft {
  sessionId: SessionId;
  /** What it is, in one line. */
  subject: string;
  /** The answer, change or plan itself. */
  text: string;
}

export interface Preferences {
  theme: "system" | "light" | "dark";
  /** What Enter does in the composer; `auto` sends with a keyboard and makes a new line with a finger. */
  enter: "auto" | "send" | "newline";
  text: "small" | "normal" | "large" | "huge";
  /** What a new session of each adapter begins with. */
  defaults: Partial<Record<AdapterKind, AdapterDefaults>>;
  /** What is said often, one tap each above the composer. */
  quickReplies: string[];
  /** That the browser's maker may hear what is dictated was read and taken. */
  dictation: boolean;
  /** The word about the home screen was sent away. */
  installHint: "show" | "dismissed";
}

/** What a person wants of every new session of one adapter; what is not said is as always. */
export interface AdapterDefaults {
  mode?: PermissionMode;
  model?: string;
  folder?: string;
}

export interface State {
  connection: Connection;
  sync: Sync;
  server: ServerInfo | null;
  /** True once a snapshot has come, or an old one was remembered: before that an empty list means nothing. */
  loaded: boolean;
  /** When the remembered one was true; nothing once the server has spoken. */
  knownAt: number | null;
  sessions: Record<SessionId, Session>;
  /** What waits for the person. */
  prompts: PendingPrompt[];
  /** What is asked as well and may be left alone: nobody is called for it. */
  asides: PendingPrompt[];
  adapters: AdapterInfo[];
  /** What the owner should have done and nobody else, oldest first. */
  alerts: Alert[];
  /** Whether rules act; nothing while there are none. */
  rules: RulesStatus | null;
  /** Those that were dismissed on this device. */
  dismissed: AlertId[];
  conversations: Record<SessionId, Conversation>;
  screens: Record<SessionId, ScreenFrame>;
  ownAnswers: Record<PromptId, OwnAnswer>;
  sheet: Sheet;
  notice: Notice | null;
  /** The sessions whose chats are open: what is said there is collected, and what they ask rises by itself. */
  viewing: SessionId[];
  /** False while the phone is locked or the page lies behind another: then nothing counts as seen. */
  visible: boolean;
  reviewDraft: ReviewDraft | null;
  drafts: Record<SessionId, string>;
  /** Files that go with each draft. */
  attached: Record<SessionId, AttachedFile[]>;
  /** Why the message that stands in a composer again was not taken. */
  refused: Record<SessionId, Refused>;
  /** Messages that were not handed over yet, oldest first. */
  outbox: Outgoing[];
  /** Messages that were handed over and that the conversation does not tell of yet. */
  taken: Taken[];
  /** How many messages of each session were there when it was last looked at. */
  seen: Record<SessionId, number>;
  preferences: Preferences;
}

export function initialState(): State {
  return {
    connection: { type: "connecting" },
    sync: { type: "none" },
    server: null,
    ...recallLastKnown(),
    asides: [],
    alerts: [],
    rules: null,
    dismissed: recall("dismissed", []),
    conversations: {},
    screens: {},
    ownAnswers: {},
    sheet: { shown: null, lowered: [] },
    notice: null,
    viewing: [],
    visible: true,
    reviewDraft: null,
    drafts: recallEach("draft"),
    attached: recallEach("attached"),
    refused: {},
    outbox: Object.values(recallEach<Outgoing>("outbox")).sort((one, other) => one.at - other.at),
    taken: [],
    seen: recallEach("seen"),
    preferences: { ...PREFERENCES, ...recall("preferences", {}) },
  };
}

export const PREFERENCES: Preferences = {
  theme: "system",
  enter: "auto",
  text: "normal",
  defaults: {},
  quickReplies: ["continue", "run the tests"],
  dictation: false,
  installHint: "show",
};
