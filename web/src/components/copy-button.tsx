/* Copies a text and says so. */
import { useEffect, useState } from "react";
import { Icon } from "@/components/icon";

const SAID_MS = 2000;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState<"copied" | "select it by hand" | null>(null);

  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("copied");
    } catch {
      // Without https there is no clipboard; the text is selectable.
      setSaid("select it by hand");
    }
  }

  return (
    <button type="button" className="text-button" aria-label={label} onClick={() => void copy()}>
      <Icon name="copy" size={16} />
      <span aria-live="polite">{said ?? "copy"}</span>
    </button>
  );
}
