// The dialog that rolls a key: creates a new key, and keeps the old one valid for an overlap so that programs can
// switch.
import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { ApiKey, NewApiKey } from '../../account-api.ts'
import { nowMs } from '../../scripts/local-time.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Moment } from '../parts/moment.tsx'
import { keyHint, rollKey } from './key-data.ts'
import { overlapEnd } from './keys-overlap.ts'

const overlaps = [
  [0, 'Immediately'],
  [1, 'In 1 hour'],
  [24, 'In 24 hours'],
  [168, 'In 7 days'],
] as const
const usualHours = 24

interface RollKeyProps {
  readonly apiKey: ApiKey
  readonly onMade: (made: NewApiKey) => void
  readonly onClose: () => void
}

export function RollKey({ apiKey, onMade, onClose }: RollKeyProps) {
  const [hours, setHours] = useState<number>(usualHours)
  const roll = useMutation({ mutationFn: () => rollKey(apiKey.id, hours), onSuccess: onMade })
  const end = overlapEnd(hours, nowMs(), apiKey.expires_at)
  return (
    <Confirm
      title={`Roll “${apiKey.name}”`}
      action="Create the new key"
      isBusy={roll.isPending}
      error={roll.error}
      onConfirm={() => roll.mutate()}
      onClose={onClose}
    >
      <p>
        This creates a new key with the same name and shows it once. Switch your programs to it before the old
        key, <code class="keys-hint">{keyHint(apiKey)}</code>, expires.
      </p>
      <fieldset class="keys-choices">
        <legend>The old key expires</legend>
        {overlaps.map(([value, text]) => (
          <label key={value}>
            <input
              type="radio"
              name="overlap"
              value={value}
              checked={value === hours}
              onChange={() => setHours(value)}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <p role="status">
        {hours === 0 ? (
          'Requests with the old key will fail with status 401 as soon as the new key is created.'
        ) : (
          <>
            The old key works until <Moment at={end} />. After that, requests with it fail with status 401.
          </>
        )}
      </p>
    </Confirm>
  )
}
