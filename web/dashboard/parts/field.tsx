// A form field with its label, hint and error, associated for screen readers; and the error message of a form as a
// whole.
import { useId } from 'preact/hooks'
import { Refusal } from '../ask.ts'
import { messageOf } from './state.tsx'

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  /** The error of the last attempt. The field shows its own messages and those of the fields in `also`. */
  readonly error?: unknown
  readonly also?: readonly string[]
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'search'
  readonly defaultValue?: string
  readonly value?: string
  readonly placeholder?: string
  readonly autoComplete?: string
  readonly inputMode?: 'text' | 'numeric' | 'url'
  readonly maxLength?: number
  readonly required?: boolean
  readonly autoFocus?: boolean
  readonly spellcheck?: boolean
  readonly onInput?: (event: InputEvent) => void
  readonly onBlur?: (event: FocusEvent) => void
}

export function Field({ name, label, hint, error, also = [], ...input }: FieldProps) {
  const id = useId()
  const wrong = faultOf(error, [name, ...also])
  const about = wrong ?? hint
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        {...(input as object)}
        {...(wrong !== undefined && { 'aria-invalid': 'true' as const })}
        {...(about !== undefined && { 'aria-describedby': `${id}-about` })}
      />
      {about !== undefined && (
        <p class={wrong === undefined ? 'hint' : 'error'} id={`${id}-about`}>
          {about}
        </p>
      )}
    </div>
  )
}

/** The error of a form, unless one of these fields shows it. */
export function FormTrouble({ error, fields = [] }: { error: unknown; fields?: readonly string[] }) {
  if (!error || faultOf(error, fields) !== undefined) return null
  return (
    <p class="error" role="alert">
      {messageOf(error)}
    </p>
  )
}

/** The error messages for these fields, joined; undefined when there are none. */
export function faultOf(error: unknown, names: readonly string[]): string | undefined {
  if (!(error instanceof Refusal)) return undefined
  const told = names.flatMap((name) => error.errors[name] ?? [])
  return told.length === 0 ? undefined : told.join(' ')
}

/** The text fields of a form, trimmed. */
export function textsOf(form: HTMLFormElement): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') texts[name] = value.trim()
  return texts
}
