// The chart of the last 30 days: each day's requests by status class, as bars. The user selects a day with the
// pointer or the slider below and reads its numbers as text; a table has the same numbers.
import { useState } from 'preact/hooks'
import type { DayOfUse } from '../../account-api.ts'
import { Empty } from '../parts/state.tsx'
import type { ChartDay } from './chart-day.ts'
import { countByClass, countsText, hasRequests, statusClasses } from './status-classes.ts'
import { ChartBars } from './usage-chart-bars.tsx'
import { UsageTable } from './usage-table.tsx'
import './usage-chart.css'

const longDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })

export function UsageChart({ days }: { days: readonly DayOfUse[] }) {
  const chartDays = days.map(({ date, used, statuses }) => ({ date, used, counts: countByClass(statuses) }))
  return (
    <section class="overview-part usage stack" aria-labelledby="usage">
      <h2 id="usage">Last {days.length} days</h2>
      {hasRequests(days) ? (
        <Chart days={chartDays} />
      ) : (
        <Empty title="No requests yet">
          <p>
            This chart shows your requests per day by status: successful, not modified, over quota, errors.
            Send your first request to see it here.
          </p>
        </Empty>
      )}
    </section>
  )
}

function Chart({ days }: { days: readonly ChartDay[] }) {
  const [chosen, setChosen] = useState<number>()
  const today = days.length - 1
  const at = Math.min(chosen ?? today, today)
  const day = days[at]
  if (day === undefined) return null
  const date = longDate.format(new Date(day.date))
  const text = `${at === today ? `Today, ${date}` : date}: ${countsText(day.counts)}`
  return (
    <>
      <p class="usage-day">{text}</p>
      <div class="usage-plot">
        <ChartBars days={days} chosen={at} onChoose={setChosen} />
        <input
          class="usage-scale"
          type="range"
          aria-label="Day"
          aria-valuetext={text}
          min={0}
          max={today}
          value={at}
          style={{ '--days': days.length }}
          onInput={(event: InputEvent) => setChosen(Number((event.currentTarget as HTMLInputElement).value))}
        />
      </div>
      <Legend days={days} />
      <p class="note">
        Every request counts against your daily quota, except <code>GET /usage</code> and requests that return
        status 304, 401 or 429. <a href="/docs/quotas">How requests are counted</a>
      </p>
      <details>
        <summary>Show as table</summary>
        <UsageTable days={days} />
      </details>
    </>
  )
}

function Legend({ days }: { days: readonly ChartDay[] }) {
  return (
    <ul class="usage-legend">
      {statusClasses.map(({ id, name, statuses }) => (
        <li key={id}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <rect class={`usage-${id}`} x="0.5" y="0.5" width="15" height="15" />
          </svg>
          {name} <span class="note">{statuses}</span>{' '}
          <strong>{days.reduce((sum, { counts }) => sum + counts[id], 0).toLocaleString()}</strong>
        </li>
      ))}
    </ul>
  )
}
