// The filters of the request log.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { keyHint, useKeys } from '../keys/key-data.ts'
import type { CallFilters } from './call-filters.ts'

const statuses = [
  ['2xx', '2xx successful'],
  ['304', '304 not modified'],
  ['4xx', '4xx client errors'],
  ['429', '429 over quota'],
  ['5xx', '5xx server errors'],
] as const
const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const
const textMax = 512
/** A pause in typing this long applies the filter. */
const pauseMs = 300

interface FiltersProps {
  readonly filters: CallFilters
  readonly onChange: (changed: CallFilters) => void
  readonly onClear: () => void
}

export function RequestsFilters({ filters, onChange, onClear }: FiltersProps) {
  const keys = useKeys().data ?? []
  const set = (name: keyof CallFilters) => (value: string) => onChange({ [name]: value })
  const { status = '', method = '', key = '', q = '', request_id = '' } = filters
  return (
    <search>
      <form class="filters" onSubmit={(event: Event) => event.preventDefault()}>
        <Choice label="Status" value={status} onChoose={set('status')} all="All" choices={statuses} />
        <Choice
          label="Method"
          value={method}
          onChoose={set('method')}
          all="All"
          choices={methods.map((name) => [name, name])}
        />
        <Choice
          label="Key"
          value={key}
          onChoose={set('key')}
          all="All"
          choices={keys.map((one) => [one.id, `${one.name} (${keyHint(one)})`])}
        />
        <Text label="Path contains" value={q} onWrite={set('q')} />
        <Text label="Request ID" value={request_id} onWrite={set('request_id')} />
        {Object.keys(filters).length > 0 && (
          <button type="button" class="button quiet small" onClick={onClear}>
            Clear filters
          </button>
        )}
      </form>
    </search>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  /** The label of the option without a filter. */
  readonly all: string
  readonly choices: readonly (readonly [string, string])[]
  readonly onChoose: (value: string) => void
}

function Choice({ label, value, all, choices, onChoose }: ChoiceProps) {
  const isKnown = value === '' || choices.some(([choice]) => choice === value)
  return (
    <Labelled label={label}>
      {(id) => (
        <select
          id={id}
          value={value}
          onChange={(event: Event) => onChoose((event.currentTarget as HTMLSelectElement).value)}
        >
          <option value="">{all}</option>
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
          {/* A value from the URL that is not among the choices, such as 404. */}
          {!isKnown && <option value={value}>{value}</option>}
        </select>
      )}
    </Labelled>
  )
}

interface TextProps {
  readonly label: string
  readonly value: string
  readonly onWrite: (value: string) => void
}

function Text({ label, value, onWrite }: TextProps) {
  const [text, setText] = useState(value)
  // Only takes over a value changed elsewhere, so that a trailing space is kept while the user types.
  useEffect(() => setText((written) => (written.trim() === value ? written : value)), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onWrite(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <Labelled label={label}>
      {(id) => (
        <input
          id={id}
          type="search"
          value={text}
          maxLength={textMax}
          autoComplete="off"
          spellcheck={false}
          onInput={(event: InputEvent) => setText((event.currentTarget as HTMLInputElement).value)}
        />
      )}
    </Labelled>
  )
}

function Labelled({ label, children }: { label: string; children: (id: string) => ComponentChildren }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  )
}
