/* A field for free text with its own button. A secret is masked, and gone from here the moment it is sent. */
import { useEffect, useRef, type SyntheticEvent, type KeyboardEvent } from "react";
import { canSendText } from "@/features/prompt/form";
import { takesEmptyText } from "@/features/prompt/shape";
import type { AnswerProps } from "@/features/prompt/prompt-answer";

export function TextAnswer({
  prompt,
  form,
  locked,
  onInput,
  focus = false,
}: AnswerProps & { focus?: boolean }) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const { secret = false, multiline = false, placeholder } = prompt.textInput ?? {};
  // What an option opens is a message to the CLI, and those may be long.
  const tall = !secret && (multiline || form.opened !== null);

  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);

  // A phone brings a field into view only when its keyboard comes up, and then neither all of it nor its button.
  useEffect(() => {
    function show() {
      if (field.current && field.current === document.activeElement) {
        field.current.form?.scrollIntoView({ block: "nearest" });
      }
    }
    show();
    window.visualViewport?.addEventListener("resize", show);
    return () => window.visualViewport?.removeEventListener("resize", show);
  }, []);

  function send(event: SyntheticEvent) {
    event.preventDefault();
    onInput({ type: "send-text" });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onInput({ type: "send-text" });
  }

  const shared = {
    ref: field,
    className: "input",
    "aria-label": "Your answer",
    placeholder,
    value: form.text,
    disabled: locked,
    onChange: (event: { target: { value: string } }) => onInput({ type: "text", text: event.target.value }),
  };
  const fields = (
    <form className="input-row" onSubmit={send}>
      {tall ? (
        <textarea {...shared} rows={2} dir="auto" onKeyDown={onKeyDown} />
      ) : (
        <input
          {...shared}
          type={secret ? "password" : "text"}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      )}
      <button
        type="submit"
        className="button button--primary"
        disabled={locked || !canSendText(prompt, form)}
      >
        Send answer
      </button>
    </form>
  );
  if (!takesEmptyText(prompt) || form.opened !== null) return fields;
  return (
    <>
      {fields}
      <button
        type="button"
        className="button button--wide"
        disabled={locked || form.text !== ""}
        onClick={() => onInput({ type: "send-empty" })}
      >
        {secret ? "⏎ Enter alone: leave it empty" : "⏎ Enter alone: take its default"}
      </button>
    </>
  );
}
