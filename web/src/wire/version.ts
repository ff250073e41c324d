// Generated with the other files of this folder. Do not edit.
export const PROTOCOL_VERSION = 2;
