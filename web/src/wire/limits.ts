// Generated with the other files of this folder. Do not edit.
export const ATTACH_LIMIT = 10485760;
export const ATTACH_KINDS = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "text/plain"];
