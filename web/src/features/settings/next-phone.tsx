/* Pairs the next phone: a code that holds once and for a few minutes, as a picture, as a link and as text. */
import { lazy, Suspense, useState } from "react";
import { CopyButton } from "@/components/copy-button";
import { useNow } from "@/lib/ticker";
import { clock } from "@/words/time";
import { useSubmit } from "@/lib/use-submit";
import { useVerbs } from "@/state/app-context";
import type { PairingOffer } from "@/wire/device";

const QrCode = lazy(() =>
  import("@/features/settings/qr-code").then((module) => ({ default: module.QrCode })),
);

export function NextPhone() {
  const { ask } = useVerbs();
  const [offer, setOffer] = useState<PairingOffer | null>(null);
  const { problem, submit } = useSubmit();
  const pair = () => submit(async () => setOffer((await ask({ type: "pair" }, "pairing")).offer));

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
  if (left <= 0) return <p className="dim small">This code has expired; ask for a new one.</p>;
  return (
    <div className="card offer">
      <Suspense fallback={<div className="offer__picture" />}>
        <QrCode text={url} />
      </Suspense>
      <p className="offer__code">{offer.code}</p>
      <p className="dim small tabular">Scan it, or type the code. It holds once, for {clock(left)}.</p>
      {offer.fingerprint !== undefined && (
        <p className="dim small">
          The browser will warn of the certificate. It is ours if its SHA-256 fingerprint is{" "}
          <code className="offer__fingerprint">{offer.fingerprint}</code>
        </p>
      )}
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
