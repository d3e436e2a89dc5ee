// The numbers of the usage chart as a table, newest day first.

import type { ChartDay } from './chart-day.ts'
import { statusClasses } from './status-classes.ts'

export function UsageTable({ days }: { days: readonly ChartDay[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is a region so that it can be scrolled by keyboard
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must be reachable by keyboard
    <div class="table usage-table" tabIndex={0} role="region" aria-label="Requests per day">
      <table>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            {statusClasses.map(({ id, name }) => (
              <th key={id} scope="col" class="numeric">
                {name}
              </th>
            ))}
            <th scope="col" class="numeric">
              Counted
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, used, counts }) => (
            <tr key={date}>
              <th scope="row">{date}</th>
              {statusClasses.map(({ id }) => (
                <td key={id} class="numeric">
                  {counts[id].toLocaleString()}
                </td>
              ))}
              <td class="numeric">{used.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
