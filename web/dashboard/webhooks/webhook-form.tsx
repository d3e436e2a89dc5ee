// The form that creates or edits a webhook. Errors are shown next to their field.
import { useEffect, useRef, useState } from 'preact/hooks'
import { BusyButton } from '../parts/busy-button.tsx'
import { Field, faultOf, textsOf } from '../parts/field.tsx'
import { Trouble } from '../parts/state.tsx'
import { Link } from '../router.tsx'
import type { WebhookDraft } from './webhook-data.ts'
import { everyEvent, selectorsOf } from './webhook-events.ts'
import { type EventsChoice, EventsField } from './webhook-events-field.tsx'
import { filterOf } from './webhook-filter.ts'
import { FilterField } from './webhook-filter-field.tsx'
import { useUrlCheck } from './webhook-url-check.ts'
import { UrlField } from './webhook-url-field.tsx'

interface WebhookFormProps {
  /** The current values; undefined for a new webhook. */
  readonly before?: WebhookDraft
  readonly action: string
  readonly isBusy: boolean
  readonly error: unknown
  /** The URL of the Cancel link. */
  readonly backHref: string
  readonly onSave: (draft: WebhookDraft) => void
}

const descriptionMaxLength = 255
const fields = ['endpoint_url', 'events', 'filter', 'description']

export function WebhookForm({ before, action, isBusy, error, backHref, onSave }: WebhookFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const url = useUrlCheck(before?.endpoint_url)
  const [events, setEvents] = useState<EventsChoice>(() => choiceOf(before?.events ?? [everyEvent]))
  const [isChecking, setChecking] = useState(false)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid] input, input[aria-invalid]')?.focus()
  }, [error])
  const save = async (event: Event) => {
    event.preventDefault()
    if (form.current === null) return
    const draft = draftOf(form.current, events)
    setChecking(true)
    const isGood = await url.check(draft.endpoint_url)
    setChecking(false)
    if (isGood) onSave(draft)
    else form.current?.querySelector<HTMLInputElement>('[name=endpoint_url]')?.focus()
  }
  return (
    <form ref={form} class="webhook-form" onSubmit={save}>
      <UrlField
        state={url.state}
        error={error}
        defaultValue={before?.endpoint_url ?? ''}
        onLeave={(written) => void url.check(written)}
        onChange={url.forget}
      />
      <EventsField choice={events} error={error} onChange={setEvents} />
      <FilterField error={error} defaultValue={before?.filter ?? ''} />
      <Field
        name="description"
        label="Description (optional)"
        hint="A note to yourself about what this webhook is for."
        defaultValue={before?.description ?? ''}
        maxLength={descriptionMaxLength}
        autoComplete="off"
        error={error}
      />
      {Boolean(error) && faultOf(error, fields) === undefined && <Trouble error={error} />}
      <p class="actions">
        <BusyButton class="button" isBusy={isBusy || isChecking}>
          {action}
        </BusyButton>
        <Link href={backHref} class="button quiet">
          Cancel
        </Link>
      </p>
    </form>
  )
}

function choiceOf(selectors: readonly string[]): EventsChoice {
  const isAll = selectors.includes(everyEvent)
  return { isAll, chosen: new Set(isAll ? [] : selectors) }
}

function draftOf(form: HTMLFormElement, { isAll, chosen }: EventsChoice): WebhookDraft {
  const { endpoint_url = '', filter = '', description = '' } = textsOf(form)
  return {
    endpoint_url,
    events: selectorsOf(isAll, chosen),
    filter: filterOf(filter) || null,
    description: description || null,
  }
}
