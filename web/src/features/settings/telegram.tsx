/* The Telegram bot: how it stands, the chats that are paired with it, and a code for the next. */
import { useState } from "react";
import { ConfirmButton } from "@/components/confirm-button";
import { Moment } from "@/components/moment";
import { useSubmit } from "@/lib/use-submit";
import { useVerbs } from "@/state/app-context";
import type { ChatOffer, NotifyCommand, NotifyStatus } from "@/wire/notify";

interface Props {
  status: NotifyStatus;
  tell: (notify: NotifyCommand) => Promise<NotifyStatus>;
  onStatus: (status: NotifyStatus) => void;
}

/** Nothing where no bot is set up. */
export function Telegram({ status, tell, onStatus }: Props) {
  const { ask } = useVerbs();
  const [offer, setOffer] = useState<ChatOffer | null>(null);
  const { busy, problem, submit } = useSubmit();
  const bot = status.telegram;
  if (!bot) return null;

  const pair = () =>
    submit(async () =>
      setOffer((await ask({ type: "notify", notify: { type: "offer-chat" } }, "chat")).offer),
    );
  const remove = (chat: string) =>
    submit(async () => {
      onStatus(await tell({ type: "remove-chat", chat }));
    });
  return (
    <div className="card defaults" role="group" aria-label="Telegram">
      <p>Telegram{bot.bot !== undefined && ` · @${bot.bot}`}</p>
      {bot.trouble !== undefined && <p className="bad small">{bot.trouble}</p>}
      <ul className="devices">
        {status.targets.map(
          ({ chat, name, since }) =>
            chat !== undefined && (
              <li key={chat} className="devices__item">
                <div className="devices__text">
                  <span dir="auto">{name}</span>
                  <span className="devices__seen small dim">
                    paired <Moment at={since} />
                  </span>
                </div>
                <ConfirmButton
                  className="text-button bad"
                  label={`Remove the chat of ${name}`}
                  question="remove?"
                  onConfirm={() => void remove(chat)}
                >
                  remove
                </ConfirmButton>
              </li>
            ),
        )}
      </ul>
      {offer && (
        <p className="small">
          Send <code>/start {offer.code}</code> to the bot within ten minutes
          {offer.link !== undefined && (
            <>
              , or{" "}
              <a href={offer.link} target="_blank" rel="noreferrer">
                open it in Telegram
              </a>
            </>
          )}
          .
        </p>
      )}
      <button type="button" className="button" disabled={busy} onClick={() => void pair()}>
        Pair a chat
      </button>
      {problem !== null && <p className="bad small">{problem}</p>}
    </div>
  );
}
