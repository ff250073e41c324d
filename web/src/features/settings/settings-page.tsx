/* Devices, the next phone, how the page looks and types, and what it talks to. */
import { PageBar } from "@/components/page-bar";
import { About } from "@/features/settings/about";
import { DeviceList } from "@/features/settings/device-list";
import { NextPhone } from "@/features/settings/next-phone";
import { Notifications } from "@/features/settings/notifications";
import { PreferenceChoice } from "@/features/settings/preference-choice";
import { SessionDefaults } from "@/features/settings/session-defaults";
import "@/features/settings/settings-page.css";
import { hrefOf } from "@/lib/router";

export function SettingsPage() {
  return (
    <div className="page">
      <PageBar back={{ page: "home" }}>Settings</PageBar>
      <div className="page__scroll">
        <div className="page__column">
          <section className="section" aria-label="Devices">
            <h2 className="section__title">Devices</h2>
            <DeviceList />
            <NextPhone />
          </section>
          <section className="section" aria-label="History">
            <h2 className="section__title">History</h2>
            <a className="button button--wide" href={hrefOf({ page: "history" })}>
              What was asked, answered and done
            </a>
          </section>
          <section className="section" aria-label="Rules">
            <h2 className="section__title">Rules</h2>
            <a className="button button--wide" href={hrefOf({ page: "rules" })}>
              What is answered without you
            </a>
          </section>
          <Notifications />
          <PreferenceChoice
            legend="Theme"
            preference="theme"
            options={[
              ["system", "System"],
              ["light", "Light"],
              ["dark", "Dark"],
            ]}
          />
          <PreferenceChoice
            legend="Text size"
            preference="text"
            options={[
              ["small", "Small"],
              ["normal", "Normal"],
              ["large", "Large"],
              ["huge", "Huge"],
            ]}
          />
          <PreferenceChoice
            legend="Enter key"
            preference="enter"
            sentences
            options={[
              ["auto", "Sends at a desk, new line on touch"],
              ["send", "Always sends"],
              ["newline", "Always makes a new line"],
            ]}
          />
          <SessionDefaults />
          <About />
        </div>
      </div>
    </div>
  );
}
