/* Which page is shown at all: pairing, a plea to reload, or the application itself. */
import { ReloadPage } from "@/app/reload-page";
import { Shell } from "@/app/shell";
import { PairingPage } from "@/features/pairing/pairing-page";
import { useAppState } from "@/state/app-context";

interface Props {
  pairingCode: string | null;
  onPaired: () => void;
}

export function App({ pairingCode, onPaired }: Props) {
  const connection = useAppState((state) => state.connection.type);
  if (connection === "not-paired") return <PairingPage code={pairingCode} onPaired={onPaired} />;
  if (connection === "outdated") return <ReloadPage />;
  return <Shell />;
}
