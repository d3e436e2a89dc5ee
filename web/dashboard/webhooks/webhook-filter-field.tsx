// The form field for the filter of a webhook, with a link to the explorer, where filters can be built interactively.
import { useState } from 'preact/hooks'
import { start } from '../account.ts'
import { Field } from '../parts/field.tsx'
import { filterOf } from './webhook-filter.ts'

const filterMaxLength = 2_048

interface FilterFieldProps {
  readonly error: unknown
  readonly defaultValue: string
}

/** The user may paste a whole explorer URL: it is reduced to its filter when the field loses focus. */
export function FilterField({ error, defaultValue }: FilterFieldProps) {
  const [filter, setFilter] = useState(defaultValue)
  return (
    <div class="filter-field">
      <Field
        name="filter"
        label="Filter (optional)"
        hint="Only send events for watches that match before or after the change. Use the query of a watch list, such as brand=Rolex&spec[dial_color]=blue"
        value={filter}
        maxLength={filterMaxLength}
        spellcheck={false}
        autoComplete="off"
        error={error}
        onInput={(event) => setFilter((event.currentTarget as HTMLInputElement).value)}
        onBlur={() => setFilter(filterOf)}
      />
      {start.hasExplorer && (
        <p class="note">
          <a
            href={filter.trim() === '' ? '/explore' : `/explore?${filterOf(filter)}`}
            target="_blank"
            rel="noopener"
          >
            {filter.trim() === '' ? 'Build a filter in the explorer' : 'See matching watches in the explorer'}
          </a>{' '}
          (opens a new tab), then paste its URL here.
        </p>
      )}
    </div>
  )
}
