/*
 * The second half of this device's credential. Browsers send the cookie to every port of a host; this key stays in the storage of
 * the page's own origin and is only ever proved: on the socket over the server's nonce, and with every request under /api.
 *
 * The proof is HMAC-SHA-256 in plain JavaScript, because the browser's own is missing on plain http pages.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { recall, remember } from "@/lib/storage";

/** The header of a request that carries its proof. */
export const PROOF_HEADER = "answerback-proof";

const KEY = "key";

/** The run of the server that requests are proved for: known once it has let this device in. */
let run: string | null = null;

export function hasKey(): boolean {
  return key() !== null;
}

/** Keeps the key that pairing gave. False when this browser keeps nothing for the page. */
export function keepKey(given: string): boolean {
  remember(KEY, given);
  return key() === given;
}

export function provesFor(epoch: string): void {
  run = epoch;
}

/** What hello says to the nonce of the challenge; nothing without a key. */
export function socketProof(nonce: string): string | null {
  return proof(`socket ${nonce}`);
}

/** What a request says; nothing without a key, or before the server has let this device in. */
export function requestProof(method: string, path: string): string | null {
  return run === null ? null : proof(`request ${run} ${method} ${path}`);
}

function proof(message: string): string | null {
  const known = key();
  return known === null ? null : bytesToHex(hmac(sha256, utf8ToBytes(known), utf8ToBytes(message)));
}

function key(): string | null {
  return recall<string | null>(KEY, null);
}
