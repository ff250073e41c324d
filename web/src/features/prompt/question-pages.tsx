/* Several questions: one page each, then all answers to look over before they are sent. */
import type { Form, Input } from "@/features/prompt/form";
import { ChoiceBox } from "@/features/prompt/choice-box";
import type { AnswerProps } from "@/features/prompt/prompt-answer";
import { answerWords, takesText, type QuestionInput } from "@/features/prompt/question";
import { Visible } from "@/components/visible";
import type { InteractivePrompt, Question } from "@/wire/prompt";

export function QuestionPages(props: AnswerProps) {
  const { prompt, form, locked, onInput } = props;
  const questions = prompt.questions ?? [];
  const question = questions[form.page];
  if (!question) return <Review prompt={prompt} form={form} onInput={onInput} locked={locked} />;
  return (
    <QuestionPage
      // A page of its own, so that a field does not carry its focus or its text over to the next question.
      key={form.page}
      question={question}
      progress={questions.length > 1 ? `${form.page + 1} of ${questions.length}` : null}
      form={form}
      locked={locked}
      onInput={(input) => onInput({ type: "question", input })}
    />
  );
}

interface PageProps {
  question: Question;
  progress: string | null;
  form: Form;
  locked: boolean;
  onInput: (input: QuestionInput) => void;
}

function QuestionPage({ question, progress, form, locked, onInput }: PageProps) {
  const entered = form.answers[form.page];
  if (!entered) return null;
  const type = question.multiSelect ? "checkbox" : "radio";
  const onlyText = question.options.length === 0;
  return (
    <fieldset className="options" disabled={locked}>
      <legend className="question__head">
        <span className="question__progress small">
          <span>
            <Visible text={question.header} />
          </span>
          {progress !== null && <span className="tabular">{progress}</span>}
        </span>
        <span dir="auto">
          <Visible text={question.question} />
        </span>
      </legend>
      {question.options.map((option) => (
        <ChoiceBox
          key={option.value}
          type={type}
          name="question"
          option={option}
          checked={entered.chosen.includes(option.value)}
          onChange={() => onInput({ type: "choose", value: option.value })}
        />
      ))}
      {question.textInput && !onlyText && (
        <ChoiceBox
          type={type}
          name="question"
          option={{ label: "Other…" }}
          checked={entered.other && entered.chosen.every((value) => !opens(question, value))}
          onChange={() => onInput({ type: "other" })}
        />
      )}
      {takesText(question, entered) && (
        <input
          className="input"
          aria-label="Your answer"
          type={question.textInput?.secret ? "password" : "text"}
          autoComplete="off"
          placeholder={question.textInput?.placeholder}
          value={entered.text}
          onChange={(event) => onInput({ type: "text", text: event.target.value })}
        />
      )}
    </fieldset>
  );
}

function opens(question: Question, value: string): boolean {
  return question.options.some((option) => option.value === value && option.opensText === true);
}

interface ReviewProps {
  prompt: InteractivePrompt;
  form: Form;
  locked: boolean;
  onInput: (input: Input) => void;
}

function Review({ prompt, form, locked, onInput }: ReviewProps) {
  return (
    <ol className="review" aria-label="Your answers">
      {(prompt.questions ?? []).map((question, page) => {
        const entered = form.answers[page];
        return (
          <li key={question.question} className="review__item">
            <div className="review__text">
              <span className="dim small">
                <Visible text={question.question} />
              </span>
              <span dir="auto">{entered && <Visible text={answerWords(question, entered)} />}</span>
            </div>
            <button
              type="button"
              className="text-button"
              disabled={locked}
              aria-label={`Change: ${question.header}`}
              onClick={() => onInput({ type: "page", page })}
            >
              change
            </button>
          </li>
        );
      })}
    </ol>
  );
}
