// The keys page: active and inactive keys, and the dialogs that create, roll and revoke them.
import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { ApiKey, NewApiKey } from '../../account-api.ts'
import { findKey, storeKey } from '../../scripts/stored-key.ts'
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
    // The docs are about the catalogue.
    if (!made.is_test) storeKey(start.email, made.key)
    void refresh()
    setDoing({ what: 'show', made })
  }
  return (
    <Page
      title="Keys"
      lede="Your programs authenticate with API keys. Use one key per program, so that you can revoke each on its own."
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
          isLast={
            !doing.key.is_test && keys.data?.filter((key) => !isEnded(key) && !key.is_test).length === 1
          }
          isInDocs={findKey(start.email)?.endsWith(doing.key.hint) ?? false}
          onRevoked={async () => {
            stop()
            await refresh()
            // The button that opened the dialog was removed with its row.
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
        <KeyList label="Active keys" keys={live} onRoll={onRoll} onRevoke={onRevoke} />
      ) : (
        <Empty title="No active keys">
          <p>
            {ended.length > 0
              ? 'All your keys have expired or were revoked, so requests with them fail with status 401.'
              : 'You need a key to call the API.'}{' '}
            Create a key to see it with an example request.
          </p>
        </Empty>
      )}
      {ended.length > 0 && (
        <details class="keys-ended">
          <summary>Inactive keys ({ended.length})</summary>
          <KeyList label="Inactive keys" keys={ended} />
        </details>
      )}
    </>
  )
}
