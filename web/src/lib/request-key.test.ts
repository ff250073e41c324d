import { expect, test } from "vitest";
import { RequestFailed } from "@/lib/request-failed";
import { createRequestKeys } from "@/lib/request-key";

test("a request whose reply was lost is made again with the same key", () => {
  const keys = createRequestKeys();
  const first = keys.keyFor({ folder: "~" });
  keys.settled(new RequestFailed("timeout", ""));
  expect(keys.keyFor({ folder: "~" })).toBe(first);
  expect(keys.keyFor({ folder: "/srv" })).not.toBe(first);
});

test("after a clear answer it is another request", () => {
  const keys = createRequestKeys();
  const first = keys.keyFor({ folder: "~" });
  keys.settled(new RequestFailed("bad-folder", ""));
  expect(keys.keyFor({ folder: "~" })).not.toBe(first);
});
