/* A server with a real CLI at hand, its model scripted: tests/src/bin/live-desk.rs, as long as the story lasts. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { binary } from "./server";

/** The real CLIs take their time to start; nothing waits this long when all is well. */
export const LIVE_LIMIT_MS = 90_000;

export class LiveDesk {
  private constructor(
    private readonly process: ChildProcess,
    private readonly said: string[],
    /** Where a phone is paired. */
    readonly pair: string,
    /** The folder the CLI works in. */
    readonly project: string,
  ) {}

  static async start(cli: string): Promise<LiveDesk> {
    const child = spawn(binary("live-desk"), [cli], {
      env: { ...process.env, ANSWERBACK_BINARY: binary("answerback") },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const said: string[] = [];
    child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()));
    const lines = createInterface({ input: child.stdout });
    const [line] = (await Promise.race([
      once(lines, "line", { signal: AbortSignal.timeout(LIVE_LIMIT_MS) }),
      once(child, "exit").then(() => Promise.reject(new Error(`the desk ended at once: ${said.join("")}`))),
    ])) as [string];
    const { pair, project } = JSON.parse(line) as { pair: string; project: string };
    return new LiveDesk(child, said, pair, project);
  }

  /** Takes everything away, and returns what could be seen last. */
  async close(): Promise<string> {
    const ended = once(this.process, "close", { signal: AbortSignal.timeout(LIVE_LIMIT_MS) });
    this.process.stdin?.end();
    await ended;
    return this.said.join("");
  }
}
