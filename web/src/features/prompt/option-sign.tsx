/* The sign at the side of an option that says what it does: lets it happen once, for good, or not at all. */
import { Icon, type IconName } from "@/components/icon";
import type { OptionRole } from "@/wire/prompt";

const SIGNS: Partial<Record<OptionRole, IconName>> = {
  allow: "check",
  "allow-always": "always",
  deny: "close",
};

export function OptionSign({ role, className }: { role: OptionRole | undefined; className: string }) {
  const icon = SIGNS[role ?? "other"];
  return (
    icon && (
      <span className={className}>
        <Icon name={icon} size={18} />
      </span>
    )
  );
}
