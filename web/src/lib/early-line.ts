/*
 * Opens the line to the server while the rest of the page is still on its way: this file is a script of its own in the
 * document, and on a phone's network its round trips take as long as loading the page does. Whoever asks for a line later gets
 * this one first, with what the server has said meanwhile.
 */
import type { ClientMessage } from "@/wire/protocol";
import { PROTOCOL_VERSION } from "@/wire/version";

export interface Line {
  socket: WebSocket;
  /** What the server said before anybody listened, oldest first. */
  heard: string[];
}

let early: Line | null = null;

/** The early line when it is still good and nobody has it, else a new one. */
export function openLine(): Line {
  const line = hasEarlyLine() ? early : null;
  early = null;
  return line ?? connected();
}

/** False when the server has refused it: then this device may not be paired. */
export function hasEarlyLine(): boolean {
  return early !== null && early.socket.readyState <= WebSocket.OPEN;
}

function connected(): Line {
  return { socket: new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws`), heard: [] };
}

function openEarly() {
  const line = connected();
  const { socket, heard } = line;
  const hello: ClientMessage = { type: "hello", protocol: PROTOCOL_VERSION };
  socket.onopen = () => socket.send(JSON.stringify(hello));
  socket.onmessage = (event) => heard.push(String(event.data));
  early = line;
}

openEarly();
