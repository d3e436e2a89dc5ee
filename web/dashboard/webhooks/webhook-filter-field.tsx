// In charge of the field for the filter of a webhook, and of the way to the explorer, where filters are made by looking.
import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { filterOf } from './webhook-filter.ts'

const filterMaxLength = 2_048

interface FilterFieldProps {
  readonly error: unknown
  readonly defaultValue: string
}

/** A whole address of the explorer may be pasted: it becomes its filter when one leaves the field. */
export function FilterField({ error, defaultValue }: FilterFieldProps) {
  const [filter, setFilter] = useState(defaultValue)
  return (
    <div class="filter-field">
      <Field
        name="filter"
        label="Filter (optional)"
        hint="Only watches that match before or after the change. The query of a list, such as brand=Rolex&spec[dial_color]=blue"
        value={filter}
        maxLength={filterMaxLength}
        spellcheck={false}
        autoComplete="off"
        error={error}
        onInput={(event) => setFilter((event.currentTarget as HTMLInputElement).value)}
        onBlur={() => setFilter(filterOf)}
      />
      <p class="note">
        <a
          href={filter.trim() === '' ? '/explore' : `/explore?${filterOf(filter)}`}
          target="_blank"
          rel="noopener"
        >
          {filter.trim() === '' ? 'Find the watches in the explorer' : 'See in the explorer what matches'}
        </a>{' '}
        (a new tab), and paste its address here.
      </p>
    </div>
  )
}
