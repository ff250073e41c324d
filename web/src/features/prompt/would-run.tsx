/* What a folder's own settings would run or allow once it is trusted, file by file. */
import { Visible } from "@/components/visible";
import type { WouldRun } from "@/wire/prompt";

export function WouldRunList({ entries }: { entries: WouldRun[] }) {
  const files = [...new Set(entries.map(({ file }) => file))];
  return (
    <section className="would-run" aria-label="What this folder would run">
      <p className="would-run__head">If you trust it, this folder runs or allows by itself:</p>
      {files.map((file) => (
        <div key={file} className="would-run__file">
          <p className="mono exact">
            <Visible text={file} />
          </p>
          <ul>
            {entries
              .filter((entry) => entry.file === file)
              .map(({ what, text }, index) => (
                <li key={index} className="would-run__entry">
                  <span className="small dim">
                    <Visible text={what} />
                  </span>
                  <code className="exact">
                    <Visible text={text} />
                  </code>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
