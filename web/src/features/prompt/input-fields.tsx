/* Everything a tool is given beside its command, under the tool's own names: nothing that changes what happens is left out. */
import { Visible } from "@/components/visible";
import type { InputField } from "@/lib/tool-input";

export function InputFields({ fields }: { fields: InputField[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="input-fields" aria-label="What else it is given">
      {fields.map(({ name, text }) => (
        <div key={name} className="input-fields__row">
          <dt className="small dim">
            <Visible text={name} />
          </dt>
          <dd className="mono exact">
            <Visible text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
