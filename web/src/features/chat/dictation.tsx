/*
 * Speech into the composer, by the browser's own recognition. Nothing is sent by it: what was heard stands in the composer to be read.
 * The first time it is said who may hear it.
 */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useAppState, useDispatch } from "@/state/app-context";

/** As much of the browser's as is needed; TypeScript knows none of it. */
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start: () => void;
  abort: () => void;
}

declare global {
  interface Window {
    SpeechRecognition?: new () => Recognition;
    webkitSpeechRecognition?: new () => Recognition;
  }
}

const PROBLEMS: Record<string, string | undefined> = {
  "not-allowed": "The browser does not let this page use the microphone.",
  "service-not-allowed": "The browser does not let this page use its speech recognition.",
  "audio-capture": "No microphone was found.",
  network: "The browser's speech recognition cannot be reached.",
  "language-not-supported": "The browser does not know this language.",
};

interface Props {
  /** What stands in the composer. */
  text: string;
  onText: (text: string) => void;
  onEnd: () => void;
}

export function Dictation({ onEnd, ...props }: Props) {
  const agreed = useAppState((state) => state.preferences.dictation);
  const dispatch = useDispatch();
  if (agreed) return <Listening {...props} onEnd={onEnd} />;
  return (
    <div className="dictation" role="group" aria-label="Dictation">
      <p className="small">
        Your browser turns speech into text. Some send what is said to their maker for that; Answerback hears
        nothing of it.
      </p>
      <button
        type="button"
        className="button"
        onClick={() => dispatch({ type: "preferences", preferences: { dictation: true } })}
      >
        Dictate
      </button>
      <button type="button" className="button button--quiet" onClick={onEnd}>
        Not now
      </button>
    </div>
  );
}

function Listening({ text, onText, onEnd }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const failed = useRef(false);
  const heard = useEffectEvent(onText);
  const ended = useEffectEvent(onEnd);
  const before = useEffectEvent(() => (text === "" || /\s$/.test(text) ? text : `${text} `));

  useEffect(() => {
    const Kind = window.SpeechRecognition ?? window.webkitSpeechRecognition;
    if (!Kind) return;
    const start = before();
    const recognition = new Kind();
    recognition.lang = navigator.language;
    recognition.continuous = true;
    recognition.interimResults = true;
    recognition.onresult = ({ results }) =>
      heard(start + Array.from(results, (result) => result[0]?.transcript ?? "").join(""));
    recognition.onerror = ({ error }) => {
      // Silence is no fault.
      if (error === "no-speech" || error === "aborted") return;
      failed.current = true;
      setProblem(PROBLEMS[error] ?? `Dictation failed: ${error}.`);
    };
    // What went wrong stays to be read.
    recognition.onend = () => {
      if (!failed.current) ended();
    };
    recognition.start();
    return () => {
      recognition.onresult = null;
      recognition.onend = null;
      recognition.abort();
    };
  }, []);

  return (
    <div className="dictation">
      <p className={problem === null ? "small dim" : "small bad"} role="status">
        {problem ?? "Listening…"}
      </p>
    </div>
  );
}
