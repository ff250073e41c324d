/* Where the answer is given: buttons, a field, both, check boxes, or the keys; the render rule of the wire. */
import { KeyBar } from "@/components/key-bar";
import { canSubmit, type Form, type Input } from "@/features/prompt/form";
import { MultiSelect } from "@/features/prompt/multi-select";
import { OptionButtons } from "@/features/prompt/option-buttons";
import { QuestionNav } from "@/features/prompt/question-nav";
import { isRaw, shapeOf } from "@/features/prompt/shape";
import { TextAnswer } from "@/features/prompt/text-answer";
import type { InteractivePrompt } from "@/wire/prompt";

export interface AnswerProps {
  prompt: InteractivePrompt;
  form: Form;
  /** An answer is under way: nothing can be given now. */
  locked: boolean;
  onInput: (input: Input) => void;
}

export function PromptAnswer(props: AnswerProps) {
  const { prompt, form, locked, onInput } = props;
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
      {isRaw(prompt) && prompt.sessionId !== undefined && <KeyBar sessionId={prompt.sessionId} />}
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
