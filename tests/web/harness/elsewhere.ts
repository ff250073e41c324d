/* Another web server on this machine, with a page that means no good. */
import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";

export class Elsewhere {
  /** The cookies that came with each request. */
  readonly cookies: string[] = [];

  private constructor(
    private readonly server: HttpServer,
    private readonly port: number,
  ) {}

  static async open(): Promise<Elsewhere> {
    const server = createServer((request, response) => {
      elsewhere.cookies.push(request.headers.cookie ?? "");
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>Win a prize</title><h1>Win a prize</h1>");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const elsewhere = new Elsewhere(server, (server.address() as AddressInfo).port);
    return elsewhere;
  }

  /** The page under a host name; under `localhost` a browser sends it the cookies of every other port as well. */
  at(host: "localhost" | "127.0.0.1"): string {
    return `http://${host}:${this.port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }
}
