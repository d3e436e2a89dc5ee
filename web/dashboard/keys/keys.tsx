// In charge of the keys: those that work and those that have ended, and what can be done with them, one thing at a time.
import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { ApiKey, NewApiKey } from '../../account-api.ts'
import { findKey, keepKey } from '../../scripts/kept-key.ts'
import { kept, start } from '../account.ts'
import { Page } from '../page.tsx'
import { RunIt } from '../parts/run-it.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { Empty, WithData } from '../parts/state.tsx'
import { isEnded, useKeys } from './key-data.ts'
import { CreateKey } from './keys-create.tsx'
import { KeyList } from './keys-list.tsx'
import { RevokeKey } from './keys-revoke.tsx'
import { RollKey } from './keys-roll.tsx'
import './keys.css'

type Doing =
  | { readonly what: 'create' }
  | { readonly what: 'roll' | 'revoke'; readonly key: ApiKey }
  | { readonly what: 'show'; readonly made: NewApiKey }

export function KeysPage() {
  const keys = useKeys()
  const client = useQueryClient()
  const [doing, setDoing] = useState<Doing>()
  const stop = () => setDoing(undefined)
  const refresh = () => client.invalidateQueries({ queryKey: kept.keys })
  const show = (made: NewApiKey) => {
    keepKey(start.email, made.key)
    void refresh()
    setDoing({ what: 'show', made })
  }
  return (
    <Page
      title="Keys"
      lede="Your programs say who they are by a key. Give each program its own, and one can end without the others."
      action={
        <button type="button" class="button" onClick={() => setDoing({ what: 'create' })}>
          Create key
        </button>
      }
    >
      <WithData query={keys} lines={6}>
        {(all) => (
          <Keys
            keys={all}
            onRoll={(key) => setDoing({ what: 'roll', key })}
            onRevoke={(key) => setDoing({ what: 'revoke', key })}
          />
        )}
      </WithData>
      {doing?.what === 'create' && <CreateKey onMade={show} onClose={stop} />}
      {doing?.what === 'roll' && <RollKey apiKey={doing.key} onMade={show} onClose={stop} />}
      {doing?.what === 'revoke' && (
        <RevokeKey
          apiKey={doing.key}
          isLast={keys.data?.filter((key) => !isEnded(key)).length === 1}
          isInDocs={findKey(start.email)?.endsWith(doing.key.hint) ?? false}
          onRevoked={async () => {
            stop()
            await refresh()
            // What opened the dialog went with its row.
            document.querySelector('h1')?.focus()
          }}
          onClose={stop}
        />
      )}
      {doing?.what === 'show' && (
        <SecretDialog
          title={`Your key “${doing.made.name}”`}
          secret={doing.made.key}
          what="key"
          onClose={stop}
        >
          {(onCopied) => <RunIt secret={doing.made.key} onCopied={onCopied} />}
        </SecretDialog>
      )}
    </Page>
  )
}

interface KeysProps {
  readonly keys: readonly ApiKey[]
  readonly onRoll: (key: ApiKey) => void
  readonly onRevoke: (key: ApiKey) => void
}

function Keys({ keys, onRoll, onRevoke }: KeysProps) {
  const live = keys.filter((key) => !isEnded(key))
  const ended = keys.filter(isEnded)
  return (
    <>
      {live.length > 0 ? (
        <KeyList label="Keys that work" keys={live} onRoll={onRoll} onRevoke={onRevoke} />
      ) : (
        <Empty title="No key that works">
          <p>
            {ended.length > 0
              ? 'All of your keys have expired or were revoked, and requests with them are answered 401.'
              : 'You have not created a key yet, and without one the API answers 401.'}{' '}
            Create a key, and the dashboard shows it with a request that works.
          </p>
        </Empty>
      )}
      {ended.length > 0 && (
        <details class="keys-ended">
          <summary>Ended keys ({ended.length})</summary>
          <KeyList label="Ended keys" keys={ended} />
        </details>
      )}
    </>
  )
}
