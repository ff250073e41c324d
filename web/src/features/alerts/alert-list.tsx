/*
 * What the owner should have done, and nobody else: a device was paired or revoked, a session was started on the machine itself. It
 * stays until it is dismissed, with the way to undo it beside it.
 */
import { ConfirmButton } from "@/components/confirm-button";
import { Icon } from "@/components/icon";
import { Moment } from "@/components/moment";
import "@/features/alerts/alert-list.css";
import { openAlerts } from "@/state/open-alerts";
import { useAppState, useDispatch, useVerbs } from "@/state/app-context";
import type { Alert, AlertKind } from "@/wire/device";
import type { Command } from "@/wire/protocol";

export function AlertList() {
  const alerts = useAppState((state) => state.alerts);
  const dismissed = useAppState((state) => state.dismissed);
  const server = useAppState((state) => state.server);
  const open = openAlerts({ alerts, dismissed, server });
  if (open.length === 0) return null;
  return (
    <ul className="alerts" aria-label="Alerts">
      {open.map((alert) => (
        <AlertItem key={alert.id} alert={alert} />
      ))}
    </ul>
  );
}

function AlertItem({ alert: { id, at, what } }: { alert: Alert }) {
  const dispatch = useDispatch();
  const { tryTo } = useVerbs();
  const dismiss = () => dispatch({ type: "alert-dismissed", id });
  const undo = undoing(what);

  async function carryOut(command: Command) {
    if (await tryTo(command)) dismiss();
  }

  return (
    <li className="alerts__item" role="alert">
      <span className="alerts__text small" dir="auto">
        {words(what)} <Moment at={at} />
      </span>
      {undo && (
        <ConfirmButton
          className="text-button bad"
          label={undo.label}
          question={`${undo.word}?`}
          onConfirm={() => void carryOut(undo.command)}
        >
          {undo.word}
        </ConfirmButton>
      )}
      <button type="button" className="icon-button" aria-label="Dismiss alert" onClick={dismiss}>
        <Icon name="close" size={16} />
      </button>
    </li>
  );
}

function words(what: AlertKind): string {
  switch (what.type) {
    case "paired":
      return `${what.device.name} was paired.`;
    case "revoked":
      return what.by.type === "device"
        ? `${what.device.name} was revoked by ${what.by.name}.`
        : `${what.device.name} was revoked.`;
    case "chat-paired":
      return `The Telegram chat of ${what.name} was paired: it is told of questions and can answer some.`;
    case "started-here":
      return `${what.name} was started on the workstation itself, in ${what.folder}.`;
    case "rules-changed":
      return `Rules: ${what.what}.`;
    case "rules-unreadable":
      return `Rules of ${what.file} do not hold: ${what.mistakes.slice(0, 3).join("; ")}.`;
    // A newer server may tell of more than this page knows.
    default:
      return "Something was changed that this page does not know: reload it.";
  }
}

function undoing(what: AlertKind): { word: string; label: string; command: Command } | null {
  switch (what.type) {
    case "paired": {
      const { id: deviceId, name } = what.device;
      return { word: "revoke", label: `Revoke ${name} now`, command: { type: "revoke", deviceId } };
    }
    case "chat-paired": {
      const { chat, name } = what;
      return {
        word: "remove",
        label: `Remove the chat of ${name} now`,
        command: { type: "notify", notify: { type: "remove-chat", chat } },
      };
    }
    case "started-here": {
      const { sessionId, name } = what;
      return { word: "end", label: `End ${name} now`, command: { type: "end", sessionId } };
    }
    case "revoked":
    case "rules-changed":
    case "rules-unreadable":
    default:
      return null;
  }
}
