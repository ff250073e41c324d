/* A prompt that is over, as it was shown: what it was about, and what could be chosen. Nothing of it can be tapped. */
import { Visible } from "@/components/visible";
import { PromptSubject } from "@/features/prompt/prompt-subject";
import "@/features/prompt/past-prompt.css";
import type { InteractivePrompt, PromptOption } from "@/wire/prompt";

interface Props {
  prompt: InteractivePrompt;
  /** The answer, in the CLI's words. */
  answer: string | undefined;
  summaryId: string;
}

export function PastPrompt({ prompt, answer, summaryId }: Props) {
  const pages = prompt.questions ?? [];
  return (
    <div className="past-prompt">
      <PromptSubject prompt={prompt} summaryId={summaryId} past />
      <Options options={prompt.options ?? []} answer={answer} />
      {pages.map(({ header, question, options }) => (
        <div key={`${header} ${question}`}>
          <p dir="auto">
            <Visible text={question} />
          </p>
          <Options options={options} answer={answer} />
        </div>
      ))}
    </div>
  );
}

function Options({ options, answer }: { options: PromptOption[]; answer: string | undefined }) {
  if (options.length === 0) return null;
  return (
    <ul className="past-prompt__options" aria-label="What could be chosen">
      {options.map(({ value, label }) => (
        <li key={value} className={label === answer ? "past-prompt__chosen" : "dim"}>
          <Visible text={label} />
          {label === answer && <span className="visually-hidden"> (chosen)</span>}
        </li>
      ))}
    </ul>
  );
}
