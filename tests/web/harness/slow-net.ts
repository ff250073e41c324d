/*
 * A slow mobile network between the phone and the server, with the figures of what Lighthouse calls slow 4G. It stands in
 * front of the server, so that it slows down whatever the browser does: the socket and the service worker as well.
 */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server as NetServer, type Socket } from "node:net";

const ROUND_TRIP_MS = 150;
const DOWN_BYTES_PER_MS = 1_638_400 / 8 / 1000;
const UP_BYTES_PER_MS = 768_000 / 8 / 1000;
/** What is handed over at once: small enough that two downloads share the line. */
const PIECE = 4096;

export class SlowNet {
  private readonly open = new Set<Socket>();

  private constructor(
    private readonly net: NetServer,
    readonly origin: string,
  ) {}

  /** The way to a server; its page is at `origin` as well, under another port. */
  static async before(serverOrigin: string): Promise<SlowNet> {
    const net = createServer();
    net.listen(0, "127.0.0.1");
    await once(net, "listening");
    const { port } = net.address() as AddressInfo;
    const slow = new SlowNet(net, `http://localhost:${port}`);
    const down = line(DOWN_BYTES_PER_MS);
    const up = line(UP_BYTES_PER_MS);
    net.on("connection", (phone) => {
      const server = connect(Number(new URL(serverOrigin).port), "127.0.0.1");
      // To connect takes a round trip, which here is none: the first words take it instead.
      slow.carry(phone, server, up, ROUND_TRIP_MS);
      slow.carry(server, phone, down, 0);
    });
    return slow;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    this.net.close();
    await once(this.net, "close");
  }

  private carry(from: Socket, to: Socket, send: (bytes: number) => number, extra: number): void {
    this.open.add(from);
    let free = Date.now() + extra;
    const after = (bytes: number, act: () => void) => {
      // In order: what was said later never arrives earlier.
      free = Math.max(free, send(bytes) + ROUND_TRIP_MS / 2);
      setTimeout(act, free - Date.now());
    };
    from.on("data", (data: Buffer) => {
      for (let at = 0; at < data.length; at += PIECE) {
        const piece = data.subarray(at, at + PIECE);
        after(piece.length, () => to.destroyed || to.write(piece));
      }
    });
    from.on("end", () => after(0, () => to.end()));
    from.on("error", () => to.destroy());
    from.on("close", () => this.open.delete(from));
  }
}

/** One direction of the line, shared by all connections: says when so many more bytes are through. */
function line(bytesPerMs: number): (bytes: number) => number {
  let free = 0;
  return (bytes) => (free = Math.max(free, Date.now()) + bytes / bytesPerMs);
}
