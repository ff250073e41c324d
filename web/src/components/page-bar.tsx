/* The bar of a page that one comes to from another: the way back, and what the page is. */
import type { ReactNode } from "react";
import { Icon } from "@/components/icon";
import { hrefOf, type Route } from "@/lib/router";

interface Props {
  back: Route;
  /** The title, or what stands in its place. */
  children: ReactNode;
}

export function PageBar({ back, children }: Props) {
  return (
    <header className="bar">
      <a className="icon-button" href={hrefOf(back)} aria-label="Back">
        <Icon name="back" />
      </a>
      {typeof children === "string" ? <h1 className="bar__title">{children}</h1> : children}
    </header>
  );
}
