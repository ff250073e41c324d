/* Why a request did not succeed: the server's own refusal, or the way to the server. */
import type { ErrorCode, WireError } from "@/wire/protocol";

/** `timeout`: no reply in time. `disconnected`: the connection went before the reply. `not-sent`: there was none to begin with. */
export type FailureCode = ErrorCode | "timeout" | "disconnected" | "not-sent";

export class RequestFailed extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
  ) {
    super(message);
    this.name = "RequestFailed";
  }

  static refused(error: WireError): RequestFailed {
    return new RequestFailed(error.code, error.message);
  }

  /** True when nobody knows whether the server took it: the same idempotency key may be sent again. */
  get unsure(): boolean {
    return this.code === "timeout" || this.code === "disconnected";
  }
}

/** What to show for anything that was thrown on the way to the server. */
export function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
