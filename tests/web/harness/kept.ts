/* Conversations that Claude has kept in files of its own, and a program under its name that goes on with any of them. */
import { chmodSync, mkdirSync, openSync, closeSync, writeSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "./server";

/** A line of Claude's file. */
export type Line = Record<string, unknown>;

/** Puts the program in its place; it does nothing but wait. */
export async function installClaude(server: Server): Promise<void> {
  mkdirSync(join(server.home, "bin"), { recursive: true });
  const program = join(server.home, "bin/claude");
  writeFileSync(program, `#!/bin/bash\nif [ "$1" = --version ]; then echo 99.0.0; exit; fi\nread -r _\n`);
  chmodSync(program, 0o755);
  // Which agents are installed is looked up at the start.
  await server.stop();
  await server.launch();
}

/** Writes a conversation of the story's folder, as long as it may be. */
export function keepConversation(server: Server, id: string, lines: Iterable<Line>): void {
  const folder = join(server.home, ".claude/projects", server.home.replaceAll(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, `${id}.jsonl`), "w");
  for (const line of lines) {
    writeSync(file, `${JSON.stringify({ cwd: server.home, sessionId: id, isSidechain: false, ...line })}\n`);
  }
  closeSync(file);
}

let clock = Date.parse("2026-11-01T08:00:00Z");
const moment = () => new Date((clock += 1000)).toISOString();

export function said(uuid: string, text: string): Line {
  return { type: "user", uuid, timestamp: moment(), message: { role: "user", content: text } };
}

export function answered(uuid: string, ...content: unknown[]): Line {
  const blocks = content.map((block) => (typeof block === "string" ? { type: "text", text: block } : block));
  return {
    type: "assistant",
    uuid,
    timestamp: moment(),
    message: { role: "assistant", model: "m", content: blocks },
  };
}

export function used(id: string, name: string, input: unknown): unknown {
  return { type: "tool_use", id, name, input };
}

export function came(uuid: string, toolUseId: string, content: unknown, toolUseResult?: unknown): Line {
  return result(uuid, { tool_use_id: toolUseId, content }, toolUseResult);
}

export function failed(uuid: string, toolUseId: string, content: unknown): Line {
  return result(uuid, { tool_use_id: toolUseId, content, is_error: true });
}

function result(uuid: string, block: Line, toolUseResult?: unknown): Line {
  const content = [{ type: "tool_result", ...block }];
  return { type: "user", uuid, timestamp: moment(), message: { role: "user", content }, toolUseResult };
}
