/*
 * The idempotency key of something that must happen once: the same as long as the same is asked for and nobody knows what became of it,
 * another one after a clear answer.
 */
import { RequestFailed } from "@/lib/request-failed";
import { freshUuid } from "@/lib/uuid";

export interface RequestKeys {
  keyFor: (request: unknown) => string;
  /** What became of it: a reply lost on the way settles nothing. */
  settled: (failure: unknown) => void;
}

export function createRequestKeys(): RequestKeys {
  let last: { of: string; key: string } | null = null;
  return {
    keyFor(request) {
      const of = JSON.stringify(request);
      if (last?.of !== of) last = { of, key: freshUuid() };
      return last.key;
    },
    settled(failure) {
      if (!(failure instanceof RequestFailed && failure.unsure)) last = null;
    },
  };
}
