/* Pairs the next phone: a code that holds once and for a few minutes, as a picture, as a link and as text. */
import { lazy, Suspense, useState } from "react";
import { CopyButton } from "@/components/copy-button";
import { failureText } from "@/lib/request-failed";
import { useNow } from "@/lib/ticker";
import { clock } from "@/lib/time";
import { useVerbs } from "@/state/app-context";
import type { PairingOffer } from "@/wire/device";

const QrCode = lazy(() =>
  import("@/features/settings/qr-code").then((module) => ({ default: module.QrCode })),
);

export function NextPhone() {
  const { ask } = useVerbs();
  const [offer, setOffer] = useState<PairingOffer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function pair() {
    setProblem(null);
    try {
      setOffer((await ask({ type: "pair" }, "pairing")).offer);
    } catch (error) {
      setProblem(failureText(error));
    }
  }

  return (
    <>
      {offer && <Offer offer={offer} />}
      {problem !== null && <p className="bad small">{problem}</p>}
      <button type="button" className="button button--wide" onClick={() => void pair()}>
        {offer ? "New code" : "Pair another device"}
      </button>
    </>
  );
}

function Offer({ offer }: { offer: PairingOffer }) {
  const left = offer.expiresAt - useNow();
  const [url = ""] = offer.urls;
  if (left <= 0) return <p className="dim small">The code is over; ask for a new one.</p>;
  return (
    <div className="card offer">
      <Suspense fallback={<div className="offer__picture" />}>
        <QrCode text={url} />
      </Suspense>
      <p className="offer__code">{offer.code}</p>
      <p className="dim small tabular">Scan it, or type the code. It holds once, for {clock(left)}.</p>
      <ul className="offer__urls">
        {offer.urls.map((address) => (
          <li key={address} className="offer__url">
            <code>{address}</code>
            <CopyButton text={address} label={`Copy ${address}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}
