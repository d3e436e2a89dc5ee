// Lists the first few active keys on the overview.
import { isEnded, keyHint, useKeys } from '../keys/key-data.ts'
import { Ago } from '../parts/moment.tsx'
import { WithData } from '../parts/state.tsx'
import { Link } from '../router.tsx'

const shownMax = 4

export function OverviewKeys() {
  const keys = useKeys()
  return (
    <section class="stack" aria-labelledby="your-keys">
      <div class="heading">
        <h2 id="your-keys">Your keys</h2>
        <Link href="/dashboard/keys">All keys</Link>
      </div>
      <WithData query={keys} lines={2}>
        {(all) => {
          const live = all.filter((key) => !isEnded(key))
          if (live.length === 0) {
            return (
              <p>
                You have no active keys. <Link href="/dashboard/keys">Create one</Link> to call the API.
              </p>
            )
          }
          return (
            <ul class="overview-keys">
              {live.slice(0, shownMax).map((key) => (
                <li key={key.id}>
                  <strong>{key.name}</strong> <code>{keyHint(key)}</code>
                  <span class="note">
                    {key.last_used_at === null ? 'Not used yet' : <Used at={key.last_used_at} />}
                  </span>
                </li>
              ))}
              {live.length > shownMax && <li class="note">and {live.length - shownMax} more</li>}
            </ul>
          )
        }}
      </WithData>
    </section>
  )
}

function Used({ at }: { at: string }) {
  return (
    <>
      Used <Ago at={at} />
    </>
  )
}
