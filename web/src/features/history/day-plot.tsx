/* How many prompts each day had: a bar for each, its lower part what rules answered. Drawn here, without any library. */
import { barsOf } from "@/features/history/bars";
import type { InsightGroup } from "@/wire/history";

const HEIGHT = 100;
/** The width of a day, and of what is free of it between two bars. */
const STEP = 10;
const GAP = 2;

export function DayPlot({ groups, since, days }: { groups: InsightGroup[]; since: number; days: number }) {
  const bars = barsOf(groups, since, days);
  const most = Math.max(1, ...bars.map(({ prompts }) => prompts));
  const height = (count: number) => (HEIGHT * count) / most;
  const busiest = bars.find(({ prompts }) => prompts === most);
  return (
    <figure className="day-plot">
      <svg
        viewBox={`0 0 ${days * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Prompts by day; most on ${busiest?.day ?? ""}, ${most}`}
      >
        {bars.map(({ day, prompts, byRule }, at) => (
          <g key={day}>
            <title>{`${day}: ${prompts} prompts, ${byRule} by rule`}</title>
            <rect
              className="day-plot__all"
              x={at * STEP + GAP / 2}
              width={STEP - GAP}
              y={HEIGHT - height(prompts)}
              height={height(prompts)}
            />
            <rect
              className="day-plot__rule"
              x={at * STEP + GAP / 2}
              width={STEP - GAP}
              y={HEIGHT - height(byRule)}
              height={height(byRule)}
            />
          </g>
        ))}
      </svg>
      <figcaption className="dim small tabular">
        <span className="day-plot__ends">
          <span>{bars[0]?.day}</span>
          <span>{bars.at(-1)?.day}</span>
        </span>
        at most {most} a day; the lower part in green was answered by rules
      </figcaption>
    </figure>
  );
}
