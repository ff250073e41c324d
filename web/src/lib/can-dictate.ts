/* Whether the browser can turn speech into text; how, is fetched when it is wanted (`features/chat/dictation.tsx`). */

export function canDictate(): boolean {
  return window.isSecureContext && ("SpeechRecognition" in window || "webkitSpeechRecognition" in window);
}
