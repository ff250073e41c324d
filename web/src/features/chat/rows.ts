/*
 * The lines of the list: each message one, and what an agent does that was set to work folded into one below the call
 * that set it to work, at any depth. Pure.
 */
import type { Message } from "@/wire/message";
import type { Review } from "@/wire/session";

export type Row = MessageRow | AgentRow | ReviewRow;

export interface MessageRow {
  type: "message";
  key: string;
  message: Message;
  /** How many agents deep. */
  depth: number;
}

/** Stands for all that an agent does. */
export interface AgentRow {
  type: "agent";
  key: string;
  agent: string;
  /** What kind of agent it is, where its call tells. */
  name: string | undefined;
  /** What it did last. */
  last: Message;
  steps: number;
  open: boolean;
  depth: number;
}

/** Stands where something was handed to another session for review, or came from one. */
export interface ReviewRow {
  type: "review";
  key: string;
  review: Review;
  /** The message before it. */
  last: Message;
  depth: 0;
}

/** Puts reviews where they were asked for: behind what was said until then, as far as that is loaded. */
export function withReviews(rows: Row[], reviews: Review[], atStart: boolean): Row[] {
  const result = [...rows];
  for (const review of reviews.toSorted((one, other) => one.createdAt - other.createdAt)) {
    const before = result.findLastIndex((row) => isTopLevel(row) && startOf(row) <= review.createdAt);
    // Behind an unfolded agent, not among its steps.
    let at = before + 1;
    while (at < result.length && (result[at]?.depth ?? 0) > 0) at++;
    const neighbour = result[Math.max(0, before)];
    if (!neighbour || (before < 0 && !atStart)) continue;
    const last = neighbour.type === "message" ? neighbour.message : neighbour.last;
    result.splice(at, 0, { type: "review", key: `review ${review.id}`, review, last, depth: 0 });
  }
  return result;
}

function isTopLevel(row: Row): boolean {
  return row.depth === 0;
}

function startOf(row: Row): number {
  if (row.type === "review") return row.review.createdAt;
  return row.type === "message" ? row.message.at : row.last.at;
}

/** `open`: the agents that are unfolded. */
export function rowsOf(messages: Message[], open: ReadonlySet<string>): Row[] {
  const steps = stepsOfAgents(messages);
  // A conversation without agents, that is nearly every one, needs no more.
  if (steps.size === 0) return messages.map((message) => messageRow(message, 0));
  const called = new Set(messages.filter((message) => agentOf(message) !== message.agent).map(agentOf));
  const rows: Row[] = [];
  const placed = new Set<string>();

  function place(message: Message, depth: number) {
    rows.push(messageRow(message, depth));
    const agent = agentOf(message);
    if (agent !== undefined) placeAgent(agent, nameOf(message), depth + 1);
  }

  function placeAgent(agent: string, name: string | undefined, depth: number) {
    const own = steps.get(agent);
    const last = own?.at(-1);
    if (!own || !last || placed.has(agent)) return;
    placed.add(agent);
    const isOpen = open.has(agent);
    rows.push({
      type: "agent",
      key: `agent ${agent}`,
      agent,
      name,
      last,
      steps: own.length,
      open: isOpen,
      depth,
    });
    for (const message of isOpen ? own : []) place(message, depth);
  }

  for (const message of messages) {
    if (message.agent === undefined) place(message, 0);
    // Its call has not said its name yet, or is not loaded: then it stands where it began.
    else if (!called.has(message.agent)) placeAgent(message.agent, undefined, 1);
  }
  return rows;
}

/** The agents that have to be unfolded so that a message can be seen. */
export function agentsAbove(messages: Message[], id: string): string[] {
  const agent = messages.find((message) => message.id === id)?.agent;
  if (agent === undefined) return [];
  const call = messages.find((message) => agentOf(message) === agent && message.agent !== agent);
  return [agent, ...(call ? agentsAbove(messages, call.id) : [])];
}

function messageRow(message: Message, depth: number): MessageRow {
  return { type: "message", key: message.id, message, depth };
}

function stepsOfAgents(messages: Message[]): Map<string, Message[]> {
  const steps = new Map<string, Message[]>();
  for (const message of messages) {
    if (message.agent === undefined) continue;
    const own = steps.get(message.agent);
    if (own) own.push(message);
    else steps.set(message.agent, [message]);
  }
  return steps;
}

/** The agent that a message set to work. */
function agentOf({ body }: Message): string | undefined {
  return body.type === "tool" ? body.result?.agent : undefined;
}

function nameOf({ body }: Message): string | undefined {
  return body.type === "tool" && body.purpose?.type === "agent" ? body.purpose.agent : undefined;
}
