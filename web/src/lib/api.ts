/* The HTTP exchanges outside the socket: who am I, pairing, and files that go with a message. */
import { kindOf } from "@/lib/attach-kinds";
import { RequestFailed } from "@/lib/request-failed";
import type { AttachedFile } from "@/wire/compose";
import type { PairReply, PairRequest, WhoAmI } from "@/wire/device";
import type { WireError } from "@/wire/protocol";
import type { SessionId } from "@/wire/session";

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

export function handOver(sessionId: SessionId, file: File): Promise<AttachedFile> {
  return exchange<AttachedFile>(`${filesOf(sessionId)}?name=${encodeURIComponent(file.name)}`, {
    method: "POST",
    headers: { "content-type": kindOf(file) ?? file.type },
    body: file,
  });
}

export function takeBack(sessionId: SessionId, id: string): Promise<unknown> {
  return fetch(addressOf(sessionId, id), { method: "DELETE", credentials: "same-origin" });
}

/** Where a file that was handed over can be looked at. */
export function addressOf(sessionId: SessionId, id: string): string {
  return `${filesOf(sessionId)}/${encodeURIComponent(id)}`;
}

function filesOf(sessionId: SessionId): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}/files`;
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
