/* Where the page begins: builds the store and the socket, finds out whether this device is paired, renders. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@/styles/tokens.css";
import "@/styles/base.css";
import "@/styles/controls.css";
import "@/styles/page.css";
import { App } from "@/app/app";
import { connect } from "@/app/connect";
import { followTheme } from "@/app/follow-theme";
import { followViewport } from "@/app/follow-viewport";
import { registerWorker } from "@/app/register-worker";
import { loadNextPages } from "@/app/route-page";
import { loadMarkdown } from "@/components/markdown";
import { takeCodeFromAddress } from "@/features/pairing/pairing-code";
import { isPaired } from "@/lib/api";
import { listenForInstall } from "@/lib/install";
import { hasEarlyLine } from "@/lib/early-line";
import { AppProvider } from "@/state/app-context";
import { persist } from "@/state/persist";
import { sendOutbox } from "@/state/send-outbox";
import { initialState } from "@/state/state";
import { createStore } from "@/state/store";
import { createVerbs } from "@/state/verbs";

/** What will be wanted later is fetched later: on a slow network what the person came for goes first. */
const LATER_MS = 2_000;

const pairingCode = takeCodeFromAddress();
const store = createStore(initialState());
const socket = connect(store);
const verbs = createVerbs(store, socket);

listenForInstall();
followTheme(store);
followViewport();
persist(store);
sendOutbox(store, socket);

/** An unreachable server says nothing about pairing: the socket then keeps trying and asks again. */
async function begin() {
  if (hasEarlyLine()) {
    socket.start();
    return;
  }
  if (await isPaired().catch(() => true)) {
    socket.start();
  } else {
    store.dispatch({ type: "connection", connection: { type: "not-paired" } });
  }
}

function paired() {
  store.dispatch({ type: "connection", connection: { type: "connecting" } });
  socket.start();
}

// Before the first picture: what the server has said already is in it.
void begin();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <AppProvider app={{ store, verbs }}>
        <App pairingCode={pairingCode} onPaired={paired} />
      </AppProvider>
    </StrictMode>,
  );
}
setTimeout(() => {
  void loadMarkdown();
  loadNextPages();
  registerWorker();
  import("@/app/keep-subscribed").then(
    ({ keepSubscribed }) => keepSubscribed({ store, verbs }),
    () => undefined,
  );
}, LATER_MS);
