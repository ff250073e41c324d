/* Something did not work, said plainly where it was tried. */
import { Icon } from "@/components/icon";

export function Problem({ text }: { text: string }) {
  return (
    <p className="problem" role="alert">
      <Icon name="warning" size={18} />
      {text}
    </p>
  );
}
