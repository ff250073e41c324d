/* A WebSocket whose other end is the test. */
import type { ClientMessage, ServerMessage } from "@/wire/protocol";
import { PROTOCOL_VERSION } from "@/wire/version";

export class FakeWebSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: ClientMessage[] = [];
  closed = false;

  send(text: string) {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  close() {
    this.closed = true;
  }

  /** The server says something. */
  say(message: ServerMessage) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The server lets the page in. */
  welcome(epoch = "e1") {
    this.onopen?.();
    this.say({ type: "challenge", nonce: "n1" });
    this.say({ type: "welcome", protocol: PROTOCOL_VERSION, serverVersion: "1", epoch, deviceId: "d1" });
  }

  /** The connection goes. */
  drop(code = 1006) {
    this.onclose?.({ code });
  }
}
