/* The two HTTP exchanges outside the socket: who am I, and pairing. */
import { RequestFailed } from "@/lib/request-failed";
import type { PairReply, PairRequest, WhoAmI } from "@/wire/device";
import type { WireError } from "@/wire/protocol";

export function whoAmI(): Promise<WhoAmI> {
  return exchange<WhoAmI>("/api/me", {});
}

export function pair(request: PairRequest): Promise<PairReply> {
  return exchange<PairReply>("/api/pair", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
}

async function exchange<Reply>(path: string, init: RequestInit): Promise<Reply> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...init });
  } catch {
    throw new RequestFailed("disconnected", "The server cannot be reached.");
  }
  if (response.ok) return (await response.json()) as Reply;
  throw RequestFailed.refused(await errorOf(response));
}

async function errorOf(response: Response): Promise<WireError> {
  const fallback: WireError = { code: "internal", message: `The server answered ${response.status}.` };
  try {
    const body = (await response.json()) as Partial<WireError>;
    return body.code && body.message ? { code: body.code, message: body.message } : fallback;
  } catch {
    return fallback;
  }
}
