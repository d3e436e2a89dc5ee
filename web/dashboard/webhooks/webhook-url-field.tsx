// In charge of the field for the address of a webhook: it says whether events can be sent there when one leaves it.
import { Field, faultOf } from '../parts/field.tsx'
import type { UrlState } from './webhook-url-check.ts'

interface UrlFieldProps {
  readonly state: UrlState
  /** What saving said. */
  readonly error: unknown
  readonly defaultValue: string
  readonly onLeave: (url: string) => void
  readonly onChange: () => void
}

/** In one place, so that nothing below it moves while someone is about to press the button. */
const hints: Readonly<Record<'unasked' | 'asking' | 'good', string>> = {
  unasked: 'An https address that the public internet can reach.',
  asking: 'Checking the address …',
  good: 'Good: events can be sent to this address.',
}

export function UrlField({ state, error, defaultValue, onLeave, onChange }: UrlFieldProps) {
  const isPlain = typeof state === 'string'
  const wrong = isPlain ? error : state
  const read = faultOf(wrong, ['endpoint_url']) ?? (isPlain && state !== 'unasked' ? hints[state] : '')
  return (
    <div class="url-field">
      <Field
        name="endpoint_url"
        label="Endpoint URL"
        type="url"
        inputMode="url"
        required
        spellcheck={false}
        autoComplete="off"
        placeholder="https://example.com/events"
        defaultValue={defaultValue}
        hint={isPlain ? hints[state] : hints.unasked}
        error={wrong}
        onInput={onChange}
        onBlur={(event) => onLeave((event.currentTarget as HTMLInputElement).value.trim())}
      />
      <p class="unseen" role="status">
        {read}
      </p>
    </div>
  )
}
