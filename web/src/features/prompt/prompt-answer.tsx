/* Where the answer is given: buttons, a field, both, check boxes, or the keys; the render rule of the wire. */
import { Icon } from "@/components/icon";
import { KeyBar } from "@/components/terminal-parts";
import { canSubmit, type Form, type Input } from "@/features/prompt/form";
import { MultiSelect } from "@/features/prompt/multi-select";
import { OptionButtons } from "@/features/prompt/option-buttons";
import { QuestionNav } from "@/features/prompt/question-nav";
import { isRaw, isTerminalOnly, shapeOf } from "@/features/prompt/shape";
import { TextAnswer } from "@/features/prompt/text-answer";
import { hrefOf } from "@/lib/router";
import type { InteractivePrompt } from "@/wire/prompt";

export interface AnswerProps {
  prompt: InteractivePrompt;
  form: Form;
  /** An answer is under way: nothing can be given now. */
  locked: boolean;
  onInput: (input: Input) => void;
}

export function PromptAnswer({ onLower, ...props }: AnswerProps & { onLower: () => void }) {
  const { prompt, form, locked, onInput } = props;
  const { sessionId } = prompt;
  if (isTerminalOnly(prompt)) {
    return sessionId === undefined ? null : (
      <a
        className="button button--primary button--wide"
        href={hrefOf({ page: "terminal", sessionId })}
        onClick={onLower}
      >
        <Icon name="terminal" size={18} /> Look at the terminal
      </a>
    );
  }
  return (
    <>
      {answerFor(props)}
      {shapeOf(prompt) === "multi-select" && (
        <div className="sheet__submit">
          <button
            type="button"
            className="button button--primary button--wide"
            disabled={locked || !canSubmit(prompt, form)}
            onClick={() => onInput({ type: "submit" })}
          >
            Submit
          </button>
        </div>
      )}
      {isRaw(prompt) && sessionId !== undefined && <KeyBar sessionId={sessionId} />}
    </>
  );
}

function answerFor(props: AnswerProps) {
  switch (shapeOf(props.prompt)) {
    case "choices":
      return <OptionButtons {...props} />;
    case "text":
      return <TextAnswer {...props} />;
    case "choices-and-text":
      return (
        <>
          <OptionButtons {...props} />
          {/* An option that opens a field of its own has the field below it. */}
          {props.form.opened === null && <TextAnswer {...props} />}
        </>
      );
    case "multi-select":
      return <MultiSelect {...props} />;
    case "questions":
      return <QuestionNav {...props} />;
    case "raw":
      return null;
  }
}
