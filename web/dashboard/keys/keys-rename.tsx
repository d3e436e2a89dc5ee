// Renames a key in place.
import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { ApiKey } from '../../account-api.ts'
import { kept } from '../account.ts'
import { BusyButton } from '../parts/busy-button.tsx'
import { say } from '../parts/say.ts'
import { messageOf } from '../parts/state.tsx'
import { renameKey } from './key-data.ts'
import { nameMax } from './keys-create.tsx'

export function RenameKey({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const client = useQueryClient()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const rename = useMutation({
    mutationFn: (name: string) => renameKey(apiKey.id, name),
    onSuccess: async (_, name) => {
      await client.invalidateQueries({ queryKey: kept.keys })
      say(`The key was renamed to ${name}.`)
      onDone()
    },
  })
  const send = (event: Event) => {
    event.preventDefault()
    const name = input.current?.value.trim() ?? ''
    if (name === apiKey.name) onDone()
    else rename.mutate(name)
  }
  return (
    <form
      class="keys-rename field"
      onSubmit={send}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && onDone()}
    >
      <label for={id} class="unseen">
        Key name
      </label>
      <input
        id={id}
        ref={input}
        defaultValue={apiKey.name}
        maxLength={nameMax}
        required
        autoComplete="off"
        {...(rename.error !== null && { 'aria-invalid': 'true' as const, 'aria-describedby': `${id}-wrong` })}
      />
      <BusyButton class="button small" isBusy={rename.isPending}>
        Save
      </BusyButton>
      <button type="button" class="button quiet small" onClick={onDone}>
        Cancel
      </button>
      {rename.error !== null && (
        <p class="error" id={`${id}-wrong`} role="alert">
          {messageOf(rename.error)}
        </p>
      )}
    </form>
  )
}
