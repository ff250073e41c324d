/* The server was upgraded and speaks another protocol: only a fresh page understands it. */

export function ReloadPage() {
  return (
    <main className="page empty">
      <p>The server was upgraded. This page has to be loaded again to understand it.</p>
      <button type="button" className="button button--primary" onClick={() => location.reload()}>
        Reload
      </button>
    </main>
  );
}
