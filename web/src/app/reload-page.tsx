/* The server was upgraded and speaks another protocol: only a fresh page understands it. */
import { useState } from "react";
import { reloadNewest } from "@/app/reload-newest";

export function ReloadPage() {
  const [loading, setLoading] = useState(false);

  function reload() {
    setLoading(true);
    void reloadNewest();
  }

  return (
    <main className="page empty">
      <p>The server was upgraded. This page has to be loaded again to understand it.</p>
      <button type="button" className="button button--primary" disabled={loading} onClick={reload}>
        {loading ? "Loading…" : "Reload"}
      </button>
    </main>
  );
}
