/* Which page is shown at all: pairing, a plea to reload, or the application itself. */
import { lazy, type ComponentProps } from "react";
import { Contained } from "@/components/contained";
import { Fetched } from "@/components/fetched";
import { ReviewSlot } from "@/components/review-slot";
import { ReviewButton } from "@/features/review/review-button";
import { ReloadPage } from "@/app/reload-page";
import { Shell } from "@/app/shell";
import { useAppState } from "@/state/app-context";

/* Needed once in the life of a phone. */
const PairingPage = lazy(async () => ({
  default: (await import("@/features/pairing/pairing-page")).PairingPage,
}));

/* Shown in the panel of a session, which is fetched as well. */
const ReviewList = lazy(async () => ({
  default: (await import("@/features/review/review-list")).ReviewList,
}));

/* Most conversations have none. */
const LazyCard = lazy(async () => ({ default: (await import("@/features/review/review-card")).ReviewCard }));

function ReviewCard(props: ComponentProps<typeof LazyCard>) {
  return (
    <Fetched>
      <LazyCard {...props} />
    </Fetched>
  );
}

const REVIEW = { Button: ReviewButton, List: ReviewList, Card: ReviewCard };

interface Props {
  pairingCode: string | null;
  onPaired: () => void;
}

export function App({ pairingCode, onPaired }: Props) {
  const connection = useAppState((state) => state.connection.type);
  if (connection === "not-paired") {
    return (
      <Fetched until="opening…">
        <PairingPage code={pairingCode} onPaired={onPaired} />
      </Fetched>
    );
  }
  if (connection === "outdated") return <ReloadPage />;
  return (
    <Contained what="the page">
      <ReviewSlot value={REVIEW}>
        <Shell />
      </ReviewSlot>
    </Contained>
  );
}
