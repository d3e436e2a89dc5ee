// The dialog that revokes a key permanently, after saying what will stop working.
import { useMutation } from '@tanstack/preact-query'
import type { ApiKey } from '../../account-api.ts'
import { deleteKey } from '../../scripts/stored-key.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Ago } from '../parts/moment.tsx'
import { say } from '../parts/say.ts'
import { keyHint, revokeKey } from './key-data.ts'

interface RevokeKeyProps {
  readonly apiKey: ApiKey
  /** Whether this is the only active key. */
  readonly isLast: boolean
  /** Whether this is the key that the docs fill into their examples. */
  readonly isInDocs: boolean
  readonly onRevoked: () => void
  readonly onClose: () => void
}

export function RevokeKey({ apiKey, isLast, isInDocs, onRevoked, onClose }: RevokeKeyProps) {
  const { id, name, last_used_at } = apiKey
  const revoke = useMutation({
    mutationFn: () => revokeKey(id),
    onSuccess: () => {
      if (isInDocs) deleteKey()
      say(`The key ${name} is revoked.`)
      onRevoked()
    },
  })
  return (
    <Confirm
      title={`Revoke “${name}”?`}
      action="Revoke the key"
      isDangerous
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        Requests with <code class="keys-hint">{keyHint(apiKey)}</code> will fail with status 401 immediately.
        This cannot be undone.
      </p>
      <p>
        {last_used_at === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used{' '}
            <strong>
              <Ago at={last_used_at} />
            </strong>
            . To replace it without downtime, roll it instead.
          </>
        )}
      </p>
      {isLast && (
        <p>This is your only active live key. Without another one, none of your programs can call the API.</p>
      )}
    </Confirm>
  )
}
