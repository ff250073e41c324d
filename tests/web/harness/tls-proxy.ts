/* What Tailscale or a tunnel does: takes encrypted connections and hands on what is in them to a server that does not encrypt. */
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer, type Server as TlsServer } from "node:tls";

export class TlsProxy {
  private readonly open = new Set<Socket>();

  private constructor(
    private readonly server: TlsServer,
    /** Where the page is, without a slash at the end. */
    readonly origin: string,
  ) {}

  static async before(serverOrigin: string, certificate: { cert: Buffer; key: Buffer }): Promise<TlsProxy> {
    const server = createServer({ ...certificate, ALPNProtocols: ["http/1.1"] });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy = new TlsProxy(server, `https://localhost:${(server.address() as AddressInfo).port}`);
    server.on("secureConnection", (phone) => {
      const behind = connect(Number(new URL(serverOrigin).port), "127.0.0.1");
      for (const socket of [phone, behind]) {
        proxy.open.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => proxy.open.delete(socket));
      }
      phone.pipe(behind).pipe(phone);
    });
    // A browser that does not like the certificate hangs up.
    server.on("tlsClientError", () => undefined);
    return proxy;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    this.server.close();
    await once(this.server, "close");
  }
}
