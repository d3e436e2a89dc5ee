// The dialog that creates a key with a name, an optional expiry, and for live or sample data.
import { useMutation } from '@tanstack/preact-query'
import { useId } from 'preact/hooks'
import type { NewApiKey } from '../../account-api.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Field, textsOf } from '../parts/field.tsx'
import { createKey } from './key-data.ts'

export const nameMax = 100
/** Of test keys. */
const perSecond = 5

const ends = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In 365 days'],
] as const

interface CreateKeyProps {
  readonly onMade: (made: NewApiKey) => void
  readonly onClose: () => void
}

export function CreateKey({ onMade, onClose }: CreateKeyProps) {
  const id = useId()
  const create = useMutation({ mutationFn: createKey, onSuccess: onMade })
  const send = (form: HTMLFormElement) => {
    const { name = '', days = '', mode } = textsOf(form)
    create.mutate({
      name,
      is_test: mode === 'test',
      ...(days !== '' && { expires_in_days: Number(days) }),
    })
  }
  const { error } = create
  return (
    <Confirm
      title="Create a key"
      action="Create key"
      isBusy={create.isPending}
      error={error}
      fields={['name']}
      onConfirm={send}
      onClose={onClose}
    >
      <Field
        name="name"
        label="Name"
        hint="What uses the key, such as “Price sync” or “Laptop”."
        error={error}
        maxLength={nameMax}
        required
        autoFocus
        autoComplete="off"
      />
      <fieldset class="keys-choices">
        <legend>Reads</legend>
        <label>
          <input type="radio" name="mode" value="live" defaultChecked />
          The catalogue
        </label>
        <label>
          <input type="radio" name="mode" value="test" />
          Sample watches, for tests: no quota, {perSecond} requests a second
        </label>
      </fieldset>
      <div class="field">
        <label for={id}>Expires</label>
        <select id={id} name="days">
          {ends.map(([days, text]) => (
            <option key={days} value={days}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </Confirm>
  )
}
