/* The elements of the lines that are in the page, and how high each line was when it was last there. */
import { guessHeight } from "@/features/chat/row-window";
import type { Row } from "@/features/chat/rows";

export class LineElements {
  private readonly heights = new Map<string, number>();
  private readonly elements = new Map<string, HTMLElement>();
  private listener: (() => void) | null = null;
  private readonly observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const key = (target as HTMLElement).dataset.row;
      const height = borderBoxSize[0]?.blockSize;
      // A line that just went out of the page has no height any more.
      if (key !== undefined && height && target.isConnected) this.heights.set(key, height);
    }
    this.listener?.();
  });

  /** For the element of each line, whose `data-row` is the line's name. */
  readonly watch = (element: HTMLElement | null): (() => void) | undefined => {
    const key = element?.dataset.row;
    if (!element || key === undefined) return undefined;
    this.elements.set(key, element);
    this.observer.observe(element);
    return () => {
      this.observer.unobserve(element);
      if (this.elements.get(key) === element) this.elements.delete(key);
    };
  };

  /** Tells when the height of a line has changed, or that of the box they are in. */
  listen(box: HTMLElement | null, listener: () => void): () => void {
    this.listener = listener;
    if (box) this.observer.observe(box);
    return () => {
      this.listener = null;
      if (box) this.observer.unobserve(box);
    };
  }

  /** The height of each line, or a guess. */
  heightsOf(rows: Row[]): number[] {
    return rows.map((row) => this.heights.get(row.key) ?? guessHeight(row));
  }

  get(key: string): HTMLElement | undefined {
    return this.elements.get(key);
  }

  /** The first line that reaches below an edge, and where it is. */
  firstBelow(edge: number): { key: string; top: number } | null {
    let first: { key: string; top: number } | null = null;
    for (const [key, element] of this.elements) {
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom > edge && (!first || top < first.top)) first = { key, top };
    }
    return first;
  }
}
