// Draws the price history of a watch: two lines as SVG, a sentence for screen readers, and a table of the prices. A
// price is valid until the next one, so the lines are stepped.

import { table } from '../layout/block.ts'
import { formatUsd } from '../layout/format.ts'
import { type Html, html } from '../layout/html.ts'
import type { PriceLine, PricesView } from './explore-data.ts'

const width = 520
const height = 240
const left = 64
const right = 12
const top = 12
const bottom = 28
/** The maximum number of rows in the table; the API returns all of them. */
const tableRowsMax = 400
const dayMs = 86_400_000

type Field = 'retail_price_usd' | 'current_market_price'

interface Frame {
  readonly x: (date: string) => number
  readonly y: (price: number) => number
  readonly prices: readonly number[]
  readonly dates: readonly string[]
}

export function priceChart(view: PricesView): Html {
  const { lines } = view
  const oldestFirst = lines.toReversed()
  const prices = oldestFirst.flatMap((line) => [line.retail_price_usd, line.current_market_price])
  const known = prices.filter((price) => price !== null)
  if (known.length === 0)
    return html`<p>No prices for this watch${view.days !== undefined && ` in the last ${view.days} days`}.</p>`
  const frame = frameOf(findWindowStart(view) ?? oldestFirst[0]?.date, oldestFirst, known, view.today)
  return html`<figure class="chart">
<figcaption><span class="key-market">Market</span> <span class="key-retail">Retail</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${sentenceOf(oldestFirst)}">
${axes(frame)}
<path class="line-retail" d="${stepsOf(oldestFirst, 'retail_price_usd', frame, view.today)}"/>
<path class="line-market" d="${stepsOf(oldestFirst, 'current_market_price', frame, view.today)}"/>
${endDot(oldestFirst, 'retail_price_usd', frame, view.today)}${endDot(oldestFirst, 'current_market_price', frame, view.today)}
</svg>
</figure>
${figures(view)}`
}

/** The first day of the plan's history, if the price valid on that day was set earlier and so is not among `lines`. */
function findWindowStart({ days, lines, change365d, today }: PricesView): string | undefined {
  if (days === undefined || change365d === null) return undefined
  const start = daysBefore(today, days)
  return (lines.at(-1)?.date ?? today) > start ? start : undefined
}

function figures(view: PricesView): Html {
  const { lines, change30d, change365d, today } = view
  const windowStart = findWindowStart(view)
  const rows = lines
    .slice(0, tableRowsMax)
    .map((line) => [line.date, money(line.current_market_price), money(line.retail_price_usd), line.source])
  return html`<p class="note">Market price over 30 days: ${changeText(change30d, daysBefore(today, 30))}; over 365 days: ${changeText(change365d, daysBefore(today, 365))}.${
    windowStart !== undefined &&
    ` The price that applied on ${dayText(windowStart)} was set before the period your plan shows, so the lines start at the next price change.`
  }</p>
<details class="figures-table"><summary>Show as table</summary>
${table('Prices', [{ name: 'From' }, { name: 'Market', numeric: true }, { name: 'Retail', numeric: true }, { name: 'Source' }], rows)}
${lines.length > tableRowsMax && html`<p class="note">These are the newest ${tableRowsMax}. The API returns all of them.</p>`}
</details>`
}

/** `Market price: $31,000 on 2025-12-24, $33,500 on 2026-03-01.` */
function sentenceOf(lines: readonly PriceLine[]): string {
  const told = (name: string, field: Field) => {
    const known = lines.filter((line) => line[field] !== null)
    const [first, last] = [known[0], known.at(-1)]
    if (first === undefined || last === undefined) return `${name} price: unknown.`
    const end = `${formatUsd(Number(last[field]))} on ${last.date}`
    return first === last
      ? `${name} price: ${end}.`
      : `${name} price: ${formatUsd(Number(first[field]))} on ${first.date}, ${end}.`
  }
  return `${told('Market', 'current_market_price')} ${told('Retail', 'retail_price_usd')}`
}

function frameOf(
  start: string | undefined,
  lines: readonly PriceLine[],
  known: readonly number[],
  today: string,
): Frame {
  const first = Date.parse(start ?? today)
  const last = Math.max(Date.parse(today), Date.parse(lines.at(-1)?.date ?? today))
  const span = Math.max(dayMs, last - first)
  const prices = ticksOf(Math.min(...range(known)), Math.max(...range(known)))
  const [low = 0, high = 1] = [prices[0], prices.at(-1)]
  return {
    x: (date) => rounded(left + ((Date.parse(date) - first) / span) * (width - left - right)),
    y: (price) => rounded(height - bottom - ((price - low) / (high - low || 1)) * (height - top - bottom)),
    prices,
    dates: datesOf(first, first + span),
  }
}

/** Minimum and maximum, without spreading a long list into arguments. */
function range(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)]
  return [low, high]
}

/** About four round prices, from below the lowest to above the highest. */
function ticksOf(low: number, high: number): readonly number[] {
  const spread = Math.max(high - low, Math.abs(high) * 0.1, Number.MIN_VALUE)
  const power = 10 ** Math.floor(Math.log10(spread / 3))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= spread / 3) ?? 10) * power
  const start = Math.max(0, Math.floor(low / step - 0.2) * step)
  const ticks = [start]
  while (ticks.length < ticksMax && (ticks.at(-1) ?? 0) < high) ticks.push(start + ticks.length * step)
  return Number.isFinite(step) ? ticks : [low, high]
}

const ticksMax = 8

function datesOf(first: number, last: number): readonly string[] {
  const count = last - first < 4 * dayMs ? 2 : 3
  return Array.from({ length: count }, (_, at) =>
    new Date(first + ((last - first) * at) / (count - 1)).toISOString().slice(0, 10),
  )
}

function axes({ x, y, prices, dates }: Frame): Html {
  return html`${prices.map(
    (
      price,
    ) => html`<line class="grid" x1="${left}" x2="${width - right}" y1="${y(price)}" y2="${y(price)}"/><text class="axis" x="${left - 8}" y="${y(price) + 4}" text-anchor="end">${shortUsd(price)}</text>
`,
  )}${dates.map(
    (
      date,
      at,
    ) => html`<text class="axis${at > 0 && at < dates.length - 1 && ' axis-middle'}" x="${x(date)}" y="${height - 8}" text-anchor="${at === 0 ? 'start' : at === dates.length - 1 ? 'end' : 'middle'}">${dayText(date)}</text>
`,
  )}`
}

/** The SVG path of a stepped line. Draws one point per pixel: of several prices on the same pixel the last one. */
function stepsOf(lines: readonly PriceLine[], field: Field, { x, y }: Frame, today: string): string {
  let path = ''
  let isDrawing = false
  lines.forEach((line, at) => {
    const next = lines[at + 1]
    const [from, to] = [x(line.date), x(next?.date ?? (today > line.date ? today : line.date))]
    if (next !== undefined && Math.floor(from) === Math.floor(to) && at > 0) return
    const price = line[field]
    if (price !== null) path += isDrawing ? `V${y(price)}H${to}` : `M${from} ${y(price)}H${to}`
    isDrawing = price !== null
  })
  return path
}

function endDot(lines: readonly PriceLine[], field: Field, { x, y }: Frame, today: string): Html | false {
  const last = lines.at(-1)
  const price = last?.[field]
  if (last === undefined || price === null || price === undefined) return false
  const kind = field === 'retail_price_usd' ? 'retail' : 'market'
  return html`<circle class="dot-${kind}" r="3.5" cx="${x(today > last.date ? today : last.date)}" cy="${y(price)}"/>`
}

function money(price: number | null): string {
  return price === null ? '–' : formatUsd(price)
}

function changeText(change: number | null, since: string): string {
  if (change === null) return 'unknown'
  return `${change > 0 ? '+' : change < 0 ? '−' : '±'}${Math.abs(change)}% since ${dayText(since)}`
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
}

function dayText(day: string): string {
  return dayFormat.format(new Date(day))
}

function shortUsd(price: number): string {
  return shortFormat.format(price)
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10
}

const shortFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
const dayFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
})
