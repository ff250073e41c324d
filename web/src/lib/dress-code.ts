/*
 * Dresses the code in a rendered text: a button that copies it, and colours, which are fetched only when code in a
 * known language comes into view. Works on the elements themselves, because the text is HTML and not components.
 */

/** Longer code is read without colours: reading it would hold up the scrolling. */
const COLOUR_LIMIT = 20_000;
/** How long "copied" is said. */
const SAID_MS = 2000;
const DRAWN = "copy";
const PATHS = { copy: "M9 9h10v10H9zM15 9V5H5v10h4", check: "M5 12.5l4.5 4.5L19 7.5" };

/** Dresses all code below an element; gives back how to stop. */
export function dressCode(root: HTMLElement): () => void {
  const boxes = root.querySelectorAll<HTMLElement>("[data-code]");
  if (boxes.length === 0) return () => undefined;
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      void colour(target as HTMLElement);
    }
  });
  for (const box of boxes) {
    box.append(copyButton(box));
    seen.observe(box);
  }
  return () => {
    seen.disconnect();
    for (const box of boxes) box.querySelector("button")?.remove();
  };
}

async function colour(box: HTMLElement): Promise<void> {
  const pre = box.querySelector("pre");
  const code = box.querySelector("code");
  const text = code?.textContent ?? "";
  const language = box.dataset.code ?? "";
  // Whoever has only a keyboard must be able to scroll it.
  if (pre && pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0;
  if (!code || language === "" || text.length > COLOUR_LIMIT) return;
  try {
    const { highlight } = await import("@/lib/highlight");
    const html = await highlight(text, language);
    // The text may have streamed on meanwhile: then this is no longer the element that is seen.
    if (html !== null && code.isConnected) code.innerHTML = html;
  } catch {
    // Offline before the colours were ever fetched: black on white is fine.
  }
}

function copyButton(box: HTMLElement): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "code-copy";
  draw(button, DRAWN, "Copy the code");
  button.addEventListener("click", () => {
    const text = box.querySelector("code")?.textContent ?? "";
    const told = (words: string, icon: keyof typeof PATHS) => {
      draw(button, icon, words);
      setTimeout(() => draw(button, DRAWN, "Copy the code"), SAID_MS);
    };
    // Without https there is no clipboard at all; the text is selectable.
    Promise.resolve(navigator.clipboard)
      .then((clipboard) => clipboard.writeText(text))
      .then(
        () => told("Copied", "check"),
        () => told("Select it by hand", DRAWN),
      );
  });
  return button;
}

function draw(button: HTMLButtonElement, icon: keyof typeof PATHS, label: string) {
  button.ariaLabel = label;
  button.innerHTML = `<svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${PATHS[icon]}"/></svg>`;
}
