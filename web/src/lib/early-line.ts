/*
 * Opens the line to the server while the rest of the page is still on its way: this file is a script of its own in the
 * document, and on a phone's network its round trips take as long as loading the page does. Whoever asks for a line later gets
 * this one first, with what the server has said meanwhile.
 */
import { hasKey, socketProof } from "@/lib/credential";
import type { ClientMessage, ServerMessage } from "@/wire/protocol";
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

/** False when there is no key, or the server has refused it: then this device may not be paired. */
export function hasEarlyLine(): boolean {
  return early !== null && early.socket.readyState <= WebSocket.OPEN;
}

function connected(): Line {
  return { socket: new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws`), heard: [] };
}

function openEarly() {
  const line = connected();
  const { socket, heard } = line;
  socket.onmessage = (event) => {
    const text = String(event.data);
    const nonce = heard.length === 0 ? nonceIn(text) : null;
    if (nonce === null) {
      heard.push(text);
      return;
    }
    const proof = socketProof(nonce);
    const hello: ClientMessage = {
      type: "hello",
      protocol: PROTOCOL_VERSION,
      ...(proof !== null && { proof }),
    };
    socket.send(JSON.stringify(hello));
  };
  early = line;
}

/** The server's first word is a challenge; nobody else has to hear of it. */
function nonceIn(text: string): string | null {
  const message = JSON.parse(text) as ServerMessage;
  return message.type === "challenge" ? message.nonce : null;
}

// Without a key this device is not paired, and the server would hang up.
if (hasKey()) openEarly();
