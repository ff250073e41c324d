/* Whole values for tests, of which a test names only the parts it is about. */
import { sendOutbox } from "@/state/send-outbox";
import { createStore } from "@/state/store";
import { createVerbs } from "@/state/verbs";
import { initialState, type State } from "@/state/state";
import type { App } from "@/state/app-context";
import type { Message, MessageBody } from "@/wire/message";
import type { InteractivePrompt, PromptOption } from "@/wire/prompt";
import type { Command, ReplyData } from "@/wire/protocol";
import type { AdapterInfo, Session } from "@/wire/session";

export function aSession(parts: Partial<Session> = {}): Session {
  return {
    id: "s1",
    name: "shop-api",
    adapter: "claude",
    folder: "/home/me/shop-api",
    state: { type: "ready" },
    stateSince: 1000,
    createdAt: 1000,
    lastLine: "",
    messageCount: 0,
    hasMessages: true,
    attachCommand: "answerback attach shop-api",
    ...parts,
  };
}

export function anAdapter(kind: string, parts: Partial<AdapterInfo> = {}): AdapterInfo {
  const shortName = kind.replace(/^./, (letter) => letter.toUpperCase());
  return {
    kind,
    name: `${shortName} CLI`,
    shortName,
    isAgent: true,
    mark: { icon: "M1 1h9", light: "#111111", dark: "#eeeeee" },
    installed: true,
    modes: [],
    takesCommand: false,
    changesMode: false,
    ...parts,
  };
}

export function aPrompt(parts: Partial<InteractivePrompt> = {}): InteractivePrompt {
  return {
    requestId: "p1",
    type: "permission",
    title: "Run this command?",
    description: "",
    sessionId: "s1",
    adapter: "claude",
    createdAt: 1000,
    ...parts,
  };
}

export function anOption(value: string, parts: Partial<PromptOption> = {}): PromptOption {
  return { value, label: value, ...parts };
}

export function aMessage(id: string, body: MessageBody | string = id, at = 1): Message {
  return { id, role: "assistant", at, body: typeof body === "string" ? { type: "text", text: body } : body };
}

export function aState(parts: Partial<State> = {}): State {
  return {
    ...initialState(),
    connection: { type: "live" },
    sync: { type: "at", epoch: "e1", seq: 10 },
    server: { version: "1", protocol: 1, epoch: "e1", deviceId: "d1" },
    loaded: true,
    adapters: ["claude", "codex", "gemini"].map((kind) => anAdapter(kind)),
    ...parts,
  };
}

export interface TestApp extends App {
  /** Every command the page has sent, in order. */
  sent: Command[];
}

/** An app whose server answers each command as the test says; `done` where it says nothing. */
export function anApp(
  parts: Partial<State> = {},
  reply: (command: Command) => ReplyData | Error = done,
): TestApp {
  const sent: Command[] = [];
  const store = createStore(aState(parts));
  const socket = {
    request(command: Command) {
      sent.push(command);
      const data = reply(command);
      return data instanceof Error ? Promise.reject(data) : Promise.resolve(data);
    },
    watch: () => () => undefined,
  };
  sendOutbox(store, socket);
  return { store, verbs: createVerbs(store, socket), sent };
}

function done(): ReplyData {
  return { type: "done" };
}

/** The parts of a whole that a test names, to be compared as they are: nothing more in any of them, and nothing less. */
export function sameParts<Whole extends object>(whole: Whole, named: Partial<Whole>): Partial<Whole> {
  const names = Object.keys(named) as (keyof Whole)[];
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Partial<Whole>;
}
