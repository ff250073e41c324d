/* A phone in somebody's hand: the page, and what a person does with it, by touch and in the words on the screen. */
import { expect, type BrowserContext, type Locator, type Page } from "@playwright/test";
import type { PairReply } from "../../../web/src/wire/device";
import type { InteractivePrompt } from "../../../web/src/wire/prompt";
import type { ServerMessage } from "../../../web/src/wire/protocol";
import type { Server } from "./server";

/** Where the page keeps its key. */
const KEY = "answerback.key";

type Credential = Awaited<ReturnType<BrowserContext["storageState"]>>;

export class Phone {
  /** Every frame the page was sent, oldest first. */
  readonly told: ServerMessage[] = [];

  constructor(
    readonly page: Page,
    private readonly server: Pick<Server, "home">,
  ) {
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) =>
        this.told.push(JSON.parse(String(payload)) as ServerMessage),
      );
    });
  }

  /** Pairs the browser behind the page's back, for stories that begin later. */
  static async pair(context: BrowserContext, server: Server, name: string): Promise<void> {
    const { code } = await server.offer();
    const reply = await context.request.post(`${server.origin}/api/pair`, {
      headers: { origin: server.origin },
      data: { code, name },
    });
    expect(reply.status()).toBe(200);
    const { key } = (await reply.json()) as PairReply;
    // The key is for the page's own storage: anything of its origin will do to put it there.
    const page = await context.newPage();
    await page.goto(`${server.origin}/icon.svg`);
    const kept = { name: KEY, value: JSON.stringify(key) };
    await page.evaluate(({ name, value }) => localStorage.setItem(name, value), kept);
    await page.close();
  }

  /** Pairs it and opens the page. */
  static async paired(context: BrowserContext, server: Server, name: string): Promise<Phone> {
    await Phone.pair(context, server, name);
    const phone = new Phone(await context.newPage(), server);
    await phone.page.goto(server.origin);
    await phone.isLive();
    return phone;
  }

  /** What makes another browser this device, at an address of the server's: its cookie and its key, and nothing else it has kept. */
  async credential(origin: string): Promise<Credential> {
    const value = await this.page.evaluate((name) => localStorage.getItem(name) ?? "", KEY);
    const cookies = await this.page.context().cookies();
    return { cookies, origins: [{ origin, localStorage: [{ name: KEY, value }] }] };
  }

  async isLive(): Promise<void> {
    await expect(this.status("live")).toBeVisible();
  }

  /** Starts the demo agent as a newcomer does, and waits until it takes messages. */
  async startDemo(): Promise<void> {
    await this.start({ agent: "Demo agent" });
    await this.isReady();
  }

  async start({ agent, folder = this.server.home, command, name }: NewSession): Promise<void> {
    await this.button("New session").tap();
    await this.page.getByRole("radio", { name: agent }).tap();
    if (command !== undefined) await this.page.getByRole("textbox", { name: "Command" }).fill(command);
    await this.page.getByRole("textbox", { name: "Folder" }).fill(folder);
    if (name !== undefined) await this.page.getByRole("textbox", { name: "Name (optional)" }).fill(name);
    await this.button("Start").tap();
  }

  /** Says something in the chat that is open. */
  async say(text: string): Promise<void> {
    await this.composer.tap();
    await this.composer.fill(text);
    await this.button("Send").tap();
    await expect(this.composer).toHaveValue("");
  }

  /** Has the demo agent ask, and waits for the sheet. */
  async ask(word: string, title: string): Promise<Locator> {
    await this.say(word);
    return this.sheetIs(title);
  }

  /** Waits for the sheet of a prompt. */
  async sheetIs(title: string): Promise<Locator> {
    const sheet = this.page.getByRole("alertdialog", { name: title });
    await expect(sheet).toBeVisible();
    return sheet;
  }

  /** Waits until the agent has said what it understood, and makes sure that it understood nothing else. */
  async understood(what: string): Promise<void> {
    const understood = this.chat.getByText(/^Understood: /);
    // The chat shows what stands between backticks as code, without them.
    await expect(understood).toHaveText(`Understood: ${what.replaceAll("`", "")}`);
    await expect(this.sheet).toBeHidden();
    // Whatever was typed too much would come before the answer to this.
    await this.say("anything else?");
    await expect(this.chat.getByText("You said: anything else?")).toBeVisible();
    await expect(understood).toHaveCount(1);
  }

  async isReady(within?: { timeout: number }): Promise<void> {
    // How full its context is may follow.
    await expect(this.page.locator(".chat-bar").getByText(/^ready( ·|$)/)).toBeVisible(within);
  }

  async goHome(): Promise<void> {
    await this.page.getByRole("link", { name: "Back" }).tap();
    await expect(this.page.getByRole("heading", { name: "Answerback" })).toBeVisible();
  }

  /** Opens the only session on the list. */
  async openSession(): Promise<void> {
    await this.page.locator("a[data-session]").first().tap();
  }

  /**
   * The second of two taps. One that comes too soon belongs to the first; so it is given until it is taken, and the words that asked for
   * it are gone.
   */
  async secondTap(button: Locator): Promise<void> {
    await expect(async () => {
      if (await button.isVisible()) await button.tap({ timeout: 1_000 });
      await expect(button).toBeHidden({ timeout: 200 });
    }).toPass({ timeout: 15_000 });
  }

  /** Opens the menu of an answer. */
  async openMessageMenu(answer: Locator): Promise<void> {
    await answer.getByRole("button", { name: "Message menu" }).tap();
  }

  /** A tap beside the sheet, on what it covers. */
  async tapOutside(): Promise<void> {
    await this.page.touchscreen.tap(20, 10);
    await expect(this.sheet).toBeHidden();
  }

  /** The prompts as the page was told of them: what never shows on the screen, the id above all. */
  prompts(): InteractivePrompt[] {
    return this.told.flatMap((message) => {
      if (message.type === "snapshot") return message.snapshot.prompts.map(({ prompt }) => prompt);
      return message.type === "event" && message.event.type === "prompt" ? [message.event.prompt] : [];
    });
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** An option of the sheet; exact, because one label is often the beginning of the next. */
  option(label: string): Locator {
    return this.sheet.getByRole("button", { name: label, exact: true });
  }

  checkbox(label: string): Locator {
    return this.sheet.getByRole("checkbox", { name: label });
  }

  radio(label: string): Locator {
    return this.sheet.getByRole("radio", { name: label });
  }

  get answerField(): Locator {
    return this.sheet.getByRole("textbox", { name: "Your answer" });
  }

  /** One of the lines that are read out as they change. */
  status(words: string | RegExp): Locator {
    return this.page.getByRole("status").filter({ hasText: words });
  }

  get alert(): Locator {
    return this.page.getByRole("alert");
  }

  get composer(): Locator {
    return this.page.getByRole("textbox", { name: "Message" });
  }

  get chat(): Locator {
    return this.page.getByRole("log", { name: "Conversation" });
  }

  /** The message that is still being written. */
  get streaming(): Locator {
    return this.chat.locator(".message--streaming");
  }

  /** The terminal as it is now. */
  get screen(): Locator {
    return this.page.getByRole("region", { name: "Terminal screen" });
  }

  get sheet(): Locator {
    return this.page.getByRole("alertdialog");
  }

  /** The inbox card of a prompt. */
  card(title: string): Locator {
    return this.page.getByRole("region", { name: "Needs you" }).getByRole("article", { name: title });
  }
}

interface NewSession {
  agent: string;
  folder?: string;
  command?: string;
  name?: string;
}
