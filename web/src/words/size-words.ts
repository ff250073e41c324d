/* How long an earlier conversation is, in words. Pure. */
import type { ConversationInfo } from "@/wire/session";

export function sizeWords({ messages, size }: Pick<ConversationInfo, "messages" | "size">): string {
  if (messages !== undefined) return messages === 1 ? "1 message" : `${messages} messages`;
  return size < 1e6 ? `${Math.ceil(size / 1000)} kB` : `${(size / 1e6).toFixed(1)} MB`;
}
