// Draws the bars of the usage chart at the available width. Patterns in addition to colours make the five classes
// distinguishable without colour.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChartDay } from './chart-day.ts'
import { findBand, topOf } from './chart-scale.ts'
import { statusClasses, totalOf } from './status-classes.ts'

interface BarsProps {
  readonly days: readonly ChartDay[]
  readonly chosen: number
  readonly onChoose: (at: number | undefined) => void
}

const height = 200
const headroom = 8
/** The width of the axis labels. The range input of days in the stylesheet starts after it too. */
const gutter = 40
const labelHeight = 22
/** The width of a bar as a share of the day's width. */
const barShare = 0.72
const barMaxPx = 18
const weekDays = 7
const shortCount = new Intl.NumberFormat(undefined, { notation: 'compact' })
const shortDate = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

export function ChartBars({ days, chosen, onChoose }: BarsProps) {
  const [ref, width] = useWidth()
  const top = topOf(Math.max(...days.map(({ counts }) => totalOf(counts))))
  const band = findBand(width, gutter, days.length)
  if (band === undefined) return <div ref={ref} class="usage-bars" />
  const chooseAt = (event: PointerEvent) => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect()
    onChoose(Math.min(days.length - 1, Math.max(0, Math.floor((event.clientX - left - gutter) / band))))
  }
  return (
    <div ref={ref} class="usage-bars">
      <svg
        width={width}
        height={height + labelHeight}
        aria-hidden="true"
        onPointerMove={chooseAt}
        onPointerLeave={(event: PointerEvent) => event.pointerType === 'mouse' && onChoose(undefined)}
      >
        <Patterns />
        <rect class="usage-chosen" x={gutter + chosen * band} y={0} width={band} height={height} />
        <Grid top={top} width={width} />
        {days.map((day, at) => (
          <Bar key={day.date} day={day} left={gutter + at * band} band={band} top={top} />
        ))}
        {days.map(({ date }, at) => {
          const isNamed = (days.length - 1 - at) % weekDays === 0
          if (!isNamed) return null
          const isLast = at === days.length - 1
          return (
            <text
              key={date}
              class={isLast ? 'usage-last' : undefined}
              x={isLast ? width : gutter + (at + 0.5) * band}
              y={height + 16}
            >
              {isLast ? 'Today' : shortDate.format(new Date(date))}
            </text>
          )
        })}
      </svg>
    </div>
  )
}

function Grid({ top, width }: { top: number; width: number }) {
  return (
    <g class="usage-grid">
      {[0, top / 2, top].map((count) => (
        <g key={count} transform={`translate(0 ${yOf(count, top)})`}>
          <path d={`M${gutter} .5 H${width}`} />
          <text x={gutter - 8} y={4}>
            {shortCount.format(count)}
          </text>
        </g>
      ))}
    </g>
  )
}

interface BarProps {
  readonly day: ChartDay
  readonly left: number
  readonly band: number
  readonly top: number
}

function Bar({ day, left, band, top }: BarProps) {
  const width = Math.min(barMaxPx, band * barShare)
  let below = 0
  return (
    <g transform={`translate(${left + (band - width) / 2} 0)`}>
      {statusClasses.map(({ id }) => {
        const count = day.counts[id]
        if (count === 0) return null
        const y = yOf(below + count, top)
        const tall = yOf(below, top) - y
        below += count
        // At least 1.5 px, so that one request among thousands is visible. A gap of 1 px separates the parts.
        return <rect key={id} class={`usage-${id}`} y={y} width={width} height={Math.max(1.5, tall - 1)} />
      })}
    </g>
  )
}

function yOf(count: number, top: number): number {
  return height - (count / top) * (height - headroom)
}

function Patterns() {
  return (
    <defs>
      <pattern id="usage-lines" width="4" height="4" patternUnits="userSpaceOnUse">
        <path class="usage-ink-steel" d="M0 1 H4" />
      </pattern>
      <pattern
        id="usage-hatch"
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path class="usage-ink-brass" d="M1.5 0 V5" />
      </pattern>
      <pattern id="usage-dots" width="4" height="4" patternUnits="userSpaceOnUse">
        <rect class="usage-fill-brass" width="4" height="4" />
        <path class="usage-ink-plate" d="M1 1 H2.5" />
      </pattern>
      <pattern id="usage-cross" width="5" height="5" patternUnits="userSpaceOnUse">
        <path class="usage-ink-red" d="M0 0 L5 5 M5 0 L0 5" />
      </pattern>
    </defs>
  )
}

/** The width of the element, updated when it changes; 0 until it is known, which is before the first paint. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (ref.current === null) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}
