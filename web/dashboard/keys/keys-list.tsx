// Lists keys with their name, hint, status, dates and actions.
import { useRef, useState } from 'preact/hooks'
import type { ApiKey } from '../../account-api.ts'
import { Mark, type Tone } from '../parts/mark.tsx'
import { Ago } from '../parts/moment.tsx'
import { isEnded, keyHint } from './key-data.ts'
import { RenameKey } from './keys-rename.tsx'

interface KeyListProps {
  readonly label: string
  readonly keys: readonly ApiKey[]
  /** Without both callbacks, the keys have no actions. */
  readonly onRoll?: (key: ApiKey) => void
  readonly onRevoke?: (key: ApiKey) => void
}

const marks: Readonly<Record<ApiKey['status'], readonly [Tone, string]>> = {
  active: ['good', 'Active'],
  expiring: ['waiting', 'Expiring'],
  expired: ['ended', 'Expired'],
  revoked: ['ended', 'Revoked'],
}

export function KeyList({ label, keys, onRoll, onRevoke }: KeyListProps) {
  return (
    <ul class="keys" aria-label={label}>
      {keys.map((key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          {...(onRoll && { onRoll: () => onRoll(key) })}
          {...(onRevoke && { onRevoke: () => onRevoke(key) })}
        />
      ))}
    </ul>
  )
}

interface KeyRowProps {
  readonly apiKey: ApiKey
  readonly onRoll?: () => void
  readonly onRevoke?: () => void
}

function KeyRow({ apiKey, onRoll, onRevoke }: KeyRowProps) {
  const [isRenaming, setRenaming] = useState(false)
  const rename = useRef<HTMLButtonElement>(null)
  const stopRenaming = () => {
    setRenaming(false)
    // The button exists again only after the next render.
    setTimeout(() => rename.current?.focus())
  }
  const { name } = apiKey
  const [tone, word] = marks[apiKey.status]
  return (
    <li>
      <div class="keys-name">
        {isRenaming ? (
          <RenameKey apiKey={apiKey} onDone={stopRenaming} />
        ) : (
          <h2>
            {name}{' '}
            {!isEnded(apiKey) && (
              <button ref={rename} type="button" class="copy" onClick={() => setRenaming(true)}>
                Rename<span class="unseen"> {name}</span>
              </button>
            )}
          </h2>
        )}
        <p>
          <code>{keyHint(apiKey)}</code> {apiKey.is_test && <Mark tone="ended">Test</Mark>}{' '}
          <Mark tone={tone}>{word}</Mark>
        </p>
      </div>
      <KeyFacts apiKey={apiKey} />
      {onRoll && onRevoke && (
        <p class="keys-actions">
          <button type="button" class="button quiet small" onClick={onRoll}>
            Roll<span class="unseen"> {name}</span>
          </button>
          <button type="button" class="button danger small" onClick={onRevoke}>
            Revoke<span class="unseen"> {name}</span>
          </button>
        </p>
      )}
    </li>
  )
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { created_at, last_used_at, expires_at, revoked_at, status } = apiKey
  return (
    <dl class="keys-facts">
      <div>
        <dt>Created</dt>
        <dd>
          <Ago at={created_at} />
        </dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>{last_used_at === null ? 'Never' : <Ago at={last_used_at} />}</dd>
      </div>
      <div>
        <dt>{status === 'revoked' ? 'Revoked' : status === 'expired' ? 'Expired' : 'Expires'}</dt>
        <dd>{ending(revoked_at ?? expires_at)}</dd>
      </div>
    </dl>
  )
}

function ending(at: string | null) {
  return at === null ? 'Never' : <Ago at={at} />
}
