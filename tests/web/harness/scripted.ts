/*
 * The page of the real binary on a line that the story plays itself: it says what a server would say, at the moment it chooses, and sees
 * every command. For what no agent can be made to do on time, and for what a server may say tomorrow.
 */
import type { BrowserContext, WebSocketRoute } from "@playwright/test";
import type { InteractivePrompt } from "../../../web/src/wire/prompt";
import type { ClientMessage, Command, Event, ReplyData, ServerMessage } from "../../../web/src/wire/protocol";
import type { AdapterInfo, Session } from "../../../web/src/wire/session";
import { PROTOCOL_VERSION } from "../../../web/src/wire/version";
import { Phone } from "./phone";
import type { Server } from "./server";

export class ScriptedLine {
  /** Every command the page has sent, oldest first. */
  readonly commands: Command[] = [];
  phone!: Phone;
  sessions: Session[] = [aSession()];
  prompts: InteractivePrompt[] = [];
  adapters: AdapterInfo[] = [CLAUDE];
  /** What each command is answered with; nothing at all where this gives nothing. */
  reply: (command: Command) => ReplyData | null = answerFor;
  private socket: WebSocketRoute | null = null;
  private seq = 1;
  private down = false;

  /** Opens the page in a browser that the server knows. */
  static async open(context: BrowserContext, server: Server, begin: Partial<ScriptedLine> = {}) {
    const line = Object.assign(new ScriptedLine(), begin);
    await Phone.pair(context, server, "My phone");
    const page = await context.newPage();
    await page.routeWebSocket(/\/ws$/, (socket) => line.take(socket));
    line.phone = new Phone(page, server);
    await page.goto(server.origin);
    await line.phone.isLive();
    return line;
  }

  tell(event: Event): void {
    this.say({ type: "event", seq: ++this.seq, event });
  }

  ask(prompt: InteractivePrompt): void {
    this.tell({ type: "prompt", prompt });
  }

  say(message: ServerMessage): void {
    this.socket?.send(JSON.stringify(message));
  }

  /** The tunnel: what is open breaks, and nothing new gets through. */
  async cut(): Promise<void> {
    this.down = true;
    await this.socket?.close({ code: 1006 + 2000 });
    this.socket = null;
  }

  restore(): void {
    this.down = false;
  }

  /** The commands of one kind. */
  sent<Kind extends Command["type"]>(type: Kind): Extract<Command, { type: Kind }>[] {
    return this.commands.filter((command) => command.type === type) as Extract<Command, { type: Kind }>[];
  }

  private take(socket: WebSocketRoute): void {
    if (this.down) {
      void socket.close({ code: 3006 });
      return;
    }
    this.socket = socket;
    socket.onMessage((text) => this.hear(JSON.parse(String(text)) as ClientMessage));
    this.say({ type: "challenge", nonce: "story" });
  }

  private hear(message: ClientMessage): void {
    if (message.type === "request") {
      this.commands.push(message.command);
      const data = this.reply(message.command);
      if (data) this.say({ type: "reply", id: message.id, result: { type: "ok", data } });
    } else if (message.type === "hello") {
      const protocol = PROTOCOL_VERSION;
      this.say({ type: "welcome", protocol, serverVersion: "story", epoch: "story", deviceId: "phone" });
      const prompts = this.prompts.map((prompt) => ({ prompt }));
      this.say({
        type: "snapshot",
        seq: this.seq,
        snapshot: { sessions: this.sessions, prompts, adapters: this.adapters },
      });
    }
  }
}

/** As the server tells of it. */
const CLAUDE: AdapterInfo = {
  kind: "claude",
  name: "Claude Code",
  shortName: "Claude",
  isAgent: true,
  mark: { icon: "M8 2v12M2.8 5l10.4 6M13.2 5L2.8 11", light: "#a3472a", dark: "#e2906f" },
  installed: true,
  modes: ["ask", "accept-edits", "plan", "bypass"],
  takesCommand: false,
  changesMode: true,
};

function answerFor(command: Command): ReplyData {
  return command.type === "messages"
    ? { type: "messages", messages: [], atStart: true, atEnd: true }
    : { type: "done" };
}

export function aSession(parts: Partial<Session> = {}): Session {
  const now = Date.now();
  return {
    id: "11111111-1111-4111-8111-111111111111",
    name: "shop-api",
    adapter: "claude",
    folder: "/home/me/shop-api",
    state: { type: "waiting" },
    stateSince: now,
    createdAt: now,
    lastLine: "",
    messageCount: 0,
    hasMessages: true,
    attachCommand: "answerback attach shop-api",
    mode: "ask",
    ...parts,
  };
}

let created = 0;

/** A permission as Claude Code asks for it; each is a little younger than the one before. */
export function aPermission(parts: Partial<InteractivePrompt> = {}): InteractivePrompt {
  created += 1;
  return {
    requestId: `22222222-2222-4222-8222-${String(created).padStart(12, "0")}`,
    type: "permission",
    title: "Bash command",
    description: "",
    toolName: "Bash",
    toolInput: { command: "cargo test" },
    options: [
      { value: "yes", label: "Yes", role: "allow" },
      { value: "always", label: "Yes, and don't ask again", role: "allow-always" },
      { value: "no", label: "No", role: "deny" },
    ],
    sessionId: aSession().id,
    adapter: "claude",
    confidence: "certain",
    createdAt: Date.now() - 60_000 + created,
    digest: `digest-${created}`,
    ...parts,
  };
}
