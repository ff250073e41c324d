/* Which files can go with a message, and how that is said. Pure. */
import { ATTACH_KINDS, ATTACH_LIMIT } from "@/wire/limits";

/** Said before a file is chosen. */
export const ATTACH_WORDS = `PNG, JPEG, GIF, WebP, PDF or text, at most ${ATTACH_LIMIT / 1024 / 1024} MB each`;

export const PICTURES = ATTACH_KINDS.filter((kind) => kind.startsWith("image/")).join(",");

/** Kinds whose content is text, whatever they are called. */
const TEXTS = /^(text\/|application\/(json|xml|toml|yaml|x-yaml|javascript|typescript|x-sh|sql|x-httpd-php))/;

/** The kind under which a file is handed over; null when it cannot be. The server looks at the content all the same. */
export function kindOf({ type }: Pick<File, "type">): string | null {
  if (ATTACH_KINDS.includes(type)) return type;
  // Browsers have no word for most files that programmers write.
  return type === "" || TEXTS.test(type) ? "text/plain" : null;
}

/** Why a file cannot be handed over, or null. */
export function refusalOf(file: Pick<File, "name" | "type" | "size">): string | null {
  if (file.size > ATTACH_LIMIT) return `${file.name} is too large: ${ATTACH_WORDS}.`;
  if (file.size === 0) return `${file.name} is empty.`;
  if (kindOf(file) === null) return `${file.name} cannot be sent: ${ATTACH_WORDS}.`;
  return null;
}
