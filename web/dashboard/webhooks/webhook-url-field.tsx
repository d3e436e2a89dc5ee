// The form field for the URL of a webhook. When it loses focus, it says whether events can be sent to the URL.
import { Field, faultOf } from '../parts/field.tsx'
import type { UrlState } from './webhook-url-check.ts'

interface UrlFieldProps {
  readonly state: UrlState
  /** The error of the last save. */
  readonly error: unknown
  readonly defaultValue: string
  readonly onLeave: (url: string) => void
  readonly onChange: () => void
}

/** All hints use the same element, so that nothing below it moves while the user is about to click the button. */
const hints: Readonly<Record<'unasked' | 'asking' | 'good', string>> = {
  unasked: 'An https URL that is reachable from the public internet.',
  asking: 'Checking the URL…',
  good: 'Events can be sent to this URL.',
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
