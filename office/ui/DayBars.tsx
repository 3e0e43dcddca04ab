import { price } from '#format/money.ts'
import { dayAndMonth, shortDay } from './when.ts'

interface DayBarsProps {
  /** What they show: `Money taken on each of the last fourteen days`. */
  readonly label: string
  /** Oldest first, in pence. */
  readonly days: readonly { readonly day: string; readonly value: number }[]
  /** The last day is meant, and the one a week before is compared with it; otherwise all days are meant. */
  readonly isCompared?: true
  /** Of the drawing, in its own units; it fills the place it is given. */
  readonly width?: number
}

const HEIGHT = 170
const LEFT = 44
const TOP = 12
const BOTTOM = 28

/** Bars of money by day, with three lines and no legend. The table below has the same figures. */
export function DayBars({ label, days, isCompared: compares, width = 480 }: DayBarsProps) {
  const top = niceTop(Math.max(...days.map(({ value }) => value)))
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const step = (width - LEFT) / days.length
  const labelled = new Set([0, days.length - 1, ...(compares ? [days.length - 8] : [])])
  return (
    <svg
      className="day-bars"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={`${label}; the table has the figures`}
    >
      {[0, top / 2, top].map((line) => (
        <g key={line}>
          <line className="line" x1={LEFT} x2={width} y1={y(line)} y2={y(line)} />
          <text x={0} y={y(line) + 5}>
            {price(line)}
          </text>
        </g>
      ))}
      {days.map(({ day, value }, index) => {
        const isLast = index === days.length - 1
        const isCompared = compares && index === days.length - 8
        const x = LEFT + index * step + step * 0.15
        return (
          <g key={day}>
            <rect
              className={isLast || !compares ? 'meant' : isCompared ? 'compared' : 'other'}
              x={x}
              width={step * 0.7}
              y={y(value)}
              height={Math.max(y(0) - y(value), value > 0 ? 1 : 0)}
            />
            {labelled.has(index) && (
              <text
                className={isLast && compares ? 'strong' : undefined}
                x={isLast ? width : x}
                y={HEIGHT - 4}
                textAnchor={isLast ? 'end' : 'start'}
              >
                {compares
                  ? shortDay(new Date(`${day}T12:00:00Z`)).short
                  : dayAndMonth(new Date(`${day}T12:00:00Z`))}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** Twice a round number of pounds, so that the middle line is round too. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 100)))
  return [1, 2, 4, 6, 8, 10].map((times) => times * power).find((top) => top >= most) ?? 10 * power
}
