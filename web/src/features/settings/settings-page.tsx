/* Devices, the next phone, how the page looks and types, and what it talks to. */
import { Icon } from "@/components/icon";
import { About } from "@/features/settings/about";
import { DeviceList } from "@/features/settings/device-list";
import { NextPhone } from "@/features/settings/next-phone";
import { PreferenceChoice } from "@/features/settings/preference-choice";
import { SessionDefaults } from "@/features/settings/session-defaults";
import "@/features/settings/settings-page.css";
import { hrefOf } from "@/lib/router";

export function SettingsPage() {
  return (
    <div className="page">
      <header className="bar">
        <a className="icon-button" href={hrefOf({ page: "home" })} aria-label="Back">
          <Icon name="back" />
        </a>
        <h1 className="bar__title">Settings</h1>
      </header>
      <div className="page__scroll">
        <div className="page__column">
          <section className="section" aria-label="Devices">
            <h2 className="section__title">Devices</h2>
            <DeviceList />
            <NextPhone />
          </section>
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
