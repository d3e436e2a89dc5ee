// The form field that selects the events of a webhook: all, all of a kind, or some by name.
import { useId } from 'preact/hooks'
import { faultOf } from '../parts/field.tsx'
import { type EventKind, eventKinds, turned } from './webhook-events.ts'

export interface EventsChoice {
  readonly isAll: boolean
  readonly chosen: ReadonlySet<string>
}

interface EventsFieldProps {
  readonly choice: EventsChoice
  readonly error: unknown
  readonly onChange: (choice: EventsChoice) => void
}

export function EventsField({ choice, error, onChange }: EventsFieldProps) {
  const { isAll } = choice
  const wrong = faultOf(error, ['events'])
  const id = useId()
  return (
    <fieldset
      class="events-field"
      {...(wrong !== undefined && { 'aria-describedby': id, 'aria-invalid': 'true' as const })}
    >
      <legend>Events</legend>
      <Choice
        type="radio"
        label="All events"
        hint="Including event types added later."
        isChecked={isAll}
        onChange={() => onChange({ ...choice, isAll: true })}
      />
      <Choice
        type="radio"
        label="Selected events"
        isChecked={!isAll}
        onChange={() => onChange({ ...choice, isAll: false })}
      />
      {!isAll && (
        <div class="event-kinds">
          {eventKinds.map((kind) => (
            <Kind key={kind.selector} kind={kind} choice={choice} onChange={onChange} />
          ))}
        </div>
      )}
      {wrong !== undefined && (
        <p class="error" id={id}>
          {wrong}
        </p>
      )}
    </fieldset>
  )
}

interface KindProps {
  readonly kind: EventKind
  readonly choice: EventsChoice
  readonly onChange: (choice: EventsChoice) => void
}

function Kind({ kind: { selector, label, types }, choice, onChange }: KindProps) {
  const { chosen } = choice
  const isWhole = chosen.has(selector)
  const turn = (name: string) => onChange({ isAll: false, chosen: turned(chosen, name) })
  return (
    <div class="event-kind">
      <Choice label={label} hint={selector} isCode isChecked={isWhole} onChange={() => turn(selector)} />
      {types.map(([type, when]) => (
        <Choice
          key={type}
          label={type}
          hint={when}
          isChecked={isWhole || chosen.has(type)}
          isDisabled={isWhole}
          onChange={() => turn(type)}
        />
      ))}
    </div>
  )
}

interface ChoiceProps {
  readonly type?: 'radio' | 'checkbox'
  readonly label: string
  readonly hint?: string
  readonly isCode?: boolean
  readonly isChecked: boolean
  readonly isDisabled?: boolean
  readonly onChange: () => void
}

function Choice({ type = 'checkbox', label, hint, isCode, isChecked, isDisabled, onChange }: ChoiceProps) {
  return (
    <label class="event-choice">
      <input
        type={type}
        {...(type === 'radio' && { name: 'which-events' })}
        checked={isChecked}
        disabled={isDisabled}
        onChange={onChange}
      />
      <span>
        {label} {hint !== undefined && <small>{isCode ? <code>{hint}</code> : hint}</small>}
      </span>
    </label>
  )
}
