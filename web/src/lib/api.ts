/* The HTTP exchanges outside the socket: who am I, pairing, files that go with a message, and pictures. */
import { kindOf } from "@/lib/attach-kinds";
import { hasKey, keepKey, PROOF_HEADER, requestProof } from "@/lib/credential";
import { RequestFailed } from "@/lib/request-failed";
import type { AttachedFile } from "@/wire/compose";
import type { PairReply, PairRequest, WhoAmI } from "@/wire/device";
import type { WireError } from "@/wire/protocol";
import type { SessionId } from "@/wire/session";

/** Whether it is worth to open the socket: this device has both halves of a credential. */
export async function isPaired(): Promise<boolean> {
  if (!hasKey()) return false;
  const { standing } = await whoAmI();
  return standing === "cookie-only" || standing === "paired";
}

/** Whether the server knows this device's cookie, so that it was paired before. */
export async function wasPaired(): Promise<boolean> {
  return (await whoAmI()).standing !== "not-paired";
}

function whoAmI(): Promise<WhoAmI> {
  return exchange<WhoAmI>("/api/me", {});
}

/** Pairs this device, and keeps its key. */
export async function pair(request: PairRequest): Promise<void> {
  const { key } = await exchange<PairReply>("/api/pair", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!keepKey(key)) {
    throw new RequestFailed("internal", "This browser keeps nothing for the page. Is this a private window?");
  }
}

export function handOver(sessionId: SessionId, file: File): Promise<AttachedFile> {
  return exchange<AttachedFile>(`${filesOf(sessionId)}?name=${encodeURIComponent(file.name)}`, {
    method: "POST",
    headers: { "content-type": kindOf(file) ?? file.type },
    body: file,
  });
}

export function takeBack(sessionId: SessionId, id: string): Promise<unknown> {
  return signed(addressOf(sessionId, id), { method: "DELETE" });
}

/** A picture that only a paired device may see. It never changes, so the browser's own copy will do. */
export async function fetchPicture(address: string, signal: AbortSignal): Promise<Blob> {
  const response = await signed(address, { signal, cache: "default" });
  if (!response.ok) throw RequestFailed.refused(await errorOf(response));
  return response.blob();
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
    response = await signed(path, init);
  } catch {
    throw new RequestFailed("disconnected", "The server cannot be reached.");
  }
  if (response.ok) return (await response.json()) as Reply;
  throw RequestFailed.refused(await errorOf(response));
}

/** A request with the proof of this device's key. */
function signed(path: string, init: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(path, location.origin);
  const proof = requestProof(init.method ?? "GET", pathname + search);
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(proof !== null && { [PROOF_HEADER]: proof }),
  };
  return fetch(path, { credentials: "same-origin", cache: "no-store", ...init, headers });
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
