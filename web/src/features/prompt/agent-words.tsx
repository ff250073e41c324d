/* What the agent says of its own request: quoted, with its name, so that nobody takes it for a word of ours. */
import { Visible } from "@/components/visible";
import { useAdapterName } from "@/state/use-adapter";
import type { AdapterKind } from "@/wire/session";

interface Props {
  adapter: AdapterKind | undefined;
  text: string;
  /** What kind of word it is: of this request, or the last one before it. */
  before?: boolean;
}

export function AgentWords({ adapter, text, before = false }: Props) {
  const who = useAdapterName(adapter);
  return (
    <figure className="agent-words">
      <figcaption className="small">
        {who} {before ? "said before" : "says"}
      </figcaption>
      <blockquote dir="auto">
        <Visible text={text} />
      </blockquote>
    </figure>
  );
}
