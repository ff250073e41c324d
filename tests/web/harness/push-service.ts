/*
 * A browser and its push service, as far as a server can tell: keys of the browser's own, an address on this machine, and every message
 * that was sent to it, checked as a real service does and decrypted by an implementation that is not ours.
 */
import {
  createECDH,
  createPublicKey,
  randomBytes,
  verify as verifySignature,
  type ECDH,
  type JsonWebKey,
} from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import ece from "http_ece";

/** A message as the browser gets it. */
export interface Pushed {
  headers: IncomingHttpHeaders;
  /** What it says, decrypted. */
  text: string;
  notification: {
    title: string;
    body: string;
    tag: string;
    navigate: string;
    silent: boolean;
    data: Record<string, string | boolean>;
    actions: { action: string }[];
  };
}

export class PushService {
  readonly received: Pushed[] = [];
  /** What the next messages are answered with; 201 after that. */
  readonly answers: { status: number; headers?: Record<string, string> }[] = [];
  /** How often something was sent, whatever was answered. */
  tries = 0;
  private readonly keys: ECDH = createECDH("prime256v1");
  private readonly auth = randomBytes(16);

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {
    this.keys.generateKeys();
  }

  static async start(): Promise<PushService> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const service = new PushService(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on("request", (request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        service.tries += 1;
        const { status, headers } = service.answers.shift() ?? { status: 201 };
        let problem = "";
        if (status === 201) {
          try {
            service.take(request.headers, Buffer.concat(parts));
          } catch (error) {
            problem = String(error);
          }
        }
        response.writeHead(problem === "" ? status : 400, headers).end(problem);
        if (problem !== "") console.error(`the push service refuses: ${problem}`);
      });
    });
    return service;
  }

  /** What a browser would say of itself. */
  get subscription() {
    return {
      endpoint: `${this.origin}/push/abc`,
      keys: { p256dh: this.keys.getPublicKey("base64url"), auth: this.auth.toString("base64url") },
    };
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(headers: IncomingHttpHeaders, body: Buffer): void {
    this.checkVapid(headers.authorization ?? "");
    if (headers["content-encoding"] !== "aes128gcm") throw new Error("no aes128gcm");
    if (!/^\d+$/.test(String(headers.ttl))) throw new Error("no TTL");
    if (!/^[\w-]{1,32}$/.test(String(headers.topic))) throw new Error("a topic that is none");
    if (body.length > 4096) throw new Error("too long");
    const options = { version: "aes128gcm", privateKey: this.keys, authSecret: this.auth } as const;
    const text = ece.decrypt(body, options).toString();
    this.received.push({ headers, text, ...(JSON.parse(text) as Pick<Pushed, "notification">) });
  }

  private checkVapid(authorization: string): void {
    const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    const [head = "", claims = "", signature = ""] = token.split(".");
    const point = Buffer.from(key, "base64url");
    const jwk: JsonWebKey = {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    };
    const publicKey = createPublicKey({ key: jwk, format: "jwk" });
    const signed = Buffer.from(`${head}.${claims}`);
    const form = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
    if (!verifySignature("sha256", signed, form, Buffer.from(signature, "base64url"))) {
      throw new Error("not signed by this key");
    }
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<
      string,
      unknown
    >;
    const now = Date.now() / 1000;
    if (aud !== this.origin) throw new Error(`for ${String(aud)}`);
    if (typeof exp !== "number" || exp < now || exp > now + 24 * 60 * 60)
      throw new Error(`until ${String(exp)}`);
    if (!/^(https:\/\/|mailto:).+\..+/.test(String(sub))) throw new Error(`nobody to ask: ${String(sub)}`);
  }
}
