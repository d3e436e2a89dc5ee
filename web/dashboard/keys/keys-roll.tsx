// In charge of rolling a key: a new one takes its place, and the old one goes on for as long as programs need to change.
import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { ApiKey, NewApiKey } from '../../account-api.ts'
import { nowMs } from '../../scripts/local-time.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Moment } from '../parts/moment.tsx'
import { keyHint, rollKey } from './key-data.ts'
import { overlapEnd } from './keys-overlap.ts'

const overlaps = [
  [0, 'At once'],
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
        A new key of the same name is created and shown once. Put it into your programs before the old one,{' '}
        <code>{keyHint(apiKey)}</code>, ends.
      </p>
      <fieldset class="keys-choices">
        <legend>The old key ends</legend>
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
          'Requests with the old key are answered 401 as soon as the new one is there.'
        ) : (
          <>
            The old key works until <Moment at={end} />, then requests with it are answered 401.
          </>
        )}
      </p>
    </Confirm>
  )
}
