// In charge of ending a key at once, for good: says first what will stop.
import { useMutation } from '@tanstack/preact-query'
import type { ApiKey } from '../../account-api.ts'
import { forgetKey } from '../../scripts/kept-key.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Ago } from '../parts/moment.tsx'
import { say } from '../parts/say.ts'
import { keyHint, revokeKey } from './key-data.ts'

interface RevokeKeyProps {
  readonly apiKey: ApiKey
  /** Whether no other key works. */
  readonly isLast: boolean
  /** Whether it is the one that the docs fill in. */
  readonly isInDocs: boolean
  readonly onRevoked: () => void
  readonly onClose: () => void
}

export function RevokeKey({ apiKey, isLast, isInDocs, onRevoked, onClose }: RevokeKeyProps) {
  const { id, name, last_used_at } = apiKey
  const revoke = useMutation({
    mutationFn: () => revokeKey(id),
    onSuccess: () => {
      if (isInDocs) forgetKey()
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
        Every program that uses <code>{keyHint(apiKey)}</code> is answered 401 from now on. This cannot be
        undone.
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
            . To change it without an interruption, roll it instead.
          </>
        )}
      </p>
      {isLast && (
        <p>It is the only key that works: without another one, nothing of yours can call the API.</p>
      )}
    </Confirm>
  )
}
