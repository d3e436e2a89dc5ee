// In charge of the last 30 days: what became of each day's requests, as bars. A day is chosen by the pointer or with the
// scale below, and told in words; the same figures stand in a table.
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
            Each day’s requests stand here as a bar, by what became of them: answered, not modified, refused,
            failed. Send the first one with your key, and today has its bar.
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
        A request costs one of your day, whatever it is answered. Answers with 304, 401 and 429 cost nothing,
        nor does <code>GET /usage</code>. <a href="/docs/quotas">How requests are counted</a>
      </p>
      <details>
        <summary>The same as a table</summary>
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
