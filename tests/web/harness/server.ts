/*
 * The real binary, started with a home, a data folder and a tmux server of its own, and taken away without a trace.
 * The same as tests/src/server.rs does for the stories at the socket.
 */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { PairingOffer } from "../../../web/src/wire/device";

const run = promisify(execFile);

const ROOT = resolve(import.meta.dirname, "../../..");

/** A program of this build. */
export function binary(name: string): string {
  return join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "debug", name);
}

/** The server: this build, or an installed one. */
const BINARY = process.env.ANSWERBACK_BINARY ?? binary("answerback");

/** How long the server may take to answer, or to end: many times what it needs. */
const LIMIT_MS = 30_000;

export class Server {
  /** A folder of the story's own. */
  readonly home = mkdtempSync(join(tmpdir(), "ab-web-"));
  /** Where the page is, without a slash at the end. */
  origin = "";
  private readonly tmuxName = `ab-web-${randomUUID()}`;
  private process: ChildProcess | null = null;
  private personsHome = this.home;

  private constructor(private readonly flags: string[]) {}

  static async start(flags: string[] = []): Promise<Server> {
    const server = new Server(flags);
    mkdirSync(temporaryIn(server.home));
    await server.launch();
    return server;
  }

  /** Starts it, or starts it again: then at the same address, because a page is open there. */
  async launch(): Promise<void> {
    if (this.process) throw new Error("it runs already");
    const port = this.origin === "" ? "0" : new URL(this.origin).port;
    const log = openSync(this.logFile, "a");
    const child = spawn(BINARY, ["serve", "--port", port, ...this.flags], {
      ...this.surroundings,
      stdio: ["ignore", "ignore", log],
    });
    closeSync(log);
    this.process = child;
    let failure: Error | null = null;
    child.once("error", (error) => (failure = error));
    const ends = Date.now() + LIMIT_MS;
    for (;;) {
      // Answering this command is what being up means; there is nothing else to wait for.
      const offer = await this.offer().catch(() => null);
      if (offer) {
        this.origin = originIn(offer);
        return;
      }
      if (failure) throw failure;
      if (child.exitCode !== null) throw new Error(`the server ended at once: ${this.log()}`);
      if (Date.now() > ends) throw new Error(`the server does not answer: ${this.log()}`);
    }
  }

  /** Starts it again for a person whose home is this folder; what it keeps stays where it is. */
  async moveTo(folder: string): Promise<void> {
    await this.stop();
    this.personsHome = folder;
    await this.launch();
  }

  /** Stops the server as a person would; what it started runs on. */
  async stop(): Promise<void> {
    await this.end("SIGTERM");
  }

  /** Kills the server with no chance to do anything. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** The certificate of its own making, and the key to it. */
  certificate(): { cert: Buffer; key: Buffer } {
    const read = (name: string) => readFileSync(join(this.home, "data", name));
    return { cert: read("tls-cert.pem"), key: read("tls-key.pem") };
  }

  /** A new pairing code, from the command a person would use. */
  async offer(): Promise<PairingOffer> {
    return JSON.parse(await this.command("pair", "--json")) as PairingOffer;
  }

  /** What one of the binary's commands prints for this server. */
  async command(...args: string[]): Promise<string> {
    return (await run(BINARY, args, { ...this.surroundings, timeout: LIMIT_MS })).stdout;
  }

  /** Runs a command of the private tmux server, as somebody at the desk would. */
  async tmux(...args: string[]): Promise<string> {
    return await this.command("tmux", ...args);
  }

  /** Presses keys in the only session there is, as somebody at the desk does: tmux's names of keys, or text. */
  async pressAtDesk(...keys: string[]): Promise<void> {
    const names = (await this.tmux("list-sessions", "-F", "#{session_name}")).trim().split("\n");
    const [session, ...others] = names.filter((name) => name.startsWith("ab-"));
    if (session === undefined || others.length > 0) throw new Error(`not one session: ${names.join(" ")}`);
    await this.tmux("send-keys", "-t", `=${session}:`, ...keys);
  }

  /** Holds whatever the demo agent says when so many percent of it are out. It says everything at once otherwise. */
  holdSpeechAt(percent: number): void {
    writeFileSync(this.gateFile, String(percent));
  }

  /** What every session's terminal shows now, for a failure's report. */
  async screens(): Promise<string> {
    const listed = await this.tmux(
      "list-panes",
      "-a",
      "-F",
      "#{pane_id} #{session_name} #{pane_current_command}",
    );
    const panes = [
      ...new Map(
        listed
          .trim()
          .split("\n")
          .map((line) => [line.split(" ")[0] ?? "", line]),
      ),
    ];
    const shown = panes.map(
      async ([id, line]) => `== ${line}\n${await this.tmux("capture-pane", "-p", "-t", id)}`,
    );
    return (await Promise.all(shown)).join("\n");
  }

  /** What the server wrote to its log. */
  log(): string {
    return readFileSync(this.logFile, "utf8");
  }

  /** Takes away the server and everything it started. */
  async close(): Promise<void> {
    // Not killed: a program that it just looked at, or a tmux server that it is just starting, would stay.
    if (this.process) await this.stop();
    // There may be none: then there is nothing to take away.
    await this.tmux("kill-server").catch(() => "");
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  private async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.process;
    if (!child) throw new Error("it does not run");
    this.process = null;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit", { signal: AbortSignal.timeout(LIMIT_MS) });
    child.kill(signal);
    await ended;
  }

  private get gateFile(): string {
    return join(this.home, "gate");
  }

  private get logFile(): string {
    return join(this.home, "server.log");
  }

  /** Nothing of our own surroundings gets in: stories behave the same everywhere. */
  private get surroundings() {
    const env = {
      // Programs that a story puts into its own home come first.
      PATH: `${join(this.home, "bin")}:${process.env.PATH ?? ""}`,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      // What programs put there goes with the folder.
      TMPDIR: temporaryIn(this.home),
      TMUX_TMPDIR: this.home,
      SHELL: "/bin/sh",
      HOME: this.personsHome,
      ANSWERBACK_DATA_DIR: join(this.home, "data"),
      ANSWERBACK_TMUX: this.tmuxName,
      ANSWERBACK_DEMO_PACE: "0",
      ANSWERBACK_DEMO_GATE: this.gateFile,
      ANSWERBACK_LOG: "info",
    };
    return { cwd: this.home, env };
  }
}

function temporaryIn(home: string): string {
  return join(home, "tmp");
}

function originIn({ urls }: PairingOffer): string {
  const local = urls.find((url) => url.includes("localhost"));
  if (!local) throw new Error(`no local address among ${urls.join(" ")}`);
  return new URL(local).origin;
}
